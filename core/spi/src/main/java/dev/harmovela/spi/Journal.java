package dev.harmovela.spi;

import java.io.IOException;

/**
 * An append-only log of frames with dense positions, owned by one shard.
 *
 * <p>A frame is valid or absent. Its body is opaque here; its position is {@code firstLsn} and it covers {@code
 * lsnCount} positions (one per event in it, at least one), so that positions follow each other without a hole.
 * {@link #append} and {@link #commit} are called on the owner's thread only and never block on the disk; {@link
 * JournalListener} is called on a thread of the journal. Reading blocks and belongs on any other thread.
 */
public interface Journal extends AutoCloseable {

    /** Identity of the data directory, stable across restarts; part of every cursor. */
    String id();

    /** Number of this opening, one more than the highest in the log. */
    long epoch();

    /** Position of the oldest frame still held, or {@code lastLsn() + 1} when empty. */
    long firstLsn();

    /** Position of the last appended frame's last record; 0 when nothing was ever appended. */
    long lastLsn();

    /** Highest position that no crash can take back. */
    long durableLsn();

    /**
     * Whether appends of ordinary size are taken; false while the disk is full (settlements still fit, see {@link
     * #append}).
     */
    boolean acceptsPublishes();

    /** Bytes held by the log on disk. */
    long sizeBytes();

    /**
     * Adds one frame to the open batch; the bytes are copied before return.
     *
     * @param firstLsn must be {@code lastLsn() + 1}
     * @param lsnCount positions covered, at least 1
     */
    void append(long firstLsn, int lsnCount, byte[] body, int offset, int length);

    /** Ends an input batch: what is open is written and forced as soon as no other force is in flight. */
    void commit();

    /**
     * Visits written frames in order, beginning with the one that covers {@code fromLsn} (or the oldest after it),
     * until the visitor returns false or the last durable frame was seen. Blocks; not for the owner's thread.
     */
    void read(long fromLsn, FrameVisitor visitor) throws IOException;

    /**
     * Positions of frames whose keys contain {@code key} (see {@link FrameKeys}), ascending, at most {@code limit}.
     * Blocks.
     */
    long[] find(long key, long fromLsn, int limit) throws IOException;

    /**
     * Forgets whole segments whose frames all lie below {@code lsn}; the caller has made that safe (snapshot, gaps,
     * carried bodies).
     */
    void trim(long lsn) throws IOException;

    /**
     * Like {@link #read}, preceded by what is kept of frames that {@link #trim} let go (see {@link
     * FrameKeys#withoutBodies}). Blocks; not for the owner's thread.
     */
    default void readAudit(long fromLsn, FrameVisitor visitor) throws IOException {
        read(fromLsn, visitor);
    }

    /** Oldest position that {@link #readAudit} visits. */
    default long firstAuditLsn() {
        return firstLsn();
    }

    /**
     * Forgets what is kept of frames that left the log: all below {@code lsn}, and the oldest as long as more than
     * {@code mostBytes} are held. Blocks.
     */
    default void trimAudit(long lsn, long mostBytes) throws IOException {}

    /** Snapshots that belong to this log. */
    SnapshotStore snapshots();

    /** Forces what is open, writes the clean-stop mark and releases the directory. */
    @Override
    void close() throws IOException;
}
