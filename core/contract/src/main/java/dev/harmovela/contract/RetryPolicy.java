package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * How often and when a delivery is tried again (§6).
 *
 * @param maxAttempts deliveries at the most, the first included, at least 1
 * @param backoffMs pause before the second attempt in milliseconds
 * @param multiplier growth of the pause from one attempt to the next, at least 1
 * @param maxBackoffMs longest pause in milliseconds
 * @param ackTimeoutMs how long an acknowledgement is waited for in milliseconds, at least 1
 * @param jitter share of each pause that is left to chance, from 0 (the pause as computed) to 1 (anything below it)
 */
public record RetryPolicy(
        int maxAttempts, long backoffMs, double multiplier, long maxBackoffMs, long ackTimeoutMs, double jitter) {

    public static final RetryPolicy DEFAULT = new RetryPolicy(3, 1000, 2, 30_000, 30_000, 0);

    /** Pause in milliseconds after the {@code n}-th failed attempt, counted from 1. */
    public long delayMs(int n) {
        double delay = backoffMs * Math.pow(multiplier, Math.max(0, n - 1));
        return delay < maxBackoffMs ? (long) delay : maxBackoffMs;
    }

    /**
     * The pause after the {@code n}-th failed attempt, shortened by chance; it never exceeds {@link #delayMs(int)}, so
     * that the longest pause is kept (§6).
     *
     * @param chance from 0 to below 1
     */
    public long delayMs(int n, double chance) {
        long longest = delayMs(n);
        return longest - (long) (longest * jitter * chance);
    }

    /** All members as they stand in {@code retry}. */
    public Json.Obj toJson() {
        return new Partial(maxAttempts, backoffMs, multiplier, maxBackoffMs, ackTimeoutMs, jitter).toJson();
    }

    /** Reads {@code retry{…}}; what is absent, of the wrong type or out of range stays unset. */
    public static Partial parse(Json.Obj retry) {
        Long attempts = positive(retry.integer("max_attempts"), 1);
        Double multiplier = retry.number("backoff_multiplier");
        Double jitter = retry.number("jitter");
        Partial read = new Partial(
                attempts == null ? null : (Integer) (int) Math.min(attempts, Integer.MAX_VALUE),
                positive(retry.integer("backoff_ms"), 0),
                multiplier == null || multiplier < 1 ? null : multiplier,
                positive(retry.integer("max_backoff_ms"), 0),
                positive(retry.integer("ack_timeout_ms"), 1),
                jitter == null || !(jitter >= 0 && jitter <= 1) ? null : jitter);
        return read.equals(Partial.UNSET) ? Partial.UNSET : read;
    }

    private static @Nullable Long positive(@Nullable Long value, long least) {
        return value == null || value < least ? null : value;
    }

    /**
     * A policy with gaps, to be filled from the next one in line: event, subscription, hub.
     *
     * @param maxAttempts see {@link RetryPolicy}; null = unset, as for the others
     */
    public record Partial(
            @Nullable Integer maxAttempts,
            @Nullable Long backoffMs,
            @Nullable Double multiplier,
            @Nullable Long maxBackoffMs,
            @Nullable Long ackTimeoutMs,
            @Nullable Double jitter) {

        public static final Partial UNSET = new Partial(null, null, null, null, null, null);

        public boolean isUnset() {
            return equals(UNSET);
        }

        /** This policy, its gaps filled from {@code next}. */
        public Partial orElse(Partial next) {
            if (isUnset()) {
                return next;
            }
            return new Partial(
                    maxAttempts != null ? maxAttempts : next.maxAttempts,
                    backoffMs != null ? backoffMs : next.backoffMs,
                    multiplier != null ? multiplier : next.multiplier,
                    maxBackoffMs != null ? maxBackoffMs : next.maxBackoffMs,
                    ackTimeoutMs != null ? ackTimeoutMs : next.ackTimeoutMs,
                    jitter != null ? jitter : next.jitter);
        }

        /** This policy, its gaps filled from {@code next}. */
        public RetryPolicy orElse(RetryPolicy next) {
            if (isUnset()) {
                return next;
            }
            return new RetryPolicy(
                    maxAttempts != null ? maxAttempts : next.maxAttempts,
                    backoffMs != null ? backoffMs : next.backoffMs,
                    multiplier != null ? multiplier : next.multiplier,
                    maxBackoffMs != null ? maxBackoffMs : next.maxBackoffMs,
                    ackTimeoutMs != null ? ackTimeoutMs : next.ackTimeoutMs,
                    jitter != null ? jitter : next.jitter);
        }

        /** The members that are set, under their wire names. */
        public Json.Obj toJson() {
            Json.Builder out = Json.Obj.builder();
            out.put("max_attempts", maxAttempts == null ? null : (Long) maxAttempts.longValue());
            out.put("backoff_ms", backoffMs);
            if (multiplier != null) {
                out.put("backoff_multiplier", Numbers.json(multiplier));
            }
            out.put("max_backoff_ms", maxBackoffMs).put("ack_timeout_ms", ackTimeoutMs);
            if (jitter != null) {
                out.put("jitter", Numbers.json(jitter));
            }
            return out.build();
        }

        void write(Out out) {
            out.varint(maxAttempts == null ? 0 : maxAttempts);
            writeLong(out, backoffMs);
            out.f64(multiplier == null ? 0 : multiplier);
            writeLong(out, maxBackoffMs);
            writeLong(out, ackTimeoutMs);
            if (jitter != null) {
                out.f64(jitter);
            }
        }

        private static void writeLong(Out out, @Nullable Long value) {
            out.varint(value == null ? 0 : value + 1);
        }

        /** @param withJitter whether a share of chance was written, which records of old do not have */
        static Partial read(In in, boolean withJitter) {
            int attempts = (int) in.varint();
            Long backoff = readLong(in);
            double multiplier = in.f64();
            return new Partial(
                    attempts == 0 ? null : (Integer) attempts,
                    backoff,
                    multiplier == 0 ? null : (Double) multiplier,
                    readLong(in),
                    readLong(in),
                    withJitter ? (Double) in.f64() : null);
        }

        private static @Nullable Long readLong(In in) {
            long value = in.varint();
            return value == 0 ? null : (Long) (value - 1);
        }
    }
}
