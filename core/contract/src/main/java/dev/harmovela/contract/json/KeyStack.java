package dev.harmovela.contract.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys of the objects that are open at the moment, for finding repeated ones without an allocation per object.
 *
 * <p>Up to {@link #FEW} keys of an object are compared one by one while they come in. A larger object is judged when it
 * closes, by sorting: no choice of keys makes that quadratic, which a table of hashes could not promise. Keys with
 * escapes are kept decoded in a side buffer; their positions are stored as complements.
 */
final class KeyStack {

    private static final int FEW = 32;
    private static final int FIRST_SIZE = 8;

    private int[] from = new int[FIRST_SIZE];
    private int[] to = new int[FIRST_SIZE];
    private int[] hash = new int[FIRST_SIZE];
    private int size;
    private byte[] side = {};
    private int sideSize;

    int size() {
        return size;
    }

    void clear() {
        size = 0;
        sideSize = 0;
    }

    void cut(int newSize) {
        size = newSize;
        if (newSize == 0) {
            sideSize = 0;
        }
    }

    void push(int start, int end, int h) {
        if (size == from.length) {
            from = Arrays.copyOf(from, size * 2);
            to = Arrays.copyOf(to, size * 2);
            hash = Arrays.copyOf(hash, size * 2);
        }
        from[size] = start;
        to[size] = end;
        hash[size] = h;
        size++;
    }

    void pushDecoded(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        int start = sideSize;
        if (start + bytes.length > side.length) {
            side = Arrays.copyOf(side, Math.max(side.length * 2, start + bytes.length));
        }
        System.arraycopy(bytes, 0, side, start, bytes.length);
        sideSize += bytes.length;
        push(~start, start + bytes.length, hash(bytes, 0, bytes.length));
    }

    static int hash(byte[] bytes, int start, int end) {
        int h = 0;
        for (int i = start; i < end; i++) {
            h = 31 * h + bytes[i];
        }
        return h;
    }

    int lastHash() {
        return hash[size - 1];
    }

    boolean lastIs(byte[] doc, byte[] name) {
        int k = size - 1;
        return Arrays.equals(in(doc, k), start(k), to[k], name, 0, name.length);
    }

    boolean lastDecoded() {
        return from[size - 1] < 0;
    }

    int lastFirst(byte[] doc) {
        int k = size - 1;
        return start(k) == to[k] ? -1 : in(doc, k)[start(k)] & 0xFF;
    }

    String text(byte[] doc, int k) {
        return new String(in(doc, k), start(k), to[k] - start(k), StandardCharsets.UTF_8);
    }

    /** Whether the last key repeats one of the object whose keys begin at {@code base}; only looked for among few. */
    boolean earlyRepeat(byte[] doc, int base) {
        int last = size - 1;
        if (last - base >= FEW) {
            return false;
        }
        int h = hash[last];
        for (int k = base; k < last; k++) {
            if (hash[k] == h && order(doc, k, last) == 0) {
                return true;
            }
        }
        return false;
    }

    /** In an object of many keys that closes now: the first key that repeats an earlier one, or -1. */
    int lateRepeat(byte[] doc, int base) {
        int count = size - base;
        if (count <= FEW) {
            return -1;
        }
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            order[i] = (long) hash[base + i] << 32 | i;
        }
        Arrays.sort(order);
        int found = Integer.MAX_VALUE;
        for (int run = 0; run < count; ) {
            int next = run + 1;
            while (next < count && (int) (order[next] >> 32) == (int) (order[run] >> 32)) {
                next++;
            }
            if (next - run > 1) {
                found = Math.min(found, repeatIn(doc, base, Arrays.copyOfRange(order, run, next)));
            }
            run = next;
        }
        return found == Integer.MAX_VALUE ? -1 : found;
    }

    /** First repeating key among those of one hash, or {@link Integer#MAX_VALUE}. */
    private int repeatIn(byte[] doc, int base, long[] sameHash) {
        Integer[] keys = new Integer[sameHash.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = base + (int) sameHash[i];
        }
        Arrays.sort(keys, (a, b) -> {
            int byBytes = order(doc, a, b);
            return byBytes != 0 ? byBytes : Integer.compare(a, b);
        });
        int found = Integer.MAX_VALUE;
        for (int i = 1; i < keys.length; i++) {
            if (order(doc, keys[i - 1], keys[i]) == 0) {
                found = Math.min(found, keys[i]);
            }
        }
        return found;
    }

    private int order(byte[] doc, int a, int b) {
        return Arrays.compare(in(doc, a), start(a), to[a], in(doc, b), start(b), to[b]);
    }

    private byte[] in(byte[] doc, int k) {
        return from[k] < 0 ? side : doc;
    }

    private int start(int k) {
        return from[k] < 0 ? ~from[k] : from[k];
    }
}
