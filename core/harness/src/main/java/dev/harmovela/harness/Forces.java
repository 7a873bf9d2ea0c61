package dev.harmovela.harness;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long the log takes to make durable what it was given: from the end of an input batch until its owner hears of
 * the force.
 *
 * <p>One commit is followed at a time; those that come meanwhile ride along. Used by the owner, except {@link
 * #waitingSince}.
 */
final class Forces {

    private static final long NOTHING = Long.MAX_VALUE;
    private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);
    private static final int DIGITS = 2;

    private final Histogram micros = new Histogram(1, LONGEST_MICROS, DIGITS);
    private long lsn;
    private volatile long sinceNanos = NOTHING;

    /** The log was asked to force everything up to {@code lastLsn}. */
    void asked(long lastLsn, long epochNanos) {
        if (sinceNanos == NOTHING) {
            lsn = lastLsn;
            sinceNanos = epochNanos;
        }
    }

    boolean isFollowing() {
        return sinceNanos != NOTHING;
    }

    void durable(long durableLsn, long epochNanos) {
        if (durableLsn >= lsn) {
            long took = TimeUnit.NANOSECONDS.toMicros(epochNanos - sinceNanos);
            micros.recordValue(Math.clamp(took, 0, LONGEST_MICROS));
            sinceNanos = NOTHING;
        }
    }

    /**
     * Epoch milliseconds since which a commit has not become durable, {@link Long#MAX_VALUE} when none waits. Any
     * thread.
     */
    long waitingSince() {
        long since = sinceNanos;
        return since == NOTHING ? NOTHING : TimeUnit.NANOSECONDS.toMillis(since);
    }

    HubFigures.Times times() {
        return Latencies.times(micros);
    }
}
