package dev.harmovela.harness;

import dev.harmovela.contract.Cursor;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.delivery.Delivery;
import dev.harmovela.harness.delivery.Departure;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Direct answers (D26): exactly one for each inbound event, queued behind the log position it depends on.
 *
 * <p>They are no events of the log: nothing stores, numbers or routes them.
 */
final class Replies {

    /** Identity of the hub. */
    static final String HUB = "harness:harmovela";

    private final Shard shard;
    private final Wording wording;

    Replies(Shard shard) {
        this.shard = shard;
        this.wording = new Wording(shard);
    }

    /** {@code event.acknowledged}; {@code lsn} 0 means that nothing was stored. */
    void acknowledged(Input in, long lsn, boolean duplicate, @Nullable String taskId) {
        shard.outputs.add(new Acknowledged(shard, in, lsn, duplicate, taskId));
    }

    private final class Acknowledged extends Outputs.Output {
        private final Conn conn;
        private final Event event;
        private final int bytes;
        private final long lsn;
        private final boolean duplicate;
        private final @Nullable String taskId;

        Acknowledged(Shard shard, Input in, long lsn, boolean duplicate, @Nullable String taskId) {
            super(shard.tag());
            this.conn = in.conn();
            this.event = in.event();
            this.bytes = in.bytes();
            this.lsn = lsn;
            this.duplicate = duplicate;
            this.taskId = taskId;
        }

        @Override
        void leave() {
            conn.send(wording.acknowledged(event, lsn, duplicate, taskId));
            conn.answered(bytes);
        }
    }

    /** No answer is due, as for a consumer's acknowledgement; the wire gets its credit back. */
    void silent(Input in) {
        int bytes = in.bytes();
        Conn conn = in.conn();
        shard.outputs.add(new Outputs.Run(shard.tag(), () -> conn.answered(bytes)));
    }

    /** The answer to input that could not be read as an event. */
    void unreadable(Conn conn, EventReader.Read.Bad bad, int bytes) {
        shard.tally.refused(bad.first().code());
        shard.denials.unreadable(conn, bad);
        EventType type = bad.type() == null ? null : shard.config.registry().find(bad.type());
        boolean opening = type != null
                && (type.name().equals("session.open") || type.name().equals("session.opened"));
        if (opening && bad.first().code() == ErrorCode.UNSUPPORTED_VERSION) {
            answer(conn, bytes, shard.sessions.sessionError(null, bad.id(), bad.first()), false);
            return;
        }
        EventDraft draft = refusal(type != null && bad.envelopeValid() ? type : null, bad.source());
        draft.causationId(bad.id()).correlationId(bad.correlationId()).taskId(bad.taskId());
        answer(conn, bytes, refusalPayload(draft, bad.first(), bad.all()).build(), !bad.json());
    }

    /** The refusal of a readable event, by its family's own type where D25 says so. */
    void refused(Input in, ProtocolError error) {
        refused(in.conn(), in.event(), error, List.of(error), in.bytes());
    }

    void refused(Conn conn, @Nullable Event event, ProtocolError error, List<ProtocolError> all, int bytes) {
        shard.tally.refused(error.code());
        shard.denials.event(conn, event, error);
        EventDraft draft = refusal(event == null ? null : event.type(), event == null ? null : event.source());
        if (event != null) {
            draft.causationId(blankToNull(event.id()))
                    .sessionId(event.sessionId())
                    .correlationId(event.correlationId())
                    .taskId(event.taskId());
        }
        answer(conn, bytes, refusalPayload(draft, error, all).build(), false);
    }

    /** An unauthorised subscription is refused by {@code event.rejected} and not by its family (D25). */
    void unauthorized(Input in, ProtocolError error) {
        shard.tally.refused(error.code());
        shard.denials.event(in.conn(), in.event(), error);
        Event event = in.event();
        EventDraft draft = draft("event.rejected")
                .causationId(blankToNull(event.id()))
                .sessionId(event.sessionId())
                .correlationId(event.correlationId())
                .taskId(event.taskId());
        answer(
                in.conn(),
                in.bytes(),
                refusalPayload(draft, error, List.of(error)).build(),
                false);
    }

    private EventDraft refusal(@Nullable EventType type, @Nullable String requester) {
        String name = type == null ? null : rejectedTypeOf(type);
        EventDraft draft = draft(name == null ? "event.rejected" : name);
        return name == null ? draft : draft.target(requester);
    }

    private static @Nullable String rejectedTypeOf(EventType type) {
        return switch (type.name()) {
            case "command.requested" -> "command.rejected";
            case "query.requested" -> "query.rejected";
            case "subscription.requested" -> "subscription.rejected";
            case "delegation.requested" -> "delegation.rejected";
            case "tool.call.requested" -> "tool.call.rejected";
            default -> null;
        };
    }

    private static EventDraft refusalPayload(EventDraft draft, ProtocolError error, List<ProtocolError> all) {
        String reason = error.reason();
        return draft.payload(Json.Obj.builder()
                .put("reason", reason.isEmpty() ? error.wireCode() : reason)
                .put("error", error.toJson())
                .put(
                        "errors",
                        new Json.Arr(
                                all.stream().<Json>map(ProtocolError::toJson).toList()))
                .build());
    }

    /** A fresh event of the hub. */
    EventDraft draft(String type) {
        return EventDraft.of(
                shard.config.registry().require(type), shard.hub.ids().next("evt"), HUB, shard.now());
    }

    /** Queues a direct answer. */
    void answer(Conn conn, int bytes, Event event, boolean diagnostic) {
        shard.outputs.add(new Outputs.Run(shard.tag(), () -> {
            conn.send(wording.answer(event, diagnostic));
            conn.answered(bytes);
        }));
    }

    /**
     * Queues an event of the hub that answers nothing and is not stored ({@code session.ready}, {@code
     * session.error} …).
     */
    void tell(Conn conn, Event event) {
        shard.outputs.add(new Outputs.Run(shard.tag(), () -> conn.send(wording.notice(event))));
    }

    /** Queues one delivery. */
    void deliver(Conn conn, Delivery delivery, Departure departure) {
        shard.outputs.add(new Delivering(shard.tag(), conn, delivery, departure));
    }

    private final class Delivering extends Outputs.Output {
        private final Conn conn;
        private final Delivery delivery;
        private final Departure departure;

        Delivering(long tag, Conn conn, Delivery delivery, Departure departure) {
            super(tag);
            this.conn = conn;
            this.delivery = delivery;
            this.departure = departure;
        }

        @Override
        void leave() {
            departure.left(shard.now());
            if (!conn.isClosed()) {
                conn.send(delivery(delivery, conn.caller(), conn.rights()));
                handedOver(delivery);
            }
            conn.delivered();
        }
    }

    /** A copy as the consumer may see it. */
    Message delivery(Delivery copy, Caller to, Rights rights) {
        String target = copy.event().target();
        boolean inbox = shard.kind == Shard.Kind.IMPLIED
                || (target != null && copy.subscription().equals(Subscription.inboxId(to.tenant(), target)));
        byte[] body = Redactor.bytes(copy.event(), shard.hub.callers().quotas().of(to.tenant()), rights, inbox);
        return wording.delivery(copy, body);
    }

    /** A copy is on its way to the consumer. */
    void handedOver(Delivery delivery) {
        if (shard.tracking.wanted()) {
            shard.tracking.delivered(delivery);
        }
    }

    /** Text of the cursor at a position. */
    String cursor(long lsn) {
        return new Cursor(shard.journal.id(), lsn).text();
    }

    static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    /** What everybody hears who wants something new of a hub that stops. */
    static ProtocolError goingAway() {
        return ProtocolError.because(
                ErrorCode.TRANSPORT_UNAVAILABLE,
                Shard.DRAINING,
                "the hub is shutting down: come back when it runs again");
    }
}
