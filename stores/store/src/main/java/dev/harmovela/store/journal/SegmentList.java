package dev.harmovela.store.journal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The segments of a log, oldest first. Changed by one thread at a time, read by any. */
final class SegmentList {

    private volatile List<Segment> segments;

    SegmentList(List<Segment> segments) {
        this.segments = List.copyOf(segments);
    }

    List<Segment> all() {
        return segments;
    }

    Segment first() {
        return segments.getFirst();
    }

    synchronized void add(Segment segment) {
        List<Segment> more = new ArrayList<>(segments);
        more.add(segment);
        segments = List.copyOf(more);
    }

    synchronized void removeFirst() {
        segments = List.copyOf(segments.subList(1, segments.size()));
    }

    /** The segment that holds {@code lsn} if anything does; the oldest one when it lies before all. */
    Segment covering(long lsn) {
        List<Segment> now = segments;
        int low = 0;
        for (int high = now.size() - 1; low < high; ) {
            int middle = (low + high + 1) >>> 1;
            if (now.get(middle).firstLsn() <= lsn) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return now.get(low);
    }

    /**
     * The oldest segment if a newer one begins at or before {@code lsn}, so that all its frames lie below; else null.
     */
    @Nullable Segment whollyBelow(long lsn) {
        List<Segment> now = segments;
        return now.size() > 1 && now.get(1).firstLsn() <= lsn ? now.getFirst() : null;
    }
}
