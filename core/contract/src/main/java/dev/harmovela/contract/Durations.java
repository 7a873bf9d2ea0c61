package dev.harmovela.contract;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * ISO 8601 durations of weeks, days, hours, minutes and seconds: {@code PT90S}, {@code P1DT12H}; years and months are
 * 365 and 30 days.
 */
public final class Durations {

    private static final Pattern FORM =
            Pattern.compile("P(?=.)(?:(\\d{1,9})Y)?(?:(\\d{1,9})M)?(?:(\\d{1,9})W)?(?:(\\d{1,9})D)?"
                    + "(?:T(?=.)(?:(\\d{1,9})H)?(?:(\\d{1,9})M)?(?:(\\d{1,9})(?:[.,](\\d{1,9}))?S)?)?");
    private static final long[] SECONDS = {0, 31_536_000, 2_592_000, 604_800, 86_400, 3600, 60, 1};

    private Durations() {}

    public static boolean wellFormed(String text) {
        return FORM.matcher(text).matches();
    }

    /** The duration in milliseconds, or -1 when the text is none. */
    public static long millis(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return -1;
        }
        long seconds = 0;
        for (int i = 1; i < SECONDS.length; i++) {
            String part = parts.group(i);
            seconds += part == null ? 0 : Long.parseLong(part) * SECONDS[i];
        }
        String fraction = parts.group(8);
        long millis = fraction == null ? 0 : Long.parseLong((fraction + "000").substring(0, 3));
        return seconds * 1000 + millis;
    }
}
