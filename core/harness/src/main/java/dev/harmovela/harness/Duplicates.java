package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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

    private static final long LOW_BITS = 0xFFFF_FFFFL;

    private final int capacity;
    private final long seed;
    private Table young;
    private Table old;
    private long foundLsn;
    private @Nullable Event hashed;
    private String hashedFor = "";
    private long hash;

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
        Table table = young.holds(key) ? young : old;
        if (table == old && !old.holds(key)) {
            return Verdict.FRESH;
        }
        long known = table.value(key);
        foundLsn = headLsn - (headLsn - (int) known & LOW_BITS);
        return (int) (known >>> 32) == folded(event.contentHash()) ? Verdict.DUPLICATE : Verdict.CONFLICT;
    }

    long foundLsn() {
        return foundLsn;
    }

    /** Learns an event at a position; {@code content} is the hash of what its sender said. */
    void add(String tenant, Event event, long lsn, long content) {
        if (young.count >= capacity) {
            Table oldest = old;
            old = young;
            // a table that has grown is used again: a new one of that size each time would be work for the collector
            young = oldest.slots() == old.slots() ? oldest.cleared() : new Table(FIRST_SLOTS);
        } else if (young.isHalfFull()) {
            young = young.doubled();
        }
        young.put(key(tenant, event), (long) folded(content) << 32 | lsn & LOW_BITS);
    }

    private static int folded(long hash) {
        return (int) (hash ^ hash >>> 32);
    }

    /** The key of an event is asked for twice in a row: when it is checked and when it is added. */
    private long key(String tenant, Event event) {
        if (hashed != event || !hashedFor.equals(tenant)) {
            hash = keyOf(tenant, event);
            hashed = event;
            hashedFor = tenant;
        }
        return hash;
    }

    private long keyOf(String tenant, Event event) {
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

    /** Two words a slot, key and value, so that a look-up touches memory once. */
    private static final class Table {
        private final long[] words;
        int count;

        /** @param slots a power of two */
        Table(int slots) {
            words = new long[2 * slots];
        }

        int slots() {
            return words.length / 2;
        }

        Table cleared() {
            Arrays.fill(words, 0);
            count = 0;
            return this;
        }

        boolean isHalfFull() {
            return count >= words.length / 4;
        }

        Table doubled() {
            Table bigger = new Table(words.length);
            for (int at = 0; at < words.length; at += 2) {
                if (words[at] != 0) {
                    bigger.put(words[at], words[at + 1]);
                }
            }
            return bigger;
        }

        boolean holds(long key) {
            return words[place(key)] != 0;
        }

        /** Value of a key that is held. */
        long value(long key) {
            return words[place(key) + 1];
        }

        void put(long key, long value) {
            int at = place(key);
            if (words[at] == 0) {
                count++;
            }
            words[at] = key;
            words[at + 1] = value;
        }

        /** Where a key is, or the free place where it would go. */
        private int place(long key) {
            int mask = words.length - 2;
            int at = (int) key << 1 & mask;
            while (words[at] != 0 && words[at] != key) {
                at = at + 2 & mask;
            }
            return at;
        }
    }
}
