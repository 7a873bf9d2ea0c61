package dev.harmovela.contract;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A fast 64-bit hash for telling contents apart; the same on every machine and in every run. Not for adversaries. */
final class ContentHash {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

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
        for (; at + 8 <= end; at += 8) {
            add((long) LONGS.get(bytes, at));
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = rest << 8 | bytes[at] & 0xFF;
        }
        add(rest);
    }

    long value() {
        return mix(state);
    }

    private static long mix(long word) {
        long high = Math.unsignedMultiplyHigh(word, SPREAD);
        return word * SPREAD ^ high ^ word >>> 32;
    }
}
