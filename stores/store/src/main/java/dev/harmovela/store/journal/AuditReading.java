package dev.harmovela.store.journal;

import dev.harmovela.spi.FrameVisitor;
import java.nio.ByteBuffer;

/** One walk over archive and log, which goes back to the archive when the log was trimmed under its feet. */
final class AuditReading {

    private final FrameVisitor visitor;
    private long next;
    private boolean more = true;

    AuditReading(long from, FrameVisitor visitor) {
        this.next = from;
        this.visitor = visitor;
    }

    boolean wantsMore() {
        return more;
    }

    long next() {
        return next;
    }

    /** What lies before {@code lsn} and was not there is gone for good. */
    void skipTo(long lsn) {
        next = Math.max(next, lsn);
    }

    boolean kept(long firstLsn, int lsnCount, ByteBuffer body) {
        next = firstLsn + lsnCount;
        more = visitor.frame(firstLsn, lsnCount, body);
        return more;
    }

    /** The log is read now, to its end unless something is missing. */
    void beginLog() {
        more = false;
    }

    boolean logged(long firstLsn, int lsnCount, ByteBuffer body) {
        if (firstLsn > next) {
            more = true;
            return false;
        }
        next = firstLsn + lsnCount;
        return visitor.frame(firstLsn, lsnCount, body);
    }
}
