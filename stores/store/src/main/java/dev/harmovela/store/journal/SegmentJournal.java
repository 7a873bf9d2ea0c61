package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.FrameVisitor;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.spi.SnapshotStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The log of one shard as segment files on a {@link Disk}, forced batch by batch.
 *
 * <p>{@link #append}, {@link #commit} and {@link #close} belong to the owner's thread, {@link #read}, {@link #find},
 * {@link #trim} and {@link #snapshots()} to any other. The disk must bear one writing thread per file.
 */
public final class SegmentJournal implements Journal {

    private final Disk disk;
    private final JournalOptions options;
    private final JournalThreads threads;
    private final FrameKeys keys;
    private final SegmentList segments;
    private final AuditTrail trail;
    private final BatchQueue queue;
    private final Space space;
    private final LogWriter writer;
    private final SnapshotStore snapshots;
    private final String id;
    private final long epoch;
    private final long cutBytes;
    private final AutoCloseable directory;
    private final ArrayDeque<Segment> going = new ArrayDeque<>();
    private volatile long lastLsn;
    private boolean closed;

    private SegmentJournal(Opening opening, Recovery.Recovered start, AutoCloseable directory) throws IOException {
        this.disk = opening.disk;
        this.options = opening.options;
        this.threads = opening.threads;
        this.keys = opening.keys;
        this.directory = directory;
        this.segments = new SegmentList(start.segments());
        this.trail = new AuditTrail(disk, keys, segments);
        this.queue = new BatchQueue(options.batchBytes());
        this.space = new Space(threads.background(), opening.listener, queue, options.backlogBytes());
        long directoryId = start.open().header().directoryId();
        this.id = Long.toUnsignedString(directoryId, Character.MAX_RADIX);
        this.epoch = start.epoch();
        this.cutBytes = start.cutBytes();
        this.lastLsn = start.lastLsn();
        this.snapshots = new FileSnapshots(disk, directoryId, lastLsn);
        LogWriter.Setting setting =
                new LogWriter.Setting(disk, options, threads, queue, segments, space, opening.listener, this::finish);
        this.writer = new LogWriter(setting, start);
    }

    private record Opening(
            Disk disk, JournalOptions options, JournalThreads threads, FrameKeys keys, JournalListener listener) {}

    /**
     * Opens the log in a directory of the file system, with threads of its own.
     *
     * @throws DirectoryLocked when it is open already
     * @throws JournalCorrupt when promised bytes are damaged
     * @throws JournalIncompatible when another version, shard or directory wrote a file of it
     */
    public static SegmentJournal open(Path directory, JournalOptions options, FrameKeys keys, JournalListener listener)
            throws IOException {
        FileDisk disk = FileDisk.open(directory);
        JournalThreads threads = JournalThreads.start("journal-" + options.shard());
        try {
            return open(new Opening(disk, options, threads, keys, listener), disk);
        } catch (IOException | RuntimeException e) {
            threads.close();
            disk.close();
            throw e;
        }
    }

    /**
     * Opens the log on a disk that stays open when the journal is closed; the threads are closed with it.
     *
     * @throws JournalCorrupt when promised bytes are damaged
     * @throws JournalIncompatible when another version, shard or directory wrote a file of it
     */
    public static SegmentJournal open(
            Disk disk, JournalOptions options, JournalThreads threads, FrameKeys keys, JournalListener listener)
            throws IOException {
        return open(new Opening(disk, options, threads, keys, listener), () -> {});
    }

    private static SegmentJournal open(Opening opening, AutoCloseable directory) throws IOException {
        Recovery.Recovered start = new Recovery(opening.disk, opening.options).run();
        SegmentJournal journal = new SegmentJournal(opening, start, directory);
        journal.dropStrayIndexes();
        journal.writer.start();
        for (Segment segment : start.segments()) {
            if (segment.sealed()) {
                journal.finish(segment);
            }
        }
        return journal;
    }

    /** Removes indexes of segments that are gone, and one of the open segment, which may grow. */
    private void dropStrayIndexes() throws IOException {
        for (String name : disk.list()) {
            if (name.endsWith(Segment.INDEX_SUFFIX)
                    && segments.all().stream()
                            .noneMatch(s -> s.sealed() && s.indexName().equals(name))) {
                deleteIfThere(name);
            }
        }
    }

    /** What a segment gets behind the traffic when nothing is added to it any more: its hash and its index. */
    private void finish(Segment segment) {
        threads.indexer().execute(() -> {
            try {
                trail.seal();
            } catch (IOException e) {
                // the next segment that is finished, or the next opening, tries again; verifying tells
            }
        });
        if (keys == FrameKeys.NONE) {
            return;
        }
        threads.indexer().execute(() -> {
            try {
                segment.keys().build(disk, keys);
                forgetIfTrimmed(segment);
            } catch (IOException e) {
                // the segment is searched by reading it; the next opening tries again
            }
        });
    }

    /** An index finished after its segment was trimmed goes the way of the segment. */
    private synchronized void forgetIfTrimmed(Segment segment) throws IOException {
        if (segment.trimmed()) {
            deleteIfThere(segment.indexName());
        }
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long firstLsn() {
        return segments.first().firstLsn();
    }

    @Override
    public long lastLsn() {
        return lastLsn;
    }

    @Override
    public long durableLsn() {
        return writer.durable();
    }

    /** Bytes of a torn tail that opening gave up; 0 after an orderly end. */
    public long cutBytes() {
        return cutBytes;
    }

    @Override
    public boolean acceptsPublishes() {
        return space.accepts();
    }

    /** {@inheritDoc} What is allocated ahead in the open segment does not count. */
    @Override
    public long sizeBytes() {
        long sum = 0;
        for (Segment segment : segments.all()) {
            sum += segment.usedBytes();
        }
        return sum;
    }

    @Override
    public void append(long firstLsn, int lsnCount, byte[] body, int offset, int length) {
        if (closed) {
            throw new IllegalStateException("the journal is closed");
        }
        if (firstLsn != lastLsn + 1 || lsnCount < 1) {
            throw new IllegalArgumentException(
                    "frame at " + firstLsn + " of " + lsnCount + " positions cannot follow " + lastLsn);
        }
        if (length > FrameFormat.MAX_BODY || FrameFormat.sizeOf(length) > options.capacity()) {
            throw new IllegalArgumentException("a frame of " + length + " bytes does not fit");
        }
        lastLsn = firstLsn + lsnCount - 1;
        if (!writer.isLost() && queue.append(firstLsn, lsnCount, body, offset, length)) {
            handedOver();
        }
    }

    @Override
    public void commit() {
        if (!writer.isLost() && queue.hand()) {
            handedOver();
        }
    }

    private void handedOver() {
        long waiting = queue.unwritten();
        if (waiting > options.backlogBytes()) {
            space.measure();
        }
        if (waiting > 4L * options.backlogBytes()) {
            writer.lose(new IOException("the disk does not keep up: " + waiting + " bytes wait for it"));
        }
        writer.wake();
    }

    @Override
    public void read(long fromLsn, FrameVisitor visitor) throws IOException {
        long next = Math.max(fromLsn, firstLsn());
        while (next <= writer.durable()) {
            Segment segment = segments.covering(next);
            long reached = readSegment(segment, next, visitor);
            if (reached < 0) {
                return;
            }
            if (reached == next && segment == segments.covering(next) && !segment.trimmed()) {
                throw new JournalCorrupt(
                        segment.name(), segment.offsetBefore(next), "position " + next + " cannot be read from it");
            }
            next = Math.max(reached, firstLsn());
        }
    }

    /**
     * Visits what a segment holds from {@code from} on; returns the next position, or -1 when the visitor had enough.
     */
    private long readSegment(Segment segment, long from, FrameVisitor visitor) throws IOException {
        long next = from;
        try (DiskFile file = disk.open(segment.name())) {
            FrameReader reader =
                    new FrameReader(file, segment.header().salt(), segment.offsetBefore(from), segment.fileBytes());
            for (long limit = writer.durable(); next <= limit; limit = writer.durable()) {
                reader.refresh();
                long before = next;
                while (next <= limit && reader.next() == FrameReader.Status.FRAME) {
                    long end = reader.firstLsn() + reader.lsnCount();
                    if (end > next) {
                        if (!visitor.frame(reader.firstLsn(), reader.lsnCount(), reader.body())) {
                            return -1;
                        }
                        next = end;
                    }
                }
                if (next == before) {
                    break;
                }
            }
        } catch (IOException e) {
            if (!segment.trimmed()) {
                throw e;
            }
        }
        return next;
    }

    @Override
    public long[] find(long key, long fromLsn, int limit) throws IOException {
        long[] found = new long[0];
        long durable = writer.durable();
        for (Segment segment : segments.all()) {
            if (found.length >= limit) {
                break;
            }
            if (!liesBelow(segment, fromLsn)) {
                long[] here = findIn(segment, key, fromLsn, durable);
                int count = Math.min(here.length, limit - found.length);
                if (count > 0) {
                    long[] more = Arrays.copyOf(found, found.length + count);
                    System.arraycopy(here, 0, more, found.length, count);
                    found = more;
                }
            }
        }
        return found;
    }

    private boolean liesBelow(Segment segment, long lsn) {
        return segments.covering(lsn).firstLsn() > segment.firstLsn();
    }

    private long[] findIn(Segment segment, long key, long fromLsn, long durable) throws IOException {
        try {
            return segment.keys().find(disk, keys, key, fromLsn, durable);
        } catch (IOException e) {
            if (segment.trimmed()) {
                return new long[0];
            }
            throw e;
        }
    }

    @Override
    public synchronized void trim(long lsn) throws IOException {
        if (segments.whollyBelow(lsn) != null) {
            trail.sealIfRoom();
        }
        for (Segment old = segments.whollyBelow(lsn); old != null; old = segments.whollyBelow(lsn)) {
            old.markTrimmed();
            segments.removeFirst();
            going.addLast(old);
        }
        boolean freed = !going.isEmpty();
        while (!going.isEmpty()) {
            trail.letGo(going.getFirst());
            deleteIfThere(going.getFirst().name());
            deleteIfThere(going.getFirst().indexName());
            deleteIfThere(going.getFirst().hashName());
            going.removeFirst();
        }
        if (freed) {
            writer.spaceFreed();
        }
    }

    @Override
    public void readAudit(long fromLsn, FrameVisitor visitor) throws IOException {
        AuditReading reading = new AuditReading(Math.max(fromLsn, firstAuditLsn()), visitor);
        while (reading.wantsMore()) {
            long first = firstLsn();
            if (reading.next() < first && trail.read(reading.next(), first - 1, reading::kept)) {
                reading.skipTo(first);
            }
            if (reading.wantsMore()) {
                reading.beginLog();
                read(reading.next(), reading::logged);
            }
        }
    }

    @Override
    public long firstAuditLsn() {
        return trail.firstLsn();
    }

    @Override
    public synchronized void trimAudit(long lsn, long mostBytes) throws IOException {
        trail.drop(lsn, mostBytes);
    }

    private void deleteIfThere(String name) throws IOException {
        if (disk.list().contains(name)) {
            disk.delete(name);
        }
        disk.forceDirectory();
    }

    @Override
    public SnapshotStore snapshots() {
        return snapshots;
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        queue.hand();
        try {
            writer.stop();
        } finally {
            threads.close();
            writer.release();
            closeDirectory();
        }
    }

    private void closeDirectory() throws IOException {
        try {
            directory.close();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
