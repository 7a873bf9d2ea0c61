package dev.harmovela.client;

import java.util.random.RandomGenerator;

/**
 * How long to wait before the n-th attempt to come back: anything between nothing and a bound that doubles up to a
 * cap. The random share is taken after the cap and from the first attempt on, so that clients of one hub never
 * return in step (TRN-06).
 *
 * @param firstMillis bound of the first wait in milliseconds
 * @param capMillis highest bound in milliseconds
 */
public record Backoff(long firstMillis, long capMillis) {

    /** Half a second at first, half a minute at the most. */
    public static final Backoff DEFAULT = new Backoff(500, 30_000);

    /** Refuses bounds that are not positive or stand the wrong way round. */
    public Backoff {
        if (firstMillis < 1 || capMillis < firstMillis) {
            throw new IllegalArgumentException("1 <= first <= cap");
        }
    }

    /** The upper bound of the wait before attempt {@code attempt}, counted from 0. */
    public long boundMillis(int attempt) {
        long bound = firstMillis;
        for (int i = 0; i < attempt && bound < capMillis; i++) {
            bound *= 2;
        }
        return Math.min(bound, capMillis);
    }

    /** The wait before attempt {@code attempt}, counted from 0. */
    public long delayMillis(int attempt, RandomGenerator random) {
        return random.nextLong(boundMillis(attempt) + 1);
    }
}
