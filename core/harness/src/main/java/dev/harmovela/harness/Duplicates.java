package dev.harmovela.harness;

import dev.harmovela.contract.Event;

/**
 * Remembers the newest published events by (tenant, source, id), so that a repeated publish has no second effect.
 *
 * <p>Two generations of open-addressed tables: when the younger holds {@code capacity} events the older is dropped,
 * so the last {@code capacity} to twice {@code capacity} events are known. Tables grow with use, 16 bytes a slot at
 * no more than half load. Keys are 64-bit hashes with a seed of the data directory, contents 32-bit ones, looked at
 * only where the key is the same. Derived from the log, never in a snapshot. One owner, not thread-safe.
 */
final class Duplicates {

    /** What a look-up says. */
    enum Verdict {
        FRESH,
        DUPLICATE,
        CONFLICT
    }

    private static final int FIRST_SLOTS = 1 << 10;

    private final int capacity;
    private final long seed;
    private Table young;
    private Table old;
    private long foundLsn;

    Duplicates(int capacity, long seed) {
        this.capacity = capacity;
        this.seed = seed;
        this.young = new Table(FIRST_SLOTS);
        this.old = new Table(2);
    }

    /**
     * Looks an event up; {@code headLsn} is the last position of the log. After DUPLICATE {@link #foundLsn} tells
     * where it is.
     */
    Verdict check(String tenant, Event event, long headLsn) {
        long key = key(tenant, event);
        Table table = young;
        int slot = young.find(key);
        if (slot < 0) {
            table = old;
            slot = old.find(key);
        }
        if (slot < 0) {
            return Verdict.FRESH;
        }
        foundLsn = headLsn - (headLsn - table.lsns[slot] & 0xFFFF_FFFFL);
        return table.contents[slot] == content(event) ? Verdict.DUPLICATE : Verdict.CONFLICT;
    }

    long foundLsn() {
        return foundLsn;
    }

    void add(String tenant, Event event, long lsn) {
        if (young.count >= capacity) {
            old = young;
            young = new Table(FIRST_SLOTS);
        } else if (young.isHalfFull()) {
            young = young.doubled();
        }
        young.put(key(tenant, event), content(event), (int) lsn);
    }

    private static int content(Event event) {
        long hash = event.contentHash();
        return (int) (hash ^ hash >>> 32);
    }

    private long key(String tenant, Event event) {
        long hash = mix(seed, tenant);
        hash = mix(hash, event.source());
        hash = mix(hash, event.id());
        hash ^= hash >>> 32;
        hash *= 0xd6e8feb86659fd93L;
        hash ^= hash >>> 32;
        return hash == 0 ? 1 : hash;
    }

    private static long mix(long start, String text) {
        long hash = start ^ text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9e3779b97f4a7c15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    private static final class Table {
        final long[] keys;
        final int[] contents;
        final int[] lsns;
        int count;

        /** @param slots a power of two */
        Table(int slots) {
            keys = new long[slots];
            contents = new int[slots];
            lsns = new int[slots];
        }

        boolean isHalfFull() {
            return count >= keys.length / 2;
        }

        Table doubled() {
            Table bigger = new Table(keys.length * 2);
            for (int i = 0; i < keys.length; i++) {
                if (keys[i] != 0) {
                    bigger.put(keys[i], contents[i], lsns[i]);
                }
            }
            return bigger;
        }

        /** Slot of a key, or -1. */
        int find(long key) {
            int slot = slotOf(key);
            return keys[slot] == 0 ? -1 : slot;
        }

        void put(long key, int content, int lsn) {
            int slot = slotOf(key);
            if (keys[slot] == 0) {
                count++;
            }
            keys[slot] = key;
            contents[slot] = content;
            lsns[slot] = lsn;
        }

        /** Slot of a key, or the free one where it would go. */
        private int slotOf(long key) {
            int mask = keys.length - 1;
            int slot = (int) key & mask;
            while (keys[slot] != 0 && keys[slot] != key) {
                slot = slot + 1 & mask;
            }
            return slot;
        }
    }
}
