package dev.harmovela.store.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Frames on their way from the owner to the writer.
 *
 * <p>The owner fills an open batch that it alone touches and hands it over; while the writer is busy, what is handed
 * over is added to the batch that waits, so that a batch is what arrived during the previous force. The lock is held
 * for a swap or a small copy, never across the disk.
 */
final class BatchQueue {

    /** Frames that are written and forced together. */
    static final class Batch {
        ByteBuffer bytes;
        long lastLsn;

        Batch(int capacity) {
            bytes = allocate(capacity);
        }

        private static ByteBuffer allocate(int capacity) {
            return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
        }

        boolean isEmpty() {
            return bytes.position() == 0;
        }

        /** Grows by doubling, up to {@code limit} or what one frame needs. */
        void reserve(int size, int limit) {
            if (bytes.remaining() < size) {
                int needed = bytes.position() + size;
                int capacity = Math.max(needed, Math.min(limit, 2 * bytes.capacity()));
                bytes = allocate(capacity).put(bytes.flip());
            }
        }
    }

    private static final int SMALLEST = 64 << 10;
    private static final int POOLED = 3;

    private final int batchBytes;
    private final ArrayDeque<Batch> waiting = new ArrayDeque<>();
    private final ArrayDeque<Batch> pool = new ArrayDeque<>();
    private volatile long unwritten;
    private Batch open;

    BatchQueue(int batchBytes) {
        this.batchBytes = batchBytes;
        this.open = new Batch(Math.min(SMALLEST, batchBytes));
    }

    /**
     * Copies a frame into the open batch, handing over what does not fit any more.
     *
     * @return whether something was handed over
     */
    boolean append(long firstLsn, int lsnCount, byte[] body, int offset, int length) {
        int size = FrameFormat.sizeOf(length);
        boolean full = !open.isEmpty() && open.bytes.position() + size > batchBytes;
        if (full) {
            hand();
        }
        open.reserve(size, batchBytes);
        FrameFormat.put(open.bytes, firstLsn, lsnCount, body, offset, length);
        open.lastLsn = firstLsn + lsnCount - 1;
        return full;
    }

    /** Hands the open batch over; returns whether there was anything in it. */
    boolean hand() {
        if (open.isEmpty()) {
            return false;
        }
        synchronized (this) {
            int size = open.bytes.position();
            unwritten += size;
            Batch last = waiting.peekLast();
            if (last != null && last.bytes.position() + size <= batchBytes) {
                last.reserve(size, batchBytes);
                last.bytes.put(open.bytes.flip());
                last.lastLsn = open.lastLsn;
                open.bytes.clear();
            } else {
                waiting.addLast(open);
                Batch pooled = pool.pollLast();
                open = pooled != null ? pooled : new Batch(Math.min(SMALLEST, batchBytes));
            }
        }
        return true;
    }

    /** The oldest batch handed over, ready to be read from its start, or null. */
    synchronized @Nullable Batch take() {
        Batch batch = waiting.pollFirst();
        if (batch != null) {
            batch.bytes.flip();
        }
        return batch;
    }

    /** Ends the life of a batch that was taken. */
    synchronized void done(Batch batch) {
        unwritten -= batch.bytes.limit();
        batch.bytes.clear();
        if (pool.size() < POOLED && batch.bytes.capacity() <= batchBytes) {
            pool.addLast(batch);
        }
    }

    /** Bytes handed over and not yet written. */
    long unwritten() {
        return unwritten;
    }
}
