package dev.harmovela.store.journal;

import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Reads the frames of one segment in order. Not thread-safe; closes nothing. */
final class FrameReader {

    enum Status {
        /** A valid frame: its accessors may be used until the next call. */
        FRAME,
        /** Nothing was written here. */
        END,
        /** Something was written here, but it is not a valid frame. */
        BAD
    }

    private static final int CHUNK = 256 << 10;

    private final DiskFile file;
    private final long salt;
    private final long end;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer;
    private long base;
    private int at;
    private long offset;
    private long next;

    /**
     * @param from offset of a frame
     * @param end offset behind the last byte that may belong to a frame
     */
    FrameReader(DiskFile file, long salt, long from, long end) {
        this(file, salt, from, end, CHUNK);
    }

    FrameReader(DiskFile file, long salt, long from, long end, int chunk) {
        this.file = file;
        this.salt = salt;
        this.end = end;
        int size = Math.clamp(end - from, FrameFormat.HEADER, chunk);
        this.buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        buffer.limit(0);
        this.next = from;
        this.offset = from;
    }

    /** Goes to the next frame; after anything but {@link Status#FRAME} it stays where it is. */
    Status next() throws IOException {
        offset = next;
        if (end - offset < FrameFormat.HEADER || !load(FrameFormat.HEADER)) {
            return Status.END;
        }
        if (!FrameFormat.sealed(buffer, at, salt, offset)) {
            return isBlank() ? Status.END : Status.BAD;
        }
        int length = buffer.getInt(at + FrameFormat.LENGTH_AT);
        if (length < 0 || length > FrameFormat.MAX_BODY || end - offset < FrameFormat.sizeOf(length)) {
            return Status.BAD;
        }
        if (!load(FrameFormat.sizeOf(length)) || !FrameFormat.holds(crc, buffer, at)) {
            return Status.BAD;
        }
        next = offset + FrameFormat.sizeOf(length);
        return Status.FRAME;
    }

    /** Forgets what was read ahead: the file may have got more frames since. */
    void refresh() {
        buffer.limit(0);
    }

    /** Brings {@code size} bytes from {@link #offset} into the buffer. */
    private boolean load(int size) throws IOException {
        at = buffer.limit() == 0 ? 0 : (int) (offset - base);
        if (at >= 0 && at + size <= buffer.limit()) {
            return true;
        }
        keepTail(size);
        while (buffer.position() < size) {
            if (file.read(base + buffer.position(), buffer) <= 0) {
                break;
            }
        }
        buffer.flip();
        return size <= buffer.limit();
    }

    /** Moves what is already there to the front and makes room for {@code size} bytes. */
    private void keepTail(int size) {
        ByteBuffer kept = buffer;
        int available = at >= 0 && at < buffer.limit() ? buffer.limit() - at : 0;
        if (size > buffer.capacity()) {
            buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        }
        if (available > 0) {
            kept.limit(at + available).position(at);
            if (kept == buffer) {
                buffer.compact();
            } else {
                buffer.put(kept);
            }
        } else {
            buffer.clear();
        }
        base = offset;
        at = 0;
        buffer.limit((int) Math.min(buffer.capacity(), end - base));
    }

    private boolean isBlank() {
        for (int i = 0; i < FrameFormat.HEADER; i += Long.BYTES) {
            if (buffer.getLong(at + i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Offset of the current frame, or of what was found instead. */
    long offset() {
        return offset;
    }

    /** Offset behind the last valid frame. */
    long nextOffset() {
        return next;
    }

    long firstLsn() {
        return buffer.getLong(at + FrameFormat.LSN_AT);
    }

    /** Positions covered; 0 for a mark, which no visitor sees. */
    int lsnCount() {
        return buffer.getInt(at + FrameFormat.COUNT_AT);
    }

    long batch() {
        return buffer.getLong(at + FrameFormat.BATCH_AT);
    }

    int epoch() {
        return buffer.getInt(at + FrameFormat.EPOCH_AT);
    }

    boolean lastOfBatch() {
        return (buffer.getInt(at + FrameFormat.SEAL_AT) & 1) != 0;
    }

    /** The body, shared with the buffer of this reader. */
    ByteBuffer body() {
        return buffer.slice(at + FrameFormat.HEADER, buffer.getInt(at + FrameFormat.LENGTH_AT));
    }

    /** Header and body as they stand in the file. */
    ByteBuffer wholeFrame() {
        return buffer.slice(at, (int) (next - offset));
    }
}
