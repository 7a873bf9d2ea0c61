package dev.harmovela.harness;

import dev.harmovela.spi.SnapshotStore;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots by a second fold beside the traffic: the previous snapshot and the log behind it, never the live
 * state.
 *
 * <p>A small live state is compared with the fold at the same position; a difference is a defect of the hub, is
 * reported, and no snapshot is stored then.
 */
final class Snapshots {

    private static final long EVERY_LSNS = 200_000;
    private static final long EVERY_BYTES = 64L << 20;
    private static final int COMPARE_BELOW = 10_000;

    private final Shard shard;
    private boolean running;
    private long lastLsn;
    private long lastBytes;
    private long storedLsn;

    Snapshots(Shard shard) {
        this.shard = shard;
        this.lastLsn = shard.state.lastLsn();
        this.lastBytes = shard.journal.sizeBytes();
    }

    /** Position of the newest snapshot of this run, 0 before the first. */
    long storedLsn() {
        return storedLsn;
    }

    /** Begins a snapshot when enough was written since the last one; {@code stored} runs on the owner afterwards. */
    void maybeTake(Runnable stored) {
        boolean due =
                shard.journal.lastLsn() - lastLsn >= EVERY_LSNS || shard.journal.sizeBytes() - lastBytes >= EVERY_BYTES;
        if (due) {
            takeUnlessRunning(stored);
        }
    }

    void takeUnlessRunning(Runnable stored) {
        if (!running) {
            take(stored);
        }
    }

    private void take(Runnable stored) {
        running = true;
        long until = shard.journal.durableLsn();
        boolean compare = until == shard.journal.lastLsn()
                && shard.tag() == until
                && shard.state.subscriptions.count() + shard.state.sessions.count() < COMPARE_BELOW;
        byte[] live = compare ? shard.state.snapshot() : null;
        shard.hub.reading().execute(() -> {
            String problem = fold(until, live);
            shard.hub.onOwner(shard, () -> {
                running = false;
                lastLsn = until;
                lastBytes = shard.journal.sizeBytes();
                shard.hub.snapshotDone(problem);
                if (problem == null) {
                    storedLsn = until;
                    stored.run();
                }
            });
        });
    }

    private @Nullable String fold(long until, byte @Nullable [] live) {
        try {
            SnapshotStore store = shard.journal.snapshots();
            ShardState state = new ShardState(shard.config.tasks());
            SnapshotStore.Snapshot before = store.newest();
            if (before != null) {
                state.restore(before.bytes());
            }
            Recovery.fold(shard.config, shard.journal, state, until, (lsn, frame, event) -> {});
            byte[] bytes = state.snapshot();
            if (live != null && !Arrays.equals(live, bytes)) {
                return "the log does not fold to the live state at " + until;
            }
            store.store(new SnapshotStore.Snapshot(state.lastLsn(), bytes));
            return null;
        } catch (IOException | RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
