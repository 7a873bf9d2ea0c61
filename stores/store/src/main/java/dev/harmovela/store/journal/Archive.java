package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.FrameVisitor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * What is kept of segments that left the log: their frames without the bodies, one file for each, in the form of a
 * segment. Files are written whole and appear under their name only when they are on stable storage.
 */
final class Archive {

    static final String SUFFIX = ".aud";

    private static final int CHUNK = 1 << 20;

    private final Disk disk;
    private final FrameKeys frames;
    private volatile List<Kept> kept;

    /** One file. */
    private record Kept(SegmentHeader header, long lastLsn, long bytes) {
        String name() {
            return fileName(header.firstLsn());
        }
    }

    /** Finds what is there; a file that no line of the chain speaks of was never finished and is not looked at. */
    Archive(Disk disk, FrameKeys frames, Chain chain) throws IOException {
        this.disk = disk;
        this.frames = frames;
        List<Kept> found = new ArrayList<>();
        List<String> names = disk.list();
        for (Chain.Line line : chain.lines()) {
            String name = fileName(line.firstLsn());
            if (line.kind() == Chain.Kind.ARCHIVED && names.contains(name)) {
                try (DiskFile file = disk.open(name)) {
                    found.add(new Kept(SegmentHeader.read(name, file), line.lastLsn(), file.size()));
                } catch (JournalCorrupt | JournalIncompatible e) {
                    // the chain knows better: verifying tells
                }
            }
        }
        this.kept = List.copyOf(found);
    }

    static String fileName(long firstLsn) {
        String segment = Segment.fileName(firstLsn);
        return segment.substring(0, segment.length() - Segment.SUFFIX.length()) + SUFFIX;
    }

    /** Oldest position kept, or {@code otherwise}. */
    long firstLsn(long otherwise) {
        List<Kept> now = kept;
        return now.isEmpty() ? otherwise : now.getFirst().header().firstLsn();
    }

    long bytes() {
        return kept.stream().mapToLong(Kept::bytes).sum();
    }

    /** Writes what is kept of a segment, whose last position is {@code lastLsn}; durable on return. */
    FileHash add(Segment segment, long lastLsn) throws IOException {
        String name = fileName(segment.firstLsn());
        String temporary = name + Segment.TEMPORARY_SUFFIX;
        if (disk.list().contains(temporary)) {
            disk.delete(temporary);
        }
        long bytes;
        try (DiskFile file = disk.create(temporary)) {
            bytes = write(segment, file);
            file.force();
        } catch (IOException e) {
            forget(temporary);
            throw e;
        }
        FileHash hash = FileHash.of(disk, temporary, bytes);
        disk.rename(temporary, name);
        disk.forceDirectory();
        List<Kept> more = new ArrayList<>(kept);
        more.add(new Kept(segment.header(), lastLsn, bytes));
        kept = List.copyOf(more);
        return hash;
    }

    private long write(Segment segment, DiskFile target) throws IOException {
        Segment copy = new Segment(segment.header(), segment.fileBytes());
        target.write(0, segment.header().encode());
        long position = SegmentHeader.BYTES;
        try (DiskFile source = disk.open(segment.name())) {
            FrameReader reader =
                    new FrameReader(source, segment.header().salt(), SegmentHeader.BYTES, segment.fileBytes());
            FrameFormat.Stamp stamp = new FrameFormat.Stamp(0);
            ByteBuffer chunk = buffer(CHUNK);
            while (reader.next() == FrameReader.Status.FRAME) {
                if (reader.lsnCount() == 0) {
                    continue;
                }
                byte[] body = frames.withoutBodies(reader.body());
                if (chunk.remaining() < FrameFormat.sizeOf(body.length)) {
                    position += flush(chunk, stamp, copy, position, target);
                    chunk = buffer(Math.max(CHUNK, FrameFormat.sizeOf(body.length)));
                }
                FrameFormat.put(chunk, reader.firstLsn(), reader.lsnCount(), body, 0, body.length);
            }
            position += flush(chunk, stamp, copy, position, target);
        }
        return position;
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int flush(ByteBuffer chunk, FrameFormat.Stamp stamp, Segment of, long position, DiskFile target)
            throws IOException {
        int size = chunk.flip().remaining();
        if (size > 0) {
            stamp.apply(chunk, of.header().firstBatch(), of, position);
            target.write(position, chunk);
        }
        return size;
    }

    /** Visits what is kept from {@code from} up to {@code to}; false when the visitor had enough. */
    boolean read(long from, long to, FrameVisitor visitor) throws IOException {
        for (Kept one : kept) {
            if (one.lastLsn() >= from && one.header().firstLsn() <= to && !readFile(one, from, to, visitor)) {
                return false;
            }
        }
        return true;
    }

    private boolean readFile(Kept one, long from, long to, FrameVisitor visitor) throws IOException {
        try (DiskFile file = disk.open(one.name())) {
            FrameReader reader = new FrameReader(file, one.header().salt(), SegmentHeader.BYTES, one.bytes());
            while (reader.next() == FrameReader.Status.FRAME && reader.firstLsn() <= to) {
                boolean wanted = reader.firstLsn() + reader.lsnCount() > from;
                if (wanted && !visitor.frame(reader.firstLsn(), reader.lsnCount(), reader.body())) {
                    return false;
                }
            }
        } catch (IOException e) {
            if (kept.contains(one)) {
                throw e;
            }
        }
        return true;
    }

    /** Lets go of the oldest file if all it holds lies below {@code lsn}; returns its last position, 0 without. */
    long dropOldest(long lsn, Chain chain) throws IOException {
        List<Kept> now = kept;
        if (now.isEmpty() || now.getFirst().lastLsn() >= lsn) {
            return 0;
        }
        Kept oldest = now.getFirst();
        chain.add(Chain.Kind.DROPPED, oldest.header().firstLsn(), oldest.lastLsn(), 0, new byte[FileHash.SIZE]);
        kept = List.copyOf(now.subList(1, now.size()));
        forget(oldest.name());
        return oldest.lastLsn();
    }

    private void forget(String name) throws IOException {
        if (disk.list().contains(name)) {
            disk.delete(name);
        }
        disk.forceDirectory();
    }
}
