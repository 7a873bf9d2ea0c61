package dev.harmovela.store.journal;

import java.util.Arrays;

/**
 * A compact multimap from 64-bit keys to positions, in the order they were added: three arrays and a table of chain
 * heads. Not thread-safe.
 */
public final class KeyTable {

    private static final int NONE = -1;
    private static final int RADIX_BITS = 8;

    private long[] keys = new long[256];
    private long[] lsns = new long[256];
    private int[] previous = new int[256];
    private int[] heads = newHeads(512);
    private int size;

    /** Spreads the bits of {@code value}; a bijection. */
    static long mix(long value) {
        long mixed = value * 0x9e37_79b9_7f4a_7c15L;
        mixed ^= mixed >>> 29;
        mixed *= 0xbf58_476d_1ce4_e5b9L;
        return mixed ^ (mixed >>> 32);
    }

    private static int[] newHeads(int length) {
        int[] heads = new int[length];
        Arrays.fill(heads, NONE);
        return heads;
    }

    /** Adds a pair; a pair equal to the last one of its key is left out. */
    public void add(long key, long lsn) {
        int head = heads[slot(key)];
        if (head != NONE && keys[head] == key && lsns[head] == lsn) {
            return;
        }
        if (size == keys.length) {
            grow();
        }
        int slot = slot(key);
        keys[size] = key;
        lsns[size] = lsn;
        previous[size] = heads[slot];
        heads[slot] = size++;
    }

    /** Positions of {@code key} not below {@code fromLsn}, ascending. */
    public long[] find(long key, long fromLsn) {
        int count = 0;
        for (int i = heads[slot(key)]; i != NONE; i = previous[i]) {
            if (keys[i] == key && lsns[i] >= fromLsn) {
                count++;
            }
        }
        long[] found = new long[count];
        for (int i = heads[slot(key)]; i != NONE; i = previous[i]) {
            if (keys[i] == key && lsns[i] >= fromLsn) {
                found[--count] = lsns[i];
            }
        }
        return found;
    }

    /** Pairs in the table. */
    public int size() {
        return size;
    }

    /**
     * All pairs as {@code key, position, key, position, …}, sorted by key (unsigned), then by the order they were
     * added.
     */
    long[] sortedPairs() {
        int[] order = new int[size];
        Arrays.setAll(order, i -> i);
        int[] sorted = new int[size];
        for (int shift = 0; shift < Long.SIZE; shift += RADIX_BITS) {
            int[] starts = new int[(1 << RADIX_BITS) + 1];
            for (int i = 0; i < size; i++) {
                starts[digit(keys[i], shift) + 1]++;
            }
            for (int digit = 0; digit < 1 << RADIX_BITS; digit++) {
                starts[digit + 1] += starts[digit];
            }
            for (int entry : order) {
                sorted[starts[digit(keys[entry], shift)]++] = entry;
            }
            int[] swapped = order;
            order = sorted;
            sorted = swapped;
        }
        long[] pairs = new long[2 * size];
        for (int i = 0; i < size; i++) {
            pairs[2 * i] = keys[order[i]];
            pairs[2 * i + 1] = lsns[order[i]];
        }
        return pairs;
    }

    private static int digit(long key, int shift) {
        return (int) (key >>> shift) & ((1 << RADIX_BITS) - 1);
    }

    private int slot(long key) {
        return (int) mix(key) & (heads.length - 1);
    }

    private void grow() {
        int length = 2 * size;
        keys = Arrays.copyOf(keys, length);
        lsns = Arrays.copyOf(lsns, length);
        previous = Arrays.copyOf(previous, length);
        heads = newHeads(2 * length);
        for (int i = 0; i < size; i++) {
            int slot = slot(keys[i]);
            previous[i] = heads[slot];
            heads[slot] = i;
        }
    }
}
