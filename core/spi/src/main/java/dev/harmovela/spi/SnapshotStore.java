package dev.harmovela.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Keeps the two newest verified snapshots of a shard. Blocking; one caller at a time. */
public interface SnapshotStore {

    /** A state as of {@code lsn}. */
    record Snapshot(long lsn, byte[] bytes) {}

    /** The newest snapshot whose checksum holds, or null. */
    @Nullable Snapshot newest() throws IOException;

    /** Position of the older of the kept snapshots, 0 when there are fewer than two: the log since it must stay. */
    long oldestKeptLsn() throws IOException;

    /** Stores temporarily, forces, renames, forces the directory; then drops all but the two newest. */
    void store(Snapshot snapshot) throws IOException;

    /** Drops every snapshot, so that the next start folds the whole log. */
    void clear() throws IOException;
}
