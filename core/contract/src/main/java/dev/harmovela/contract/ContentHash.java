package dev.harmovela.contract;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A fast 64-bit hash for telling contents apart; the same on every machine and in every run. Not for adversaries. */
final class ContentHash {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final int STRIDE = 4 * Long.BYTES;

    private long state = SPREAD;

    void add(long word) {
        state = mix(state ^ word) * SPREAD;
    }

    void add(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        add(utf8, 0, utf8.length);
    }

    void add(byte[] bytes, int from, int length) {
        add((long) length);
        int at = from;
        int end = from + length;
        if (length >= 4 * STRIDE) {
            at = addWide(bytes, at, end);
        }
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            add((long) LONGS.get(bytes, at));
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = rest << 8 | bytes[at] & 0xFF;
        }
        add(rest);
    }

    /** Four words at a time, each in a lane of its own, since a multiplication has to wait for the one before it. */
    private int addWide(byte[] bytes, int from, int end) {
        long first = state;
        long second = state + 1;
        long third = state + 2;
        long fourth = state + 3;
        int at = from;
        for (; at + STRIDE <= end; at += STRIDE) {
            first = turn(first, (long) LONGS.get(bytes, at));
            second = turn(second, (long) LONGS.get(bytes, at + 8));
            third = turn(third, (long) LONGS.get(bytes, at + 16));
            fourth = turn(fourth, (long) LONGS.get(bytes, at + 24));
        }
        add(first);
        add(second);
        add(third);
        add(fourth);
        return at;
    }

    private static long turn(long lane, long word) {
        return Long.rotateLeft((lane ^ word) * SPREAD, 31);
    }

    long value() {
        return mix(state);
    }

    private static long mix(long word) {
        long high = Math.unsignedMultiplyHigh(word, SPREAD);
        return word * SPREAD ^ high ^ word >>> 32;
    }
}
