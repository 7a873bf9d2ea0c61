package dev.harmovela.contract;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes facts, records and snapshots into a growing array; read back by {@link In} in the same order. Not
 * thread-safe.
 */
public final class Out {

    private static final int LONGEST_VARINT = 10;

    private byte[] bytes;
    private int size;

    public Out() {
        this(256);
    }

    public Out(int capacity) {
        bytes = new byte[Math.max(capacity, 16)];
    }

    /** Bytes written so far. */
    public int size() {
        return size;
    }

    /** The array written to: valid up to {@link #size()} and until the next write. */
    public byte[] array() {
        return bytes;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Forgets what was written and keeps the array. */
    public Out clear() {
        size = 0;
        return this;
    }

    private int grow(int more) {
        int at = size;
        if (at + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, at + more));
        }
        size = at + more;
        return at;
    }

    /** One byte. */
    public Out u8(int value) {
        int at = grow(1);
        bytes[at] = (byte) value;
        return this;
    }

    public Out bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    /** Four bytes. */
    public Out i32(int value) {
        int at = grow(4);
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (value >>> 24 - 8 * i);
        }
        return this;
    }

    /** Overwrites the four bytes at {@code at}, for a length known only afterwards. */
    public Out patchI32(int at, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (value >>> 24 - 8 * i);
        }
        return this;
    }

    /** Eight bytes. */
    public Out i64(long value) {
        int at = grow(8);
        for (int i = 0; i < 8; i++) {
            bytes[at + i] = (byte) (value >>> 56 - 8 * i);
        }
        return this;
    }

    public Out f64(double value) {
        return i64(Double.doubleToRawLongBits(value));
    }

    /** One to ten bytes, few for small numbers; a negative number takes ten. */
    public Out varint(long value) {
        long rest = value;
        int at = grow(LONGEST_VARINT);
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
        size = at;
        return this;
    }

    public Out string(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return bytes(utf8, 0, utf8.length);
    }

    /** A string or its absence. */
    public Out optional(@Nullable String value) {
        return value == null ? bool(false) : bool(true).string(value);
    }

    /** Length and bytes. */
    public Out bytes(byte[] source, int offset, int length) {
        varint(length);
        return raw(source, offset, length);
    }

    public Out bytes(byte[] source) {
        return bytes(source, 0, source.length);
    }

    /** Bytes without their length. */
    public Out raw(byte[] source, int offset, int length) {
        int at = grow(length);
        System.arraycopy(source, offset, bytes, at, length);
        return this;
    }
}
