package dev.harmovela.contract;

import java.util.SplittableRandom;

/**
 * Ids that rise: milliseconds, then a random number chosen at the start and counted up. Equal arguments give equal
 * ids. Not thread-safe.
 */
public final class MonotonicIds implements Ids {

    private static final byte[] ALPHABET =
            "0123456789ABCDEFGHJKMNPQRSTVWXYZ".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    private static final int ULID_LENGTH = 26;

    private long millis;
    private int high;
    private long low;

    /**
     * @param startMillis clock value of the first id, epoch milliseconds
     * @param seed chooses where counting starts
     */
    public MonotonicIds(long startMillis, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        millis = startMillis;
        high = random.nextInt(1 << 15);
        low = random.nextLong();
    }

    /** Later ids carry this clock value; one that falls is ignored. */
    public void advance(long nowMillis) {
        millis = Math.max(millis, nowMillis);
    }

    @Override
    public String next(String prefix) {
        low++;
        if (low == 0) {
            high++;
        }
        int length = prefix.length();
        byte[] text = new byte[length + 1 + ULID_LENGTH];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) prefix.charAt(i);
        }
        text[length] = '_';
        digits(text, length + 1, 10, millis);
        // 80 bits: 16 in high, 64 in low; the fourth digit takes its bits from both.
        digits(text, length + 11, 3, high >>> 1);
        digits(text, length + 14, 1, (high & 1) << 4 | low >>> 60);
        digits(text, length + 15, 12, low & 0x0FFF_FFFF_FFFF_FFFFL);
        return new String(text, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static void digits(byte[] text, int at, int count, long value) {
        long rest = value;
        for (int i = at + count - 1; i >= at; i--) {
            text[i] = ALPHABET[(int) (rest & 31)];
            rest >>>= 5;
        }
    }
}
