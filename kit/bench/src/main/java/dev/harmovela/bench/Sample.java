package dev.harmovela.bench;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/** The 400-byte event that every contender carries, with a number of fixed width in its id. */
final class Sample {

    static final int BYTES = 400;

    private static final int DIGITS = 12;
    private static final String PREFIX = "evt-";

    private final byte[] bytes;
    private final int digitsAt;

    Sample(String source) {
        String head = "{\"spec_version\":\"0.2\",\"id\":\"" + PREFIX;
        String rest = "\",\"type\":\"context.updated\",\"source\":\"" + source + "\",\"created_at\":\""
                + Instant.now().truncatedTo(ChronoUnit.MILLIS)
                + "\",\"payload\":{\"context_id\":\"ctx-1\",\"revision\":17,\"fresh\":true,\"text\":\"";
        String foot = "\"}}";
        int fill = BYTES - head.length() - DIGITS - rest.length() - foot.length();
        String text = head
                + "0".repeat(DIGITS)
                + rest
                + "abcdefghijklmnop ".repeat(32).substring(0, fill)
                + foot;
        bytes = text.getBytes(StandardCharsets.US_ASCII);
        digitsAt = head.length();
    }

    /** The bytes of event {@code n}; valid until the next call. */
    byte[] numbered(long n) {
        digits(bytes, digitsAt, n);
        return bytes;
    }

    /** Writes a number with leading zeros. */
    static void digits(byte[] target, int at, long n) {
        long left = n;
        for (int i = DIGITS - 1; i >= 0; i--) {
            target[at + i] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }

    /** Reads the number of an event id that begins at {@code at}, or -1. */
    static long number(byte[] bytes, int at) {
        long n = 0;
        int start = at + PREFIX.length();
        for (int i = start; i < start + DIGITS; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            n = n * 10 + digit;
        }
        return n;
    }

    /** An id with zeros for the number, to be filled in. */
    static String blankId() {
        return PREFIX + "0".repeat(DIGITS);
    }

    /** Where the digits of an id begin that begins at {@code at}. */
    static int digitsOfId(int at) {
        return at + PREFIX.length();
    }

    /** Finds text in a range, looking at {@code hint} first; -1 when it is not there. */
    static int find(byte[] bytes, int from, int to, byte[] text, int hint) {
        if (hint >= from && hint + text.length <= to && matches(bytes, hint, text)) {
            return hint;
        }
        for (int i = from; i + text.length <= to; i++) {
            if (bytes[i] == text[0] && matches(bytes, i, text)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean matches(byte[] bytes, int at, byte[] text) {
        return Arrays.equals(bytes, at, at + text.length, text, 0, text.length);
    }
}
