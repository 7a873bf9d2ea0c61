package dev.harmovela.runtime;

import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A hub in memory for whoever wants to talk to it without a network; each wire has a space of its own (D7, D24). */
public final class InProcessHub implements AutoCloseable {

    private final SmallHub small;

    private InProcessHub(SmallHub small) {
        this.small = small;
    }

    /** Starts one with every default. */
    public static InProcessHub start() {
        try {
            return new InProcessHub(new SmallHub(ConfigLoader.development(0), List.of()));
        } catch (IOException impossible) {
            throw new IllegalStateException("a hub in memory with default settings starts", impossible);
        }
    }

    /** Hears what the hub says, on the hub's thread. */
    public interface Listener {

        /**
         * A line from the hub.
         *
         * @param channel where a process would have written it
         */
        void line(String text, Channel channel);

        /** Nothing more will come. */
        void ended(String reason);
    }

    /** Where a process would have written a line. */
    public enum Channel {
        OUTPUT,
        DIAGNOSTICS
    }

    /** The client's side of a wire. Any thread. */
    public final class Wire implements AutoCloseable {

        private final Ears ears;

        private Wire(Ears ears) {
            this.ears = ears;
        }

        /** Sends one line. */
        public void send(String line) {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            small.hub().executor().execute(() -> ears.receive(bytes));
        }

        @Override
        public void close() {
            small.hub().executor().execute(ears::gone);
        }
    }

    /** Opens a wire into a fresh space. */
    public Wire connect(Listener listener) {
        Ears ears = new Ears(listener);
        small.hub().executor().execute(() -> ears.open(small));
        return new Wire(ears);
    }

    @Override
    public void close() {
        try {
            small.close();
        } catch (IOException impossible) {
            throw new IllegalStateException("a hub in memory closes", impossible);
        }
    }

    /** The hub's side of a wire; on the hub's thread. */
    private static final class Ears implements Peer {

        private final Listener listener;
        private @Nullable Connection connection;
        private boolean closed;

        private Ears(Listener listener) {
            this.listener = listener;
        }

        void open(SmallHub small) {
            connection = small.hub().connect(this, new WireInfo("inproc", Caller.implied(), WireInfo.Kind.DUPLEX));
        }

        void receive(byte[] bytes) {
            if (connection != null && !closed) {
                connection.receive(bytes, 0, bytes.length);
                connection.batchEnd();
            }
        }

        void gone() {
            if (connection != null && !closed) {
                closed = true;
                connection.closed();
            }
        }

        @Override
        public boolean writable() {
            return !closed;
        }

        @Override
        public void send(Message message) {
            String text = new String(message.toByteArray(), StandardCharsets.UTF_8);
            listener.line(text, message.diagnostic ? Channel.DIAGNOSTICS : Channel.OUTPUT);
        }

        @Override
        public void flush() {
            // each line was handed over when it was sent
        }

        @Override
        public void close(CloseReason reason, String text) {
            gone();
            listener.ended(reason + ": " + text);
        }
    }
}
