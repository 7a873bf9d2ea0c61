package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Steps on segment files that several parts of the journal take. */
final class SegmentFiles {

    private SegmentFiles() {}

    /** Turns an allocated file into the segment of {@code header}; durable on return. */
    static Segment activate(Disk disk, Spares.Spare spare, SegmentHeader header) throws IOException {
        spare.file().write(0, header.encode());
        spare.file().force();
        Segment segment = new Segment(header, spare.bytes());
        disk.rename(spare.name(), segment.name());
        disk.forceDirectory();
        return segment;
    }

    /** A mark: a frame that covers nothing, alone in its batch, and proves that the batch before it was forced. */
    static ByteBuffer mark(FrameFormat.Stamp stamp, long nextLsn, long batch, Segment segment, long at) {
        ByteBuffer mark = ByteBuffer.allocate(FrameFormat.HEADER).order(ByteOrder.LITTLE_ENDIAN);
        FrameFormat.put(mark, nextLsn, 0, new byte[0], 0, 0);
        stamp.apply(mark.flip(), batch, segment, at);
        return mark;
    }

    /** Copies the bytes from {@code from} to {@code to}, which may be the same file. */
    static void copy(DiskFile source, DiskFile target, long from, long to) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect((int) Math.min(1 << 20, Math.max(1, to - from)));
        long at = from;
        while (at < to) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), to - at));
            if (source.read(at, chunk) <= 0) {
                throw new IOException("the file ended at " + at + " while it was copied");
            }
            chunk.flip();
            int length = chunk.remaining();
            target.write(at, chunk);
            at += length;
        }
    }

    /** Writes zeros from {@code from} to {@code to}. */
    static void blank(DiskFile file, long from, long to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(1 << 20, Math.max(1, to - from)));
        for (long at = from; at < to; at += zeros.capacity()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
            file.write(at, zeros);
        }
    }

    /** Writes a whole small file, which appears under its name only when it is on stable storage. */
    static void replace(Disk disk, String name, ByteBuffer bytes) throws IOException {
        String temporary = name + Segment.TEMPORARY_SUFFIX;
        if (disk.list().contains(temporary)) {
            disk.delete(temporary);
        }
        try (DiskFile file = disk.create(temporary)) {
            file.write(0, bytes);
            file.force();
        }
        disk.rename(temporary, name);
        disk.forceDirectory();
    }

    /** Reads a whole array; false when the file ends before. */
    static boolean fill(DiskFile file, long at, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining() && file.read(at + buffer.position(), buffer) > 0) {
            // a read may return less than was asked for
        }
        return !buffer.hasRemaining();
    }
}
