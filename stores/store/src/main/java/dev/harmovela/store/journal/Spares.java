package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one segment file allocated ahead: filled with zeros and forced, so that forcing a batch later never changes
 * the size of a file. A failure means that the disk is full; it is tried again after a pause, on a new file.
 */
final class Spares {

    /** A file of zeros under a temporary name. */
    record Spare(String name, DiskFile file, long bytes) {}

    private enum State {
        NONE,
        BUILDING,
        READY,
        FAILED
    }

    private static final int CHUNK = 1 << 20;
    private static final int FORCE_EVERY = 8 << 20;

    private final Disk disk;
    private final JournalOptions options;
    private final JournalThreads threads;
    private final Space space;
    private final Consumer<Throwable> broken;
    private final Runnable settled;
    private State state = State.NONE;
    private @Nullable Spare ready;
    private int number;
    private boolean closed;

    /**
     * @param broken told of a failure after which the directory cannot be trusted
     * @param settled run when an allocation has ended, well or not
     */
    Spares(
            Disk disk,
            JournalOptions options,
            JournalThreads threads,
            Space space,
            Consumer<Throwable> broken,
            Runnable settled) {
        this.disk = disk;
        this.options = options;
        this.threads = threads;
        this.space = space;
        this.broken = broken;
        this.settled = settled;
    }

    /** Begins to allocate in the background unless a file is there or on its way. */
    void request() {
        synchronized (this) {
            if (closed || state == State.BUILDING || state == State.READY) {
                return;
            }
            state = State.BUILDING;
        }
        threads.background().execute(this::build);
    }

    /** Whether the outcome of an allocation is still open. */
    synchronized boolean building() {
        return state == State.BUILDING;
    }

    /** The allocated file, which now belongs to the caller, or null. */
    synchronized @Nullable Spare take() {
        Spare taken = ready;
        if (taken != null) {
            ready = null;
            state = State.NONE;
        }
        return taken;
    }

    private void build() {
        try {
            Spare built = allocate(disk, "spare-" + number++, options.segmentBytes());
            disk.forceDirectory();
            boolean wanted;
            synchronized (this) {
                wanted = !closed;
                state = wanted ? State.READY : State.NONE;
                ready = wanted ? built : null;
            }
            if (wanted) {
                space.full(false);
            } else {
                drop(disk, built);
            }
        } catch (NoRoom e) {
            synchronized (this) {
                state = State.FAILED;
            }
            space.full(true);
            threads.after(options.retryMillis(), this::request);
        } catch (Throwable e) {
            broken.accept(e);
        }
        settled.run();
    }

    /** Creates a file of {@code bytes} zeros on stable storage, its directory entry not yet forced. */
    static Spare allocate(Disk disk, String stem, long bytes) throws NoRoom {
        String name = stem + Segment.TEMPORARY_SUFFIX;
        DiskFile file = null;
        try {
            file = disk.create(name);
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(CHUNK, bytes));
            for (long at = 0; at < bytes; at += zeros.capacity()) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
                file.write(at, zeros);
                if (at % FORCE_EVERY == FORCE_EVERY - CHUNK) {
                    file.force();
                }
            }
            file.force();
            return new Spare(name, file, bytes);
        } catch (IOException e) {
            if (file != null) {
                drop(disk, new Spare(name, file, bytes));
            }
            throw new NoRoom(name, e);
        }
    }

    /** Best effort: what stays behind is deleted by the next opening. */
    static void drop(Disk disk, Spare spare) {
        try (DiskFile _ = spare.file()) {
            disk.delete(spare.name());
        } catch (IOException e) {
            // nothing refers to the file
        }
    }

    /** Deletes the file that nobody took. */
    void close() {
        Spare unused;
        synchronized (this) {
            closed = true;
            unused = ready;
            ready = null;
        }
        if (unused != null) {
            drop(disk, unused);
        }
    }

    /** A file could not be allocated. */
    static final class NoRoom extends IOException {

        private static final long serialVersionUID = 1;

        NoRoom(String name, IOException cause) {
            super("no room for " + name + ": " + cause.getMessage(), cause);
        }
    }
}
