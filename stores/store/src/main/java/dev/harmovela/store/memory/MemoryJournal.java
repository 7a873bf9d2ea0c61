package dev.harmovela.store.memory;

import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.FrameVisitor;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.spi.SnapshotStore;
import dev.harmovela.store.journal.KeyTable;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A log that lives as long as the process: what is committed counts as durable at once, and the listener is called
 * within {@link #commit}. Beyond its byte cap the oldest frames are forgotten, whoever may still want them.
 * Thread-safe.
 */
public final class MemoryJournal implements Journal {

    /** Default cap: 128 MiB. */
    public static final long DEFAULT_CAP = 128L << 20;

    private static final int LARGEST_BODY = 8 << 20;
    private static final int PIECES = 16;
    private static final int READ_AHEAD = 256;

    /** A run of frames that is forgotten as a whole. */
    private static final class Piece {
        final List<Frame> frames = new ArrayList<>();
        final KeyTable keys = new KeyTable();
        long bytes;

        long firstLsn() {
            return frames.getFirst().firstLsn;
        }

        long lastLsn() {
            return frames.getLast().lastLsn();
        }
    }

    private record Frame(long firstLsn, int lsnCount, byte[] body) {
        long lastLsn() {
            return firstLsn + lsnCount - 1;
        }
    }

    private final String id;
    private final long pieceBytes;
    private final FrameKeys keys;
    private final JournalListener listener;
    private final SnapshotStore snapshots = new MemorySnapshots();
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private final List<Frame> open = new ArrayList<>();
    private volatile long lastLsn;
    private volatile long durable;
    private volatile long bytes;
    private boolean closed;

    public MemoryJournal(FrameKeys keys, JournalListener listener) {
        this(
                Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), Character.MAX_RADIX),
                DEFAULT_CAP,
                keys,
                listener);
    }

    /**
     * @param id identity of the log
     * @param capBytes bytes of frames to keep at the most, about
     */
    public MemoryJournal(String id, long capBytes, FrameKeys keys, JournalListener listener) {
        this.id = id;
        this.pieceBytes = Math.max(1, capBytes / PIECES);
        this.keys = keys;
        this.listener = listener;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public synchronized long firstLsn() {
        Piece oldest = pieces.peekFirst();
        return oldest == null ? durable + 1 : oldest.firstLsn();
    }

    @Override
    public long lastLsn() {
        return lastLsn;
    }

    @Override
    public long durableLsn() {
        return durable;
    }

    @Override
    public boolean acceptsPublishes() {
        return true;
    }

    @Override
    public long sizeBytes() {
        return bytes;
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
        if (length > LARGEST_BODY) {
            throw new IllegalArgumentException("a frame of " + length + " bytes does not fit");
        }
        open.add(new Frame(firstLsn, lsnCount, Arrays.copyOfRange(body, offset, offset + length)));
        lastLsn = firstLsn + lsnCount - 1;
    }

    @Override
    public void commit() {
        if (open.isEmpty()) {
            return;
        }
        synchronized (this) {
            for (Frame frame : open) {
                keep(frame);
            }
            durable = lastLsn;
        }
        open.clear();
        listener.durable(durable);
    }

    private void keep(Frame frame) {
        Piece last = pieces.peekLast();
        if (last == null || last.bytes >= pieceBytes) {
            if (pieces.size() >= PIECES) {
                forgetOldest();
            }
            last = new Piece();
            pieces.addLast(last);
        }
        Piece piece = last;
        piece.frames.add(frame);
        piece.bytes += frame.body.length;
        bytes += frame.body.length;
        keys.keys(ByteBuffer.wrap(frame.body), key -> piece.keys.add(key, frame.firstLsn));
    }

    private void forgetOldest() {
        bytes -= pieces.removeFirst().bytes;
    }

    @Override
    public void read(long fromLsn, FrameVisitor visitor) {
        long next = fromLsn;
        for (List<Frame> some = some(next); !some.isEmpty(); some = some(next)) {
            for (Frame frame : some) {
                if (!visitor.frame(frame.firstLsn, frame.lsnCount, ByteBuffer.wrap(frame.body))) {
                    return;
                }
            }
            next = some.getLast().lastLsn() + 1;
        }
    }

    /** A few frames, beginning with the one that covers {@code lsn} or the oldest after it. */
    private synchronized List<Frame> some(long lsn) {
        for (Piece piece : pieces) {
            if (piece.lastLsn() >= lsn) {
                int from = indexOf(piece.frames, lsn);
                return List.copyOf(piece.frames.subList(from, Math.min(piece.frames.size(), from + READ_AHEAD)));
            }
        }
        return List.of();
    }

    private static int indexOf(List<Frame> frames, long lsn) {
        int low = 0;
        for (int high = frames.size() - 1; low < high; ) {
            int middle = (low + high) >>> 1;
            if (frames.get(middle).lastLsn() >= lsn) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Override
    public synchronized long[] find(long key, long fromLsn, int limit) {
        return pieces.stream()
                .flatMapToLong(piece -> Arrays.stream(piece.keys.find(key, fromLsn)))
                .limit(limit)
                .toArray();
    }

    @Override
    public synchronized void trim(long lsn) {
        while (pieces.size() > 1 && pieces.getFirst().lastLsn() < lsn) {
            forgetOldest();
        }
    }

    @Override
    public SnapshotStore snapshots() {
        return snapshots;
    }

    @Override
    public void close() {
        if (!closed) {
            commit();
            closed = true;
        }
    }

    private static final class MemorySnapshots implements SnapshotStore {

        private @Nullable Snapshot newest;
        private @Nullable Snapshot older;

        @Override
        public synchronized @Nullable Snapshot newest() {
            return newest;
        }

        @Override
        public synchronized long oldestKeptLsn() {
            return older == null ? 0 : older.lsn();
        }

        @Override
        public synchronized void store(Snapshot snapshot) {
            older = newest;
            newest = snapshot;
        }

        @Override
        public synchronized void clear() {
            newest = null;
            older = null;
        }
    }
}
