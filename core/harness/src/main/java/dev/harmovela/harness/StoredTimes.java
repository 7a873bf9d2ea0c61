package dev.harmovela.harness;

/**
 * When log positions were stored: exact for the newest few thousand frames, and for older ones to within about half
 * a per cent of their age.
 *
 * <p>Level 0 keeps every frame. Each further level keeps one frame in twice the time of the level before, so that a
 * fixed number of entries reaches as far back as anybody can wait. Volatile; one owner, not thread-safe.
 */
final class StoredTimes {

    private static final int LEVELS = 30;
    private static final int NEWEST = 4096;
    private static final int PER_LEVEL = 512;
    private static final long FINEST_NANOS = 16_000;

    private final Level[] levels = new Level[LEVELS];

    StoredTimes() {
        for (int i = 0; i < LEVELS; i++) {
            levels[i] = new Level(i == 0 ? NEWEST : PER_LEVEL);
        }
    }

    /** The newest entries of one level, ascending, in a ring that grows up to its bound. */
    private static final class Level {
        private final int most;
        private long[] lsns = new long[16];
        private long[] nanos = new long[16];
        private int first;
        private int count;

        Level(int most) {
            this.most = most;
        }

        private int slot(int index) {
            return (first + index) & (lsns.length - 1);
        }

        long newestNanos() {
            return count == 0 ? Long.MIN_VALUE : nanos[slot(count - 1)];
        }

        boolean reaches(long lsn) {
            return count > 0 && lsns[slot(0)] <= lsn;
        }

        void add(long lsn, long at) {
            if (count == lsns.length && count < most) {
                grow();
            }
            if (count == lsns.length) {
                first = slot(1);
                count--;
            }
            lsns[slot(count)] = lsn;
            nanos[slot(count)] = at;
            count++;
        }

        private void grow() {
            int length = lsns.length;
            long[] moreLsns = new long[length * 2];
            long[] moreNanos = new long[length * 2];
            for (int i = 0; i < count; i++) {
                moreLsns[i] = lsns[slot(i)];
                moreNanos[i] = nanos[slot(i)];
            }
            lsns = moreLsns;
            nanos = moreNanos;
            first = 0;
        }

        /** Time of the first entry at or behind {@code lsn}, of the newest one when there is none. */
        long at(long lsn) {
            int low = 0;
            int high = count - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (lsns[slot(middle)] < lsn) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return nanos[slot(low)];
        }
    }

    /** A frame that ends at {@code lsn} was stored at {@code epochNanos}; both never fall. */
    void mark(long lsn, long epochNanos) {
        long at = Math.max(epochNanos, levels[0].newestNanos());
        levels[0].add(lsn, at);
        for (int i = 1; i < LEVELS; i++) {
            long newest = levels[i].newestNanos();
            if (newest != Long.MIN_VALUE && at - newest < FINEST_NANOS << i) {
                return;
            }
            levels[i].add(lsn, at);
        }
    }

    /**
     * Epoch nanoseconds at which a position was stored; for one from before everything marked the oldest time that
     * is known, and {@link Long#MIN_VALUE} when nothing is.
     */
    long at(long lsn) {
        for (Level level : levels) {
            if (level.reaches(lsn)) {
                return level.at(lsn);
            }
        }
        Level oldest = levels[LEVELS - 1];
        return oldest.count == 0 ? Long.MIN_VALUE : oldest.nanos[oldest.slot(0)];
    }
}
