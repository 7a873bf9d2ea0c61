package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a walk over all frames of a segment found. */
final class SegmentScan {

    private static final int CHUNK = 1 << 20;

    private final Segment segment;
    private long frames;
    private long lastLsn;
    private long lastBatch;
    private int epoch;
    private boolean batchEnded = true;
    private boolean marked;
    private boolean blank;
    private long end = SegmentHeader.BYTES;
    private long written;
    private String reason = "";

    private SegmentScan(Segment segment) {
        this.segment = segment;
        this.lastLsn = segment.firstLsn() - 1;
        this.lastBatch = segment.header().firstBatch() - 1;
    }

    static SegmentScan of(Disk disk, String name) throws IOException {
        try (DiskFile file = disk.open(name)) {
            SegmentScan scan = new SegmentScan(new Segment(SegmentHeader.read(name, file), file.size()));
            scan.walk(new FrameReader(file, scan.salt(), SegmentHeader.BYTES, file.size(), CHUNK));
            return scan;
        }
    }

    private void walk(FrameReader reader) throws IOException {
        FrameReader.Status status = reader.next();
        while (status == FrameReader.Status.FRAME) {
            if (reader.firstLsn() != lastLsn + 1 || reader.lsnCount() < 0 || reader.batch() < lastBatch) {
                reason = "position " + reader.firstLsn() + " of batch " + reader.batch() + " follows position "
                        + lastLsn + " of batch " + lastBatch;
                return;
            }
            marked = reader.lsnCount() == 0;
            if (!marked) {
                segment.note(reader.firstLsn(), reader.offset());
                frames++;
            }
            lastLsn += reader.lsnCount();
            lastBatch = reader.batch();
            batchEnded = reader.lastOfBatch();
            epoch = Math.max(epoch, reader.epoch());
            end = reader.nextOffset();
            segment.use(end);
            status = reader.next();
        }
        blank = status == FrameReader.Status.END;
        reason = blank ? "nothing was written here" : "this is not a valid frame";
    }

    /**
     * Looks behind the last valid frame for one that can only have been written after what is missing had been forced.
     *
     * @return its offset, or -1 when what follows is a torn tail
     */
    long laterBatch(DiskFile file) throws IOException {
        written = end;
        long torn = batchEnded ? lastBatch + 1 : lastBatch;
        int size = Math.clamp(segment.fileBytes() - end, FrameFormat.HEADER, CHUNK);
        ByteBuffer window = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        for (long base = end; base + FrameFormat.HEADER <= segment.fileBytes(); ) {
            window.clear();
            while (window.hasRemaining() && file.read(base + window.position(), window) > 0) {
                // a read may return less than was asked for
            }
            int last = window.position() - FrameFormat.HEADER;
            if (last < 0) {
                break;
            }
            for (int at = 0; at <= last; at += FrameFormat.ALIGNMENT) {
                if (window.getLong(at) == 0) {
                    continue;
                }
                written = base + at + FrameFormat.ALIGNMENT;
                if (window.getInt(at + FrameFormat.MAGIC_AT) == FrameFormat.MAGIC
                        && FrameFormat.sealed(window, at, salt(), base + at)
                        && window.getLong(at + FrameFormat.BATCH_AT) > torn
                        && isFrame(file, base + at)) {
                    return base + at;
                }
            }
            base += (last & -FrameFormat.ALIGNMENT) + FrameFormat.ALIGNMENT;
        }
        return -1;
    }

    /** Bytes behind the last valid frame up to the last one that is not zero; known after {@link #laterBatch}. */
    long tornBytes() {
        return written - end;
    }

    private boolean isFrame(DiskFile file, long offset) throws IOException {
        return new FrameReader(file, salt(), offset, segment.fileBytes()).next() == FrameReader.Status.FRAME;
    }

    private long salt() {
        return segment.header().salt();
    }

    Segment segment() {
        return segment;
    }

    /** Frames that visitors see. */
    long frames() {
        return frames;
    }

    long lastLsn() {
        return lastLsn;
    }

    long lastBatch() {
        return lastBatch;
    }

    int epoch() {
        return epoch;
    }

    /** Whether the last frame is a mark: everything before it had been forced. */
    boolean marked() {
        return marked;
    }

    /** Whether zeros, or the end of the file, follow the last valid frame. */
    boolean blank() {
        return blank;
    }

    /** Offset behind the last valid frame. */
    long end() {
        return end;
    }

    /** Why the walk ended. */
    String reason() {
        return reason;
    }
}
