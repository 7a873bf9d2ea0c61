package dev.harmovela.contract.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes JSON straight into a growing array of UTF-8 bytes. Punctuation is the caller's. Not thread-safe. */
public final class JsonBytes {

    private byte[] bytes;
    private int size;

    public JsonBytes(int capacity) {
        bytes = new byte[Math.max(capacity, 16)];
    }

    /** Bytes written so far. */
    public int size() {
        return size;
    }

    /** Forgets everything behind the first {@code newSize} bytes. */
    public JsonBytes cut(int newSize) {
        size = Math.min(size, newSize);
        return this;
    }

    /** The array written to: valid up to {@link #size()} and until the next write. */
    public byte[] array() {
        return bytes;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    /** Writes ASCII text as it is. */
    @SuppressWarnings(
            "deprecation") // the old getBytes copies the low bytes without an encoder, which is what ASCII needs
    public JsonBytes raw(String ascii) {
        int length = ascii.length();
        room(length);
        ascii.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    /** Writes bytes as they are. */
    public JsonBytes raw(byte[] source, int offset, int length) {
        room(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
        return this;
    }

    /** Writes a number. */
    public JsonBytes number(long value) {
        return raw(Long.toString(value));
    }

    /** Writes a quoted, escaped string. */
    public JsonBytes string(String value) {
        if (!plain(value)) {
            StringBuilder quoted = new StringBuilder(value.length() + 8);
            JsonText.quote(quoted, value);
            byte[] encoded = quoted.toString().getBytes(StandardCharsets.UTF_8);
            return raw(encoded, 0, encoded.length);
        }
        return raw("\"").raw(value).raw("\"");
    }

    private static boolean plain(String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c < 0x20 || c > 0x7E || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    /** Writes a whole value, compact. */
    public JsonBytes value(Json value) {
        switch (value) {
            case Json.Str s -> string(s.value());
            case Json.Num n -> raw(n.text());
            case Json.Bool b -> raw(b.value() ? "true" : "false");
            case Json.Null _ -> raw("null");
            case Json.Arr a -> {
                String separator = "[";
                for (Json item : a.items()) {
                    raw(separator).value(item);
                    separator = ",";
                }
                raw(a.items().isEmpty() ? "[]" : "]");
            }
            case Json.Obj o -> {
                raw("{");
                int first = size;
                o.forEach((name, member) -> {
                    if (size > first) {
                        raw(",");
                    }
                    string(name).raw(":").value(member);
                });
                raw("}");
            }
        }
        return this;
    }
}
