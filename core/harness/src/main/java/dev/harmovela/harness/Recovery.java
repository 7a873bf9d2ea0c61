package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.harness.frame.AsSent;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.SnapshotStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Folds a log into the state it stands for: newest snapshot, then every frame behind it. */
final class Recovery {

    private Recovery() {}

    /** The state a log stands for; {@code duplicates} learns the newest published events on the way. */
    static ShardState recover(HubConfig config, Journal journal, Duplicates duplicates) throws IOException {
        ShardState state = new ShardState(config.tasks());
        SnapshotStore.@Nullable Snapshot snapshot = journal.snapshots().newest();
        if (snapshot != null) {
            state.restore(snapshot.bytes());
        }
        remember(config, journal, state.lastLsn(), duplicates);
        fold(config, journal, state, Long.MAX_VALUE, (lsn, frame, event) -> remember(duplicates, frame, event, lsn));
        return state;
    }

    private static void remember(Duplicates duplicates, Frame frame, Event event, long lsn) {
        duplicates.add(frame.header().tenant(), event, lsn, AsSent.content(event, lsn, frame.facts()));
    }

    /** Events a snapshot has folded already but that may still be published again. */
    private static void remember(HubConfig config, Journal journal, long untilLsn, Duplicates duplicates)
            throws IOException {
        long from = Math.max(journal.firstLsn(), untilLsn - config.bounds().duplicates() + 1);
        if (from > untilLsn) {
            return;
        }
        FrameCodec codec = new FrameCodec(config.registry());
        journal.read(from, (first, count, body) -> {
            if (first > untilLsn) {
                return false;
            }
            Frame frame = codec.read(first, body);
            for (int i = 0; i < frame.events().size(); i++) {
                remember(duplicates, frame, frame.events().get(i), first + i);
            }
            return true;
        });
    }

    /** Folds the log behind a state's position up to {@code untilLsn}. */
    static void fold(HubConfig config, Journal journal, ShardState state, long untilLsn, ShardState.StoredEvent stored)
            throws IOException {
        FrameCodec codec = new FrameCodec(config.registry());
        long from = state.lastLsn() + 1;
        if (from > untilLsn) {
            return;
        }
        journal.read(from, (first, count, body) -> {
            if (first + count - 1 > untilLsn) {
                return false;
            }
            Frame frame = codec.read(first, body);
            if (first > state.lastLsn()) {
                state.fold(frame, stored);
            }
            return true;
        });
    }
}
