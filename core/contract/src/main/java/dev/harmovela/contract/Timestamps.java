package dev.harmovela.contract;

import java.nio.charset.StandardCharsets;

/** RFC 3339 instants and epoch milliseconds, without the general date library. */
public final class Timestamps {

    /** What {@link #parse} answers for a text that is no instant. */
    public static final long INVALID = Long.MIN_VALUE;

    private static final long DAY_MS = 86_400_000L;

    private Timestamps() {}

    /**
     * Epoch milliseconds of an RFC 3339 instant with offset, or {@link #INVALID}. Parts of a millisecond are cut off.
     */
    public static long parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return parse(bytes, 0, bytes.length);
    }

    /** As {@link #parse(String)}; second 60 is taken for the first of the next minute. */
    public static long parse(byte[] b, int from, int to) {
        if (to - from < 20 || b[from + 4] != '-' || b[from + 7] != '-' || (b[from + 10] | 0x20) != 't') {
            return INVALID;
        }
        if (b[from + 13] != ':' || b[from + 16] != ':') {
            return INVALID;
        }
        int year = digits(b, from, 4);
        int month = digits(b, from + 5, 2);
        int day = digits(b, from + 8, 2);
        int hour = digits(b, from + 11, 2);
        int minute = digits(b, from + 14, 2);
        int second = digits(b, from + 17, 2);
        if ((year | month | day | hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 60) {
            return INVALID;
        }
        if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
            return INVALID;
        }
        long millis = daysBefore(year, month, day) * DAY_MS + hour * 3_600_000L + minute * 60_000L + second * 1000L;
        return zoned(b, from + 19, to, millis);
    }

    private static long zoned(byte[] b, int from, int to, long millis) {
        int p = from;
        long sum = millis;
        if (b[p] == '.') {
            int scale = 100;
            int first = ++p;
            while (p < to && b[p] >= '0' && b[p] <= '9') {
                sum += (b[p] - '0') * (long) scale;
                scale /= 10;
                p++;
            }
            if (p == first) {
                return INVALID;
            }
        }
        if (p == to - 1) {
            return (b[p] | 0x20) == 'z' ? sum : INVALID;
        }
        if (p != to - 6 || b[p + 3] != ':' || (b[p] != '+' && b[p] != '-')) {
            return INVALID;
        }
        int hours = digits(b, p + 1, 2);
        int minutes = digits(b, p + 4, 2);
        if ((hours | minutes) < 0 || hours > 23 || minutes > 59) {
            return INVALID;
        }
        long offset = hours * 3_600_000L + minutes * 60_000L;
        return b[p] == '+' ? sum - offset : sum + offset;
    }

    private static int digits(byte[] b, int at, int count) {
        int value = 0;
        for (int i = at; i < at + count; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static int daysIn(int year, int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    /** Days since 1970-01-01, counting years from March so that the leap day is the last. */
    private static long daysBefore(int year, int month, int day) {
        int y = month > 2 ? year : year - 1;
        int era = Math.floorDiv(y, 400);
        int yearOfEra = y - era * 400;
        int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097L + dayOfEra - 719_468L;
    }

    /** {@code 2026-07-10T10:00:00.000Z} for epoch milliseconds of the years 0 to 9999. */
    public static String format(long epochMillis) {
        long days = Math.floorDiv(epochMillis, DAY_MS);
        int inDay = (int) Math.floorMod(epochMillis, DAY_MS);
        long z = days + 719_468L;
        long era = Math.floorDiv(z, 146_097L);
        int dayOfEra = (int) (z - era * 146_097L);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int shifted = (5 * dayOfYear + 2) / 153;
        int month = shifted < 10 ? shifted + 3 : shifted - 9;
        int year = (int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0);
        if (year < 0 || year > 9999) {
            throw new IllegalArgumentException("year out of 0..9999: " + year);
        }
        byte[] text = "0000-00-00T00:00:00.000Z".getBytes(StandardCharsets.US_ASCII);
        put(text, 0, 4, year);
        put(text, 5, 2, month);
        put(text, 8, 2, dayOfYear - (153 * shifted + 2) / 5 + 1);
        put(text, 11, 2, inDay / 3_600_000);
        put(text, 14, 2, inDay / 60_000 % 60);
        put(text, 17, 2, inDay / 1000 % 60);
        put(text, 20, 3, inDay % 1000);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static void put(byte[] text, int at, int count, int value) {
        int rest = value;
        for (int i = at + count - 1; i >= at; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
