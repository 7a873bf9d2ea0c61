package dev.harmovela.harness;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the log stood now and then: when a position was reached, and how many bytes lay before it. What lies between
 * two marks is taken as even, so that the bytes behind a position cost nothing per event. Bounded; single owner.
 */
final class LogMarks {

    private static final long EVERY_EVENTS = 4096;
    private static final long EVERY_BYTES = 256 << 10;
    private static final long EVERY_MILLIS = 10_000;
    private static final int MOST = 16_384;

    private record Mark(long time, long bytes) {}

    private final TreeMap<Long, Mark> byLsn = new TreeMap<>();
    private long lastLsn;
    private long bytes;
    private long markedLsn;
    private Mark marked = new Mark(0, 0);

    /**
     * Begins a run: what an earlier one wrote counts as even and as reached now.
     *
     * @param firstLsn oldest position held
     * @param lastLsn position of the last record
     * @param sizeBytes what the log holds
     */
    void begin(long firstLsn, long lastLsn, long sizeBytes, long now) {
        byLsn.clear();
        this.lastLsn = lastLsn;
        bytes = lastLsn < firstLsn ? 0 : sizeBytes;
        byLsn.put(Math.max(0, firstLsn - 1), new Mark(now, 0));
        mark(now);
    }

    /** A frame that ends at {@code lsn} was appended. */
    void appended(long lsn, int length, long now) {
        lastLsn = lsn;
        bytes += length;
        if (lsn - markedLsn >= EVERY_EVENTS || bytes - marked.bytes() >= EVERY_BYTES) {
            mark(now);
        } else {
            pass(now);
        }
    }

    /** Time goes on, with or without a frame. */
    void pass(long now) {
        if (lastLsn > markedLsn && now - marked.time() >= EVERY_MILLIS) {
            mark(now);
        }
    }

    private void mark(long now) {
        marked = new Mark(now, bytes);
        markedLsn = lastLsn;
        byLsn.put(markedLsn, marked);
        if (byLsn.size() > MOST) {
            thin();
        }
    }

    /** Every other one goes; times and bytes become coarser, never wrong by more than what lies between two. */
    private void thin() {
        Iterator<Long> each = byLsn.keySet().iterator();
        for (int i = 0; each.hasNext(); i++) {
            each.next();
            if (i % 2 == 1 && each.hasNext()) {
                each.remove();
            }
        }
    }

    /** Bytes of the log behind a position. */
    long bytesBehind(long lsn) {
        return bytes - bytesUpTo(lsn);
    }

    private long bytesUpTo(long lsn) {
        Map.Entry<Long, Mark> before = byLsn.floorEntry(lsn);
        if (before == null) {
            return 0;
        }
        Map.Entry<Long, Mark> after = byLsn.higherEntry(lsn);
        long toLsn = after == null ? lastLsn : after.getKey();
        long toBytes = after == null ? bytes : after.getValue().bytes();
        return between(lsn, before.getKey(), before.getValue().bytes(), toLsn, toBytes);
    }

    /** The value at {@code x} on the line from (x0, y0) to (x1, y1). */
    private static long between(long x, long x0, long y0, long x1, long y1) {
        return x1 <= x0 ? y1 : y0 + (long) ((double) (y1 - y0) * (x - x0) / (x1 - x0));
    }

    /** First position behind which no more than {@code most} bytes lie. */
    long keepsBytes(long most) {
        long wanted = bytes - most;
        if (wanted <= 0) {
            return 0;
        }
        long fromLsn = 0;
        long fromBytes = 0;
        for (Map.Entry<Long, Mark> mark : byLsn.entrySet()) {
            if (mark.getValue().bytes() >= wanted) {
                return 1 + between(wanted, fromBytes, fromLsn, mark.getValue().bytes(), mark.getKey());
            }
            fromLsn = mark.getKey();
            fromBytes = mark.getValue().bytes();
        }
        return 1 + between(wanted, fromBytes, fromLsn, bytes, lastLsn);
    }

    /** How long ago what follows a position was written, as far as that is known; 0 when nothing follows. */
    long ageBehind(long lsn, long now) {
        Map.Entry<Long, Mark> next = byLsn.higherEntry(lsn);
        return next == null ? 0 : Math.max(0, now - next.getValue().time());
    }

    /** Last position known to be written before a time, 0 when none is. */
    long lastBefore(long time) {
        long last = 0;
        for (Map.Entry<Long, Mark> mark : byLsn.entrySet()) {
            if (mark.getValue().time() >= time) {
                break;
            }
            last = mark.getKey();
        }
        return last;
    }

    /** Forgets what lies before a position. */
    void forget(long lsn) {
        Long kept = byLsn.floorKey(lsn);
        if (kept != null) {
            byLsn.headMap(kept, false).clear();
        }
    }
}
