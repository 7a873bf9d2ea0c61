package dev.harmovela.transport.http;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Counts connections and how fast they come. On the loop only. */
final class Admission {

    /** What to do with a new connection. */
    enum Verdict {
        /** Serve it. */
        TAKE,
        /** Hear its first request and answer 503. */
        ANSWER_BUSY,
        /** Close it: even saying no costs too much now. */
        DROP
    }

    private static final int SHORTEST_RETRY_SECONDS = 1;
    private static final int LONGEST_RETRY_SECONDS = 15;
    private static final int SHORTEST_STREAM_RETRY_MILLIS = 1_000;
    private static final int LONGEST_STREAM_RETRY_MILLIS = 5_000;

    private final HttpLimits limits;
    private double tokens;
    private long refilledAt;
    private int open;

    Admission(HttpLimits limits, long nanoTime) {
        this.limits = limits;
        this.tokens = limits.acceptBurst();
        this.refilledAt = nanoTime;
    }

    /** A connection came; {@link #left()} must follow whatever the verdict. */
    Verdict arrived(long nanoTime) {
        open++;
        double seconds = (nanoTime - refilledAt) / (double) TimeUnit.SECONDS.toNanos(1);
        tokens = Math.min(limits.acceptBurst(), tokens + seconds * limits.acceptsPerSecond());
        refilledAt = nanoTime;
        if (open > limits.maxConnections() + limits.maxConnections() / 4 + 16) {
            return Verdict.DROP;
        }
        if (open > limits.maxConnections() || tokens < 1) {
            return Verdict.ANSWER_BUSY;
        }
        tokens--;
        return Verdict.TAKE;
    }

    void left() {
        open--;
    }

    int open() {
        return open;
    }

    /**
     * Seconds for {@code Retry-After}, different for everybody, so that those who were sent away do not return
     * together.
     */
    static int retryAfterSeconds() {
        return ThreadLocalRandom.current().nextInt(SHORTEST_RETRY_SECONDS, LONGEST_RETRY_SECONDS + 1);
    }

    /** Milliseconds for the {@code retry:} line of a stream, different for everybody. */
    static int streamRetryMillis() {
        return ThreadLocalRandom.current().nextInt(SHORTEST_STREAM_RETRY_MILLIS, LONGEST_STREAM_RETRY_MILLIS + 1);
    }
}
