package dev.harmovela.dimension.task;

/**
 * What a task gets that its submission does not say (D31), and the bounds of the task store. Times are milliseconds.
 *
 * @param timeoutMs from submission to {@code task.timed_out}; 0 is no limit
 * @param leaseMs how long a detached owner keeps a task
 * @param minLeaseMs the shortest lease a submission can ask for
 * @param cancelGraceMs how long an owner has to confirm a cancellation
 * @param offlineTargetMs how long a targeted task waits for a detached target when it names no limit of its own
 * @param orphans what becomes of children when their parent fails or times out
 * @param onSessionClosed how a task ends whose owner leaves gracefully
 * @param retention how long and how many ended tasks are kept
 * @param bounds limits on trees and on live tasks
 */
public record TaskPolicy(
        long timeoutMs,
        long leaseMs,
        long minLeaseMs,
        long cancelGraceMs,
        long offlineTargetMs,
        Orphans orphans,
        OnSessionClosed onSessionClosed,
        Retention retention,
        Bounds bounds) {

    /** What becomes of live children when their parent fails or times out. The order is part of the stored form. */
    public enum Orphans {
        CANCEL,
        RUN
    }

    /** What becomes of a task whose owner closes its last session (§11). The order is part of the stored form. */
    public enum OnSessionClosed {
        FAIL,
        CANCEL,
        CONTINUE
    }

    /**
     * How long what is known of an ended task.
     *
     * @param detailMs after its end everything is kept for so long
     * @param keepMs after its end the id and the winner are kept for so long (D12)
     * @param keepCount at most so many ended tasks of a tenant are remembered, the oldest are forgotten first
     */
    public record Retention(long detailMs, long keepMs, int keepCount) {
        public Retention {
            require(detailMs >= 0 && keepMs >= detailMs, "0 <= detailMs <= keepMs");
            require(keepCount >= 1, "keepCount >= 1");
        }
    }

    /**
     * Limits.
     *
     * @param children live children of one task
     * @param depth levels of a tree of tasks, the root being the first; at most {@link #MAX_DEPTH}
     * @param live live tasks of one tenant
     */
    public record Bounds(int children, int depth, int live) {

        /** A frame has room for one event on each level of a tree. */
        public static final int MAX_DEPTH = 64;

        public Bounds {
            require(children >= 1 && live >= 1, "children and live >= 1");
            require(depth >= 1 && depth <= MAX_DEPTH, "1 <= depth <= " + MAX_DEPTH);
        }
    }

    /**
     * Lease 60 s, cancel grace 30 s, offline target 60 s, orphans cancelled, closed session fails the task (D31,
     * D44).
     */
    public static final TaskPolicy DEFAULTS = new TaskPolicy(
            0,
            60_000,
            1_000,
            30_000,
            60_000,
            Orphans.CANCEL,
            OnSessionClosed.FAIL,
            new Retention(3_600_000, 7 * 86_400_000L, 1_000_000),
            new Bounds(10_000, 32, 1_000_000));

    public TaskPolicy {
        require(timeoutMs >= 0 && cancelGraceMs >= 0, "timeoutMs and cancelGraceMs >= 0");
        require(minLeaseMs >= 1 && leaseMs >= minLeaseMs, "1 <= minLeaseMs <= leaseMs");
        require(offlineTargetMs >= 1, "offlineTargetMs >= 1");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException("task policy: " + what);
        }
    }

    /** This policy with another lease. */
    public TaskPolicy withLeaseMs(long millis) {
        return new TaskPolicy(
                timeoutMs,
                millis,
                Math.min(minLeaseMs, millis),
                cancelGraceMs,
                offlineTargetMs,
                orphans,
                onSessionClosed,
                retention,
                bounds);
    }

    /** This policy with another time to confirm a cancellation. */
    public TaskPolicy withCancelGraceMs(long millis) {
        return new TaskPolicy(
                timeoutMs, leaseMs, minLeaseMs, millis, offlineTargetMs, orphans, onSessionClosed, retention, bounds);
    }

    /** This policy with another fate for orphans. */
    public TaskPolicy withOrphans(Orphans fate) {
        return new TaskPolicy(
                timeoutMs,
                leaseMs,
                minLeaseMs,
                cancelGraceMs,
                offlineTargetMs,
                fate,
                onSessionClosed,
                retention,
                bounds);
    }

    /** This policy with another end for tasks of closed sessions. */
    public TaskPolicy withOnSessionClosed(OnSessionClosed end) {
        return new TaskPolicy(
                timeoutMs, leaseMs, minLeaseMs, cancelGraceMs, offlineTargetMs, orphans, end, retention, bounds);
    }

    /** This policy with another retention. */
    public TaskPolicy withRetention(Retention kept) {
        return new TaskPolicy(
                timeoutMs, leaseMs, minLeaseMs, cancelGraceMs, offlineTargetMs, orphans, onSessionClosed, kept, bounds);
    }

    /** This policy with other bounds. */
    public TaskPolicy withBounds(Bounds limits) {
        return new TaskPolicy(
                timeoutMs,
                leaseMs,
                minLeaseMs,
                cancelGraceMs,
                offlineTargetMs,
                orphans,
                onSessionClosed,
                retention,
                limits);
    }
}
