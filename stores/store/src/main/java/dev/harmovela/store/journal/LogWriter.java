package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import dev.harmovela.spi.JournalListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts batches on the disk, one after the other: the next one is written only after the force of the one before
 * returned.
 *
 * <p>All its work runs on one executor, one step at a time; {@link #wake()} asks for steps from any thread. It never
 * waits for space: a batch without room stays where it is until an allocation has ended.
 */
final class LogWriter {

    /** What a writer works with. */
    record Setting(
            Disk disk,
            JournalOptions options,
            JournalThreads threads,
            BatchQueue queue,
            SegmentList segments,
            Space space,
            JournalListener listener,
            Consumer<Segment> sealed) {}

    private final Setting with;
    private final Spares spares;
    private final FrameFormat.Stamp stamp;
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicBoolean lost = new AtomicBoolean();
    private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();

    private DiskFile file;
    private Segment segment;
    private long position;
    private boolean marked;
    private BatchQueue.@Nullable Batch current;

    private volatile long lastBatch;
    private volatile long durable;
    private volatile boolean markWanted;
    private volatile boolean idleArmed;
    private volatile boolean stopping;

    LogWriter(Setting with, Recovery.Recovered start) {
        this.with = with;
        this.spares = new Spares(with.disk(), with.options(), with.threads(), with.space(), this::lose, this::wake);
        this.stamp = new FrameFormat.Stamp(start.epoch());
        this.file = start.file();
        this.segment = start.open();
        this.position = start.position();
        this.lastBatch = start.lastBatch();
        this.durable = start.lastLsn();
        this.marked = start.lastBatch() > 0;
    }

    /** Begins to allocate the next segment. */
    void start() {
        spares.request();
    }

    long durable() {
        return durable;
    }

    boolean isLost() {
        return lost.get();
    }

    /** Tries at once again to find room for a segment, because something was deleted. */
    void spaceFreed() {
        spares.request();
    }

    /** There is, or may be, something to do. */
    void wake() {
        if (wakes.getAndIncrement() == 0) {
            with.threads().writer().execute(this::drain);
        }
    }

    /** Ends the log: from here on nothing is written. Told to the listener once. */
    void lose(Throwable cause) {
        if (lost.compareAndSet(false, true)) {
            with.listener().lost(cause);
        }
        stopped.completeExceptionally(cause);
    }

    private void drain() {
        int seen = wakes.get();
        do {
            try {
                while (step()) {
                    // one batch after the other
                }
            } catch (Throwable e) {
                lose(e);
            }
            seen = wakes.addAndGet(-seen);
        } while (seen != 0);
    }

    /** Writes one batch; returns whether there may be another. */
    private boolean step() throws IOException {
        if (lost.get() || stopped.isDone()) {
            return false;
        }
        if (current == null) {
            current = with.queue().take();
        }
        BatchQueue.Batch batch = current;
        if (batch == null) {
            rest();
            return false;
        }
        if (!makeRoom(batch.bytes.remaining())) {
            if (stopping && !spares.building()) {
                stopped.completeExceptionally(new IOException("the disk is full: the last batch was not written"));
            }
            return false;
        }
        long number = lastBatch + 1;
        int size = batch.bytes.remaining();
        stamp.apply(batch.bytes, number, segment, position);
        file.write(position, batch.bytes);
        file.force();
        position += size;
        segment.use(position);
        lastBatch = number;
        marked = false;
        durable = batch.lastLsn;
        current = null;
        with.queue().done(batch);
        with.space().measure();
        if (lost.get()) {
            return false;
        }
        with.listener().durable(durable);
        return true;
    }

    /** Makes sure that {@code size} bytes fit into the open segment, going on to the next one when they do not. */
    private boolean makeRoom(int size) throws IOException {
        long left = segment.fileBytes() - FrameFormat.HEADER - position - size;
        if (left >= 0) {
            return left >= with.options().reserveBytes() || !spares.building();
        }
        Spares.Spare spare = spares.take();
        if (spare == null) {
            return false;
        }
        roll(spare);
        spares.request();
        return true;
    }

    private void roll(Spares.Spare spare) throws IOException {
        SegmentHeader old = segment.header();
        SegmentHeader header = new SegmentHeader(
                old.directoryId(), with.options().random().getAsLong(), old.shard(), durable + 1, lastBatch + 1);
        Segment next = SegmentFiles.activate(with.disk(), spare, header);
        file.close();
        Segment sealed = segment;
        sealed.seal();
        with.segments().add(next);
        file = spare.file();
        segment = next;
        position = SegmentHeader.BYTES;
        with.sealed().accept(sealed);
    }

    /** Nothing waits: marks the end of the log if that is due. */
    private void rest() throws IOException {
        if (!marked && (stopping || markWanted) && position + FrameFormat.HEADER <= segment.fileBytes()) {
            long number = lastBatch + 1;
            file.write(position, SegmentFiles.mark(stamp, durable + 1, number, segment, position));
            file.force();
            position += FrameFormat.HEADER;
            segment.use(position);
            lastBatch = number;
            marked = true;
        }
        markWanted = false;
        if (stopping) {
            stopped.complete(true);
        } else if (!marked && !idleArmed) {
            idleArmed = true;
            long seen = lastBatch;
            with.threads().after(with.options().idleMillis(), () -> idleTick(seen));
        }
    }

    private void idleTick(long seen) {
        idleArmed = false;
        markWanted = lastBatch == seen;
        wake();
    }

    /** Writes what was handed over and the closing mark. Blocks until that is done; fails when it cannot be. */
    void stop() throws IOException {
        stopping = true;
        wake();
        try {
            stopped.join();
        } catch (CompletionException e) {
            if (!lost.get()) {
                throw new IOException(e.getCause());
            }
        } finally {
            spares.close();
        }
    }

    /** Closes the open segment; after {@link #stop()} and the end of the threads. */
    void release() throws IOException {
        file.close();
    }
}
