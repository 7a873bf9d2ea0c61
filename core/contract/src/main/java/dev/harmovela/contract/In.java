package dev.harmovela.contract;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link Out} wrote, in the same order. Reading past the end is {@link IllegalArgumentException}: the
 * record is cut off or of another format. Not thread-safe.
 */
public final class In {

    private final byte[] bytes;
    private final int end;
    private int pos;

    public In(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public In(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.pos = offset;
        this.end = offset + length;
    }

    public int remaining() {
        return end - pos;
    }

    private int take(int count) {
        if (count < 0 || count > end - pos) {
            throw new IllegalArgumentException("record cut off: " + count + " bytes wanted, " + remaining() + " left");
        }
        int at = pos;
        pos += count;
        return at;
    }

    /** One byte, 0 to 255. */
    public int u8() {
        return bytes[take(1)] & 0xFF;
    }

    public boolean bool() {
        return u8() != 0;
    }

    public int i32() {
        int at = take(4);
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value = value << 8 | bytes[at + i] & 0xFF;
        }
        return value;
    }

    public long i64() {
        int at = take(8);
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | bytes[at + i] & 0xFF;
        }
        return value;
    }

    public double f64() {
        return Double.longBitsToDouble(i64());
    }

    public long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalArgumentException("number of more than ten bytes");
    }

    /** A {@link #varint()} that counts something: 0 or more, and fitting an int. */
    public int count() {
        long value = varint();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("count out of range: " + value);
        }
        return (int) value;
    }

    public String string() {
        int length = count();
        return new String(bytes, take(length), length, StandardCharsets.UTF_8);
    }

    public @Nullable String optional() {
        return bool() ? string() : null;
    }

    /** Bytes that were written with their length, to be read in place. */
    public In part() {
        int length = count();
        return new In(bytes, take(length), length);
    }

    /** Passes over a {@link #string()} or {@link #bytes()}; answers where its content begins. */
    public int skip() {
        int length = count();
        return take(length);
    }

    byte[] array() {
        return bytes;
    }

    int position() {
        return pos;
    }

    /** Bytes that were written with their length. */
    public byte[] bytes() {
        return raw(count());
    }

    /** The next {@code length} bytes. */
    public byte[] raw(int length) {
        int at = take(length);
        return Arrays.copyOfRange(bytes, at, at + length);
    }
}
