package dev.harmovela.spi;

import dev.harmovela.contract.Limits;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What transports and surfaces see of the hub.
 *
 * <p>Every method but {@link #executor()} and {@link #limits()} is called on that executor, which is a single
 * owner: on a small machine the event loop itself. Callbacks run on it too.
 */
public interface Hub {

    /** The owner. Running on it already, {@code execute} may run inline. */
    Executor executor();

    Limits limits();

    /** Opens a wire. */
    Connection connect(Peer peer, WireInfo info);

    /**
     * Attaches a wire to an existing session: its deliveries flow to {@code peer}, replacing an older attachment.
     *
     * @param afterEventId the last event id the client saw (SSE {@code Last-Event-ID}), or null
     */
    Attachment attachSession(
            Peer peer, WireInfo info, String sessionId, @Nullable String afterEventId, @Nullable String fromCursor);

    /** Opens a wire of kind REQUEST that speaks for an existing session without taking its deliveries. */
    Attachment joinSession(Peer peer, WireInfo info, String sessionId);

    /** Attaches a wire to one subscription of the caller (SSE stream of the HTTP API). */
    Attachment attachSubscription(Peer peer, WireInfo info, String subscriptionId, @Nullable String fromCursor);

    /**
     * Hands out up to {@code limit} deliveries of one subscription, waiting up to {@code timeoutMillis} for the
     * first.
     */
    void pull(Caller caller, String subscriptionId, int limit, long timeoutMillis, Consumer<Pulled> done);

    /** Answers a question through the output barrier: the caller reads its own writes. */
    void ask(Caller caller, Ask ask, Consumer<Answer> done);

    /**
     * Does something that is no event.
     *
     * @param action {@code dlq.replay} or {@code dlq.discard}
     * @param args members as the HTTP interface takes them (D34)
     */
    void act(Caller caller, String action, dev.harmovela.contract.json.Json.Obj args, Consumer<Answer> done);

    /**
     * A transport turned a request away before the hub heard of it: the audit is told.
     *
     * @param transport short name of the transport profile
     * @param address what was addressed, without anything a client made up
     */
    default void turnedAway(String transport, String address, dev.harmovela.contract.ProtocolError error) {}

    /** Outcome of attaching. */
    sealed interface Attachment {
        record Attached(Connection connection) implements Attachment {}

        record Refused(dev.harmovela.contract.ProtocolError error) implements Attachment {}
    }

    /** Outcome of a pull: whole events as JSON bytes with their delivery block, in order. */
    sealed interface Pulled {
        record Events(List<byte[]> events, @Nullable String cursor) implements Pulled {}

        record Refused(dev.harmovela.contract.ProtocolError error) implements Pulled {}
    }
}
