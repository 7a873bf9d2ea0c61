package dev.harmovela.harness;

import dev.harmovela.contract.Event;

/**
 * Remembers the newest published events by (tenant, source, id), so that a repeated publish has no second effect.
 *
 * <p>Two generations of open-addressed tables: when the younger is full the older is dropped, so between {@code capacity} and
 * twice {@code capacity} events are known at a fixed price of 24 bytes a slot. Keys and contents are 64-bit hashes with a
 * seed of the data directory. Derived from the log, never in a snapshot. One owner, not thread-safe.
 */
final class Duplicates {

    /** What a look-up says. */
    enum Verdict {
        FRESH,
        DUPLICATE,
        CONFLICT
    }

    private final int capacity;
    private final long seed;
    private Table young;
    private Table old;
    private long foundLsn;

    Duplicates(int capacity, long seed) {
        this.capacity = capacity;
        this.seed = seed;
        this.young = new Table(capacity);
        this.old = new Table(0);
    }

    /** Looks an event up. After DUPLICATE or CONFLICT {@link #foundLsn} tells where the first one is. */
    Verdict check(String tenant, Event event) {
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
        foundLsn = table.lsns[slot];
        return table.contents[slot] == event.contentHash() ? Verdict.DUPLICATE : Verdict.CONFLICT;
    }

    long foundLsn() {
        return foundLsn;
    }

    void add(String tenant, Event event, long lsn) {
        if (young.count >= capacity) {
            old = young;
            young = new Table(capacity);
        }
        young.put(key(tenant, event), event.contentHash(), lsn);
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
        final long[] contents;
        final long[] lsns;
        int count;

        Table(int capacity) {
            int slots = Math.max(2, Integer.highestOneBit(Math.max(1, capacity)) * 2);
            keys = new long[slots];
            contents = new long[slots];
            lsns = new long[slots];
        }

        /** Slot of a key, or -1. */
        int find(long key) {
            int mask = keys.length - 1;
            for (int slot = (int) key & mask; keys[slot] != 0; slot = slot + 1 & mask) {
                if (keys[slot] == key) {
                    return slot;
                }
            }
            return -1;
        }

        void put(long key, long content, long lsn) {
            int mask = keys.length - 1;
            int slot = (int) key & mask;
            while (keys[slot] != 0 && keys[slot] != key) {
                slot = slot + 1 & mask;
            }
            if (keys[slot] == 0) {
                count++;
            }
            keys[slot] = key;
            contents[slot] = content;
            lsns[slot] = lsn;
        }
    }
}
