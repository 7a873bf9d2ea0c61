package dev.harmovela.contract;

import org.jspecify.annotations.Nullable;

/**
 * A place in the hub's log; to clients an opaque text (§6, D9).
 *
 * @param journal identity of the data directory: letters and digits
 * @param lsn position, 0 or more
 */
public record Cursor(String journal, long lsn) {

    private static final int RADIX = 36;

    /** The form in envelopes, for example {@code 7f3k2a-1c9}. */
    public String text() {
        return journal + "-" + Long.toString(lsn, RADIX);
    }

    /** Reads {@link #text()}; null for anything else. */
    public static @Nullable Cursor parse(String text) {
        int dash = text.lastIndexOf('-');
        if (dash < 1 || dash == text.length() - 1 || text.charAt(dash + 1) == '+') {
            return null;
        }
        try {
            Cursor cursor = new Cursor(text.substring(0, dash), Long.parseLong(text.substring(dash + 1), RADIX));
            return cursor.text().equals(text) ? cursor : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }

    @Override
    public String toString() {
        return text();
    }
}
