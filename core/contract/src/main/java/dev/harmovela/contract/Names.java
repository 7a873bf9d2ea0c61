package dev.harmovela.contract;

import dev.harmovela.contract.json.JsonScanner;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The names that come again with nearly every event of a sender (its identity, its session, its subscription), so
 * that each is
 * decoded and hashed once. A fixed number of places; a newcomer takes the place of whoever was there. Not thread-safe.
 */
final class Names {

    private static final int PLACES = 1024;
    private static final int LONGEST = 128;

    private final byte[][] bytes = new byte[PLACES][];
    private final @Nullable String[] texts = new String[PLACES];

    /** The text of a string without escapes. */
    String text(byte[] buffer, int from, int length) {
        if (length > LONGEST) {
            return JsonScanner.decode(buffer, from, from + length, false);
        }
        int place = place(buffer, from, length);
        byte[] known = bytes[place];
        String text = texts[place];
        if (text == null || !Arrays.equals(known, 0, known.length, buffer, from, from + length)) {
            bytes[place] = Arrays.copyOfRange(buffer, from, from + length);
            text = JsonScanner.decode(buffer, from, from + length, false);
            texts[place] = text;
        }
        return text;
    }

    /** Ids differ at their end more than anywhere else. */
    private static int place(byte[] buffer, int from, int length) {
        int hash = length;
        for (int i = Math.max(0, length - 8); i < length; i++) {
            hash = 31 * hash + buffer[from + i];
        }
        return (hash ^ hash >>> 15) & PLACES - 1;
    }
}
