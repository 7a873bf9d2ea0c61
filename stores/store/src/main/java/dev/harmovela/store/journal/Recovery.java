package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings a directory into the state from which a journal goes on.
 *
 * <p>A crash may tear the last batch only, because each batch is written after the force of the one before. So a
 * damaged frame is a torn tail exactly when it lies in the last segment and no valid frame of a later batch follows;
 * anything else is damage to bytes that had been promised. What is kept of the last segment is written again and
 * forced before it is served: after the death of the process alone it may exist in the page cache and nowhere else.
 */
final class Recovery {

    /**
     * The log as it goes on.
     *
     * @param segments all segments, the last one open
     * @param file the open segment
     * @param position offset of the next frame in it
     * @param lastLsn last position of the log
     * @param lastBatch number of the last batch
     * @param epoch number of this opening
     * @param cutBytes bytes of the torn tail that were given up, 0 after a clean stop
     */
    record Recovered(
            List<Segment> segments,
            DiskFile file,
            long position,
            long lastLsn,
            long lastBatch,
            int epoch,
            long cutBytes) {

        Segment open() {
            return segments.getLast();
        }
    }

    private final Disk disk;
    private final JournalOptions options;

    Recovery(Disk disk, JournalOptions options) {
        this.disk = disk;
        this.options = options;
    }

    Recovered run() throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : disk.list()) {
            if (name.endsWith(Segment.TEMPORARY_SUFFIX)) {
                disk.delete(name);
                disk.forceDirectory();
            } else if (name.endsWith(Segment.SUFFIX)) {
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            return begin();
        }
        List<SegmentScan> scans = new ArrayList<>();
        for (String name : names) {
            SegmentScan scan = SegmentScan.of(disk, name);
            checkBelongs(scan.segment(), name);
            if (!scans.isEmpty()) {
                checkFollows(scans.getLast(), scan);
            }
            scans.add(scan);
        }
        return goOn(scans);
    }

    private Recovered begin() throws IOException {
        for (String name : disk.list()) {
            if (name.endsWith(FileSnapshots.SUFFIX)) {
                throw new JournalIncompatible(name, "it is a snapshot of a log whose segments are missing");
            }
        }
        Spares.Spare spare = Spares.allocate(disk, "first", options.segmentBytes());
        SegmentHeader header =
                new SegmentHeader(options.random().getAsLong(), options.random().getAsLong(), options.shard(), 1, 1);
        Segment segment = SegmentFiles.activate(disk, spare, header);
        return new Recovered(List.of(segment), spare.file(), SegmentHeader.BYTES, 0, 0, 1, 0);
    }

    private void checkBelongs(Segment segment, String name) throws IOException {
        if (!segment.name().equals(name)) {
            throw new JournalIncompatible(name, "its header belongs to " + segment.name());
        }
        if (segment.header().shard() != options.shard()) {
            throw new JournalIncompatible(
                    name, "it belongs to shard " + segment.header().shard() + ", not " + options.shard());
        }
    }

    private static void checkFollows(SegmentScan sealed, SegmentScan next) throws IOException {
        String name = sealed.segment().name();
        if (!sealed.blank()) {
            throw new JournalCorrupt(name, sealed.end(), sealed.reason());
        }
        if (sealed.lastLsn() + 1 != next.segment().firstLsn()) {
            throw new JournalCorrupt(
                    name,
                    sealed.end(),
                    "it ends with position " + sealed.lastLsn() + ", but "
                            + next.segment().name() + " follows");
        }
        if (sealed.segment().header().directoryId() != next.segment().header().directoryId()) {
            throw new JournalIncompatible(next.segment().name(), "it comes from another data directory than " + name);
        }
    }

    private Recovered goOn(List<SegmentScan> scans) throws IOException {
        SegmentScan last = scans.getLast();
        Segment old = last.segment();
        long cut = tornBytes(last);
        int epoch = 1 + scans.stream().mapToInt(SegmentScan::epoch).max().orElse(0);
        long batch = last.lastBatch() + 1;
        Spares.Spare fresh = rewrite(last, batch, epoch);
        List<Segment> segments = new ArrayList<>();
        for (SegmentScan scan : scans.subList(0, scans.size() - 1)) {
            scan.segment().seal();
            segments.add(scan.segment());
        }
        old.resize(fresh.bytes());
        old.use(last.end() + FrameFormat.HEADER);
        segments.add(old);
        return new Recovered(
                segments, fresh.file(), last.end() + FrameFormat.HEADER, last.lastLsn(), batch, epoch, cut);
    }

    private long tornBytes(SegmentScan last) throws IOException {
        try (DiskFile file = disk.open(last.segment().name())) {
            long later = last.laterBatch(file);
            if (later >= 0) {
                throw new JournalCorrupt(
                        last.segment().name(),
                        last.end(),
                        last.reason() + ", yet a later batch stands at offset " + later);
            }
            return last.tornBytes();
        }
    }

    /** Writes what is kept and a mark of the new epoch to a fresh file, or over itself when the disk is full. */
    private Spares.Spare rewrite(SegmentScan last, long batch, int epoch) throws IOException {
        Segment old = last.segment();
        long needed = last.end() + 2 * FrameFormat.HEADER;
        long bytes = Math.max(options.segmentBytes(), (needed + SegmentHeader.BYTES - 1) & -SegmentHeader.BYTES);
        ByteBuffer mark = SegmentFiles.mark(new FrameFormat.Stamp(epoch), last.lastLsn() + 1, batch, old, last.end());
        DiskFile source = disk.open(old.name());
        Spares.Spare fresh;
        try {
            fresh = Spares.allocate(disk, "rewrite", bytes);
        } catch (Spares.NoRoom e) {
            return rewriteInPlace(last, source, mark);
        }
        try (source) {
            SegmentFiles.copy(source, fresh.file(), 0, last.end());
        }
        fresh.file().write(last.end(), mark);
        fresh.file().force();
        disk.rename(fresh.name(), old.name());
        disk.forceDirectory();
        return fresh;
    }

    /** The directory is forced too: a segment begun just before the crash may have its name in the cache only. */
    private Spares.Spare rewriteInPlace(SegmentScan last, DiskFile file, ByteBuffer mark) throws IOException {
        long bytes = Math.max(last.segment().fileBytes(), last.end() + mark.remaining());
        SegmentFiles.copy(file, file, 0, last.end());
        SegmentFiles.blank(file, last.end(), bytes);
        file.force();
        file.write(last.end(), mark);
        file.force();
        disk.forceDirectory();
        return new Spares.Spare(last.segment().name(), file, bytes);
    }
}
