package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.harness.frame.FrameCodec;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a proof may see of a hub: its durable state as bytes, and an independent fold of a log to compare them with.
 *
 * <p>Called on the hub's executor. Not for anything that serves clients.
 */
public final class StateProbe {

    private final HarmovelaHub hub;

    public StateProbe(HarmovelaHub hub) {
        this.hub = hub;
    }

    /** Last position appended, durable or not. */
    public long lastLsn() {
        return hub.main().journal.lastLsn();
    }

    /** Whether everything applied is also appended, so that the state belongs to {@link #lastLsn()}. */
    public boolean isSettled() {
        return hub.main().tag() == lastLsn();
    }

    /** Everything durable as bytes; equal states give equal bytes (§6). */
    public byte[] stateBytes() {
        return hub.main().state.snapshot();
    }

    /** Outputs that wait for the disk. */
    public int waitingOutputs() {
        return hub.main().outputs.waiting();
    }

    /** Takes a snapshot now, as after a long time of traffic, and lets go of the history that nobody needs. */
    public void takeSnapshot() {
        hub.snapshotNow();
    }

    /**
     * Sabotage: answers and deliveries leave before what they depend on is durable. A proof that passes then proves
     * nothing.
     */
    public void dropBarrier() {
        hub.main().outputs.sabotage();
    }

    /** The state a log stands for, folded frame by frame beside a hub. */
    public static final class Fold {

        private final ShardState state;
        private final FrameCodec codec;

        public Fold(HubConfig config) {
            state = new ShardState(config.tasks());
            codec = new FrameCodec(config.registry());
        }

        /** Adds the next frame of the log. */
        public void add(long firstLsn, byte[] body) {
            state.fold(codec.read(firstLsn, ByteBuffer.wrap(body)), (lsn, frame, event) -> {});
        }

        /** Shows the events of a frame, without adding it. */
        public void read(long firstLsn, byte[] body, Reader reader) {
            List<Event> events = codec.read(firstLsn, ByteBuffer.wrap(body)).events();
            for (int i = 0; i < events.size(); i++) {
                reader.at(firstLsn + i, events.get(i));
            }
        }

        public byte[] stateBytes() {
            return state.snapshot();
        }
    }

    /** Sees events of a log in their order. */
    @FunctionalInterface
    public interface Reader {
        void at(long lsn, Event event);
    }
}
