package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.FrameVisitor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Keeps the log answerable: chains the hash of every finished segment, and keeps the headers of those that leave the
 * log. Works behind the traffic; thread-safe.
 */
final class AuditTrail {

    private final Disk disk;
    private final SegmentList segments;
    private final Chain chain;
    private final Archive archive;

    AuditTrail(Disk disk, FrameKeys frames, SegmentList segments) throws IOException {
        this.disk = disk;
        this.segments = segments;
        this.chain = Chain.open(disk);
        this.archive = new Archive(disk, frames, chain);
    }

    /** Chains every finished segment that the chain does not know yet, oldest first. */
    synchronized void seal() throws IOException {
        long known = chain.sealedLsn();
        List<Segment> all = segments.all();
        for (int i = 0; i + 1 < all.size(); i++) {
            Segment segment = all.get(i);
            long last = all.get(i + 1).firstLsn() - 1;
            if (last > known && segment.sealed()) {
                FileHash hash = FileHash.of(disk, segment.name(), segment.fileBytes());
                keepBlocks(segment, hash);
                chain.add(Chain.Kind.SEALED, segment.firstLsn(), last, hash.bytes(), hash.whole());
            }
        }
    }

    /** Like {@link #seal()}, but never in the way of what makes room. */
    void sealIfRoom() {
        try {
            seal();
        } catch (IOException full) {
            // verifying tells what the chain does not know
        }
    }

    /** Without room for them a difference is told by its file only. */
    private void keepBlocks(Segment segment, FileHash hash) {
        try {
            SegmentFiles.replace(disk, segment.hashName(), ByteBuffer.wrap(hash.blocks()));
        } catch (IOException noRoom) {
            // the chain holds the hash of the whole file
        }
    }

    /**
     * Keeps what the audit needs of a segment that is about to be deleted. Without room for that the chain says that
     * it was dropped: deleting is what makes room. May be repeated after a crash.
     */
    synchronized void letGo(Segment segment) {
        long first = segment.firstLsn();
        if (chain.has(Chain.Kind.ARCHIVED, first) || chain.has(Chain.Kind.DROPPED, first)) {
            return;
        }
        long last = segments.first().firstLsn() - 1;
        for (Chain.Line line : chain.lines()) {
            last = line.kind() == Chain.Kind.SEALED && line.firstLsn() == first ? line.lastLsn() : last;
        }
        try {
            FileHash kept = archive.add(segment, last);
            chain.add(Chain.Kind.ARCHIVED, first, last, kept.bytes(), kept.whole());
        } catch (IOException noRoom) {
            dropped(first, last);
        }
    }

    private void dropped(long first, long last) {
        try {
            chain.add(Chain.Kind.DROPPED, first, last, 0, new byte[FileHash.SIZE]);
        } catch (IOException full) {
            // a chain without room: verifying tells that the segment is missing
        }
    }

    /** Visits what is kept from {@code from} up to {@code to}; false when the visitor had enough. */
    boolean read(long from, long to, FrameVisitor visitor) throws IOException {
        return archive.read(from, to, visitor);
    }

    /** Oldest position of archive and log. */
    long firstLsn() {
        long first = segments.first().firstLsn();
        return Math.min(first, archive.firstLsn(first));
    }

    /** Lets go of archive files below {@code lsn}, and of the oldest as long as they hold more than that. */
    synchronized void drop(long lsn, long mostBytes) throws IOException {
        boolean dropped = true;
        while (dropped) {
            dropped = archive.dropOldest(archive.bytes() > mostBytes ? Long.MAX_VALUE : lsn, chain) > 0;
        }
    }
}
