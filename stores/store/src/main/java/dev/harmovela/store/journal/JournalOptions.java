package dev.harmovela.store.journal;

import java.security.SecureRandom;
import java.util.function.LongSupplier;

/**
 * Sizes and pauses of a {@link SegmentJournal}.
 *
 * @param segmentBytes size of a segment file, 16 KiB to 1 GiB, a multiple of 4096
 * @param shard number of the shard that owns the log; a log of another shard is refused
 * @param idleMillis pause after which the last batch is followed by an empty frame that proves it was forced
 * @param retryMillis pause between attempts to allocate a segment on a full disk
 * @param backlogBytes bytes waiting for the disk at which publishes are refused; four times as many end the log
 * @param random source of the directory id and of the salts of segments
 */
public record JournalOptions(
        int segmentBytes, int shard, long idleMillis, long retryMillis, int backlogBytes, LongSupplier random) {

    /** Segments of 64 MiB, one second of idleness, one second between retries, 64 MiB of backlog. */
    public static final JournalOptions DEFAULT =
            new JournalOptions(64 << 20, 0, 1000, 1000, 64 << 20, new SecureRandom()::nextLong);

    private static final int SMALLEST = 16 << 10;
    private static final int LARGEST = 1 << 30;

    public JournalOptions {
        if (segmentBytes < SMALLEST || segmentBytes > LARGEST || segmentBytes % SegmentHeader.BYTES != 0) {
            throw new IllegalArgumentException("segmentBytes must be a multiple of 4096 from " + SMALLEST + " to "
                    + LARGEST + ", got " + segmentBytes);
        }
        if (idleMillis < 1 || retryMillis < 1 || backlogBytes < 1) {
            throw new IllegalArgumentException("idleMillis, retryMillis and backlogBytes must be at least 1");
        }
    }

    public JournalOptions withSegmentBytes(int bytes) {
        return new JournalOptions(bytes, shard, idleMillis, retryMillis, backlogBytes, random);
    }

    public JournalOptions withShard(int number) {
        return new JournalOptions(segmentBytes, number, idleMillis, retryMillis, backlogBytes, random);
    }

    public JournalOptions withBacklogBytes(int bytes) {
        return new JournalOptions(segmentBytes, shard, idleMillis, retryMillis, bytes, random);
    }

    public JournalOptions withRandom(LongSupplier source) {
        return new JournalOptions(segmentBytes, shard, idleMillis, retryMillis, backlogBytes, source);
    }

    /** Bytes at the end of a segment that ordinary batches leave alone until it is known whether a next one exists. */
    int reserveBytes() {
        return Math.min(8 << 20, segmentBytes / 8);
    }

    /** Bytes of frames that fit into an empty segment, one slot being kept for the closing mark. */
    int capacity() {
        return segmentBytes - SegmentHeader.BYTES - FrameFormat.HEADER;
    }

    /** Bytes after which a batch is closed and a new one begun. */
    int batchBytes() {
        return Math.min(4 << 20, capacity() / 4);
    }
}
