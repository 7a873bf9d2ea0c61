package dev.harmovela.transport.link;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The hub's way to one session behind a link: a peer on the broker, or the link itself when it exports. On the
 * hub's executor.
 */
abstract class LinkWire implements Peer, Outbox.Sender {

    private static final int MOST_OUTSTANDING = 4096;
    /** What ids of the link's own events begin with. */
    private static final String OWN = "evt_link-";

    final LinkContext link;
    final String sessionId;
    final String source;
    private final String resumes;
    private final Set<String> outstanding = new LinkedHashSet<>();
    private @Nullable Connection connection;
    private boolean closed;

    LinkWire(LinkContext link, String sessionId, String source, String resumes) {
        this.link = link;
        this.sessionId = sessionId;
        this.source = source;
        this.resumes = resumes;
    }

    void connected(Connection opened) {
        connection = opened;
    }

    @Nullable Connection connection() {
        return closed ? null : connection;
    }

    boolean isClosed() {
        return closed;
    }

    // --- to the hub

    /** Sends an event in the name of the session; its answer, if it has one, stays here. */
    void say(String type, Json.Obj payload) {
        Connection open = connection();
        if (open != null) {
            String id = OWN + UUID.randomUUID();
            byte[] event = Json.Obj.builder()
                    .put("spec_version", "0.2")
                    .put("id", id)
                    .put("type", type)
                    .put("source", source)
                    .put("created_at", dev.harmovela.contract.Timestamps.format(System.currentTimeMillis()))
                    .put("session_id", sessionId)
                    .put("payload", payload)
                    .build()
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
            open.receive(event, 0, event.length);
        }
    }

    /** The session stays alive and its acknowledgements are not due while the broker is away (D37). */
    void stopClocks() {
        Connection open = connection();
        if (open != null) {
            open.alive();
            say(
                    "session.heartbeat",
                    Json.Obj.builder().put("extend", List.copyOf(outstanding)).build());
            open.batchEnd();
        }
    }

    /** A delivery was settled, so that it needs no more time. */
    void settled(@Nullable String eventId) {
        if (eventId != null) {
            outstanding.remove(eventId);
        }
    }

    /** The wire is gone; the session stays resumable. */
    void detach() {
        Connection open = connection();
        closed = true;
        if (open != null) {
            open.closed();
        }
    }

    // --- from the hub

    @Override
    public boolean writable() {
        return !closed && link.outbox().hasRoom();
    }

    @Override
    public void send(Message message) {
        byte[] bytes = message.toByteArray();
        if (!message.answer && message.headLength > 0) {
            if (outstanding.size() < MOST_OUTSTANDING) {
                outstanding.add(message.id);
            }
            queue(message.type, bytes, null);
            return;
        }
        Json.Obj event = Envelope.parse(bytes);
        String cause = event == null ? null : event.string("causation_id");
        if (message.answer && cause != null && cause.startsWith(OWN)) {
            ownAnswer(message.type, event == null ? Json.Obj.of() : event);
        } else if (!message.answer || event == null || !link.isSettledBy(this, event, message.type)) {
            queue(message.type, bytes, link.replyTo(cause));
        }
    }

    /** The hub's answer to something that the link said by itself. */
    void ownAnswer(String type, Json.Obj event) {
        if (type.endsWith(".rejected") || type.equals("session.error")) {
            link.failed("the hub refused the link's own event: " + error(event).message());
        }
    }

    static ProtocolError error(Json.Obj event) {
        Json.Obj payload = event.object("payload");
        Json.Obj error = payload == null ? null : payload.object("error");
        return error == null ? ProtocolError.of(ErrorCode.PROTOCOL_ERROR) : ProtocolError.parse(error);
    }

    final void queue(String type, byte[] bytes, @Nullable String replyTo) {
        if (!closed && !link.outbox().add(new Outbox.Item(this, type, bytes, resumes, replyTo))) {
            link.failed("session " + sessionId + " had to leave: too much waits for the broker");
            detach();
        }
    }

    @Override
    public void flush() {
        // the writing thread waits for nothing
    }

    @Override
    public void close(CloseReason reason, String text) {
        detach();
    }

    @Override
    public void refused(Json.Obj event, WriteRefused why) {
        Json.Obj delivery = event.object("delivery");
        link.figures().refused.increment();
        link.failed("the broker refused an event: " + why.getMessage());
        String id = event.string("id");
        if (delivery == null || delivery.string("cursor") == null || id == null) {
            return;
        }
        ProtocolError error = ProtocolError.of(
                        why.isTooLarge() ? ErrorCode.PAYLOAD_TOO_LARGE : ErrorCode.NOT_SUPPORTED,
                        "the broker: " + why.getMessage())
                .retryable(false);
        settled(id);
        say(
                "event.rejected",
                Json.Obj.builder()
                        .put("acknowledged_event_id", id)
                        .put("subscription_id", delivery.string("subscription_id"))
                        .put("error", error.toJson())
                        .build());
        endBatch();
    }

    void endBatch() {
        Connection open = connection();
        if (open != null) {
            open.batchEnd();
        }
    }
}
