package dev.harmovela.transport.link;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands what a broker delivered to the hub (D36–D38): whose it is, in which session it speaks, and what becomes of
 * what is no
 * event or is refused for good. On the hub's executor.
 */
final class Intake {

    /** Refusals that pass by themselves; all others are answers. */
    private static final Set<ErrorCode> PASSING = Set.of(
            ErrorCode.BUSY,
            ErrorCode.RATE_LIMITED,
            ErrorCode.TRANSPORT_UNAVAILABLE,
            ErrorCode.TIMEOUT,
            ErrorCode.ABORTED,
            ErrorCode.INTERNAL_ERROR);

    /** How often a message is tried that the hub cannot digest; a full disk is waited for as long as it takes. */
    private static final int MOST_TRIES = 8;

    private final LinkContext link;
    private final Peers peers;
    private final Map<Inbound, Integer> tries = new HashMap<>();
    private final Set<Connection> used = new LinkedHashSet<>();
    private final Anonymous anonymous = new Anonymous();
    private @Nullable Connection publishing;
    private @Nullable Batch batch;

    Intake(LinkContext link, Peers peers) {
        this.link = link;
        this.peers = peers;
    }

    /** Takes a batch; its future says what has to come again once everything else is durable. */
    void take(Batch next) {
        batch = next;
        used.clear();
        for (Inbound message : next.all()) {
            one(next, message);
        }
        for (Connection connection : Set.copyOf(used)) {
            connection.batchEnd();
            next.await();
            connection.fence(next::reached);
        }
        next.await();
        link.host().hub().executor().execute(() -> finish(next));
        next.reached();
    }

    private void finish(Batch over) {
        peers.sweep();
        tries.keySet().retainAll(over.all());
        over.reached();
    }

    private void one(Batch into, Inbound message) {
        String hub = message.header(Headers.HUB);
        LinkSettings settings = link.settings();
        if (hub != null
                && !(settings.mode() == LinkMode.IMPORT && settings.hubs().contains(hub))) {
            link.figures().skipped.increment();
            return;
        }
        byte[] body = message.body();
        if (body == null) {
            link.figures().lost.increment();
            letter(
                    message,
                    ProtocolError.because(ErrorCode.PROTOCOL_ERROR, "body_lost", "the broker no longer has its bytes"));
            return;
        }
        link.figures().read.increment();
        PeerWire named = peers.named(message.header(Headers.SESSION));
        if (body.length > settings.maxPayloadBytes()) {
            tooLarge(message, body, named);
            return;
        }
        Json.Obj event = Envelope.parse(body);
        String type = event == null ? null : event.string("type");
        String id = event == null ? null : event.string("id");
        if (event == null || type == null || (id == null && !type.startsWith("session."))) {
            unreadable(message, body, named);
            return;
        }
        if (id != null) {
            into.handed(id, message);
        }
        if (settings.mode() == LinkMode.IMPORT) {
            publish(marked(body));
        } else {
            speak(message, body, event, type);
        }
    }

    // --- sessions

    private void speak(Inbound message, byte[] body, Json.Obj event, String type) {
        String header = message.header(Headers.SESSION);
        String source = event.string("source");
        if (type.equals("session.open") || type.equals("session.opened")) {
            open(message, body, event, type);
            return;
        }
        String own = Envelope.session(event);
        boolean control = type.startsWith("session.") || type.startsWith("subscription.") || type.startsWith("event.");
        PeerWire peer = peers.named(header);
        if (peer == null && header == null) {
            PeerWire known = peers.named(own);
            peer = known != null && known.source.equals(source) ? known : null;
        }
        String wanted = header != null ? header : control ? own : null;
        if (peer == null && wanted != null) {
            peer = peers.comeBack(wanted, source == null ? "" : source);
        }
        if (peer != null) {
            say(peer, body, event, type);
        } else if (wanted != null) {
            letter(
                    message,
                    ProtocolError.because(
                                    ErrorCode.SESSION_ERROR,
                                    "no_session",
                                    "no session of that name is open on this link")
                            .with("session_id", wanted));
        } else {
            publish(body);
        }
    }

    private void say(PeerWire peer, byte[] body, Json.Obj event, String type) {
        peer.heard(System.currentTimeMillis());
        peer.confirmBefore(type);
        if (type.equals("event.acknowledged") || type.equals("event.rejected")) {
            Json.Obj payload = event.object("payload");
            peer.settled(payload == null ? null : payload.string("acknowledged_event_id"));
        }
        receive(peer.connection(), body);
    }

    /** Opens a session under the name that its opener chose, or resumes it. */
    private void open(Inbound message, byte[] body, Json.Obj event, String type) {
        String header = message.header(Headers.SESSION);
        String inside = Envelope.session(event);
        String id = inside != null ? inside : header;
        String source = event.string("source");
        if (id == null || source == null || (header != null && !header.equals(id))) {
            letter(
                    message,
                    ProtocolError.because(
                            ErrorCode.SESSION_ERROR,
                            "unnamed_session",
                            "on a broker session.open names its source and a session_id of its own choice"));
            return;
        }
        PeerWire known = peers.named(id);
        if ((known != null && !known.source.equals(source)) || !peers.maySpeak(source)) {
            letter(
                    message,
                    ProtocolError.unauthorized("forged_source", "source is not one that this link speaks for")
                            .with("source", source));
            return;
        }
        PeerWire peer = known == null ? peers.begin(id, source) : known;
        peer.heard(System.currentTimeMillis());
        receive(peer.connection(), inside == null ? Splice.member(body, "session_id", id) : body);
        if (type.equals("session.opened")) {
            peer.opened(true);
        }
    }

    // --- without a session

    private void publish(byte[] body) {
        receive(publishing(), body);
    }

    private Connection publishing() {
        Connection open = publishing;
        if (open == null) {
            WireInfo info = new WireInfo(
                    link.settings().kind().wire(), link.host().caller(link.settings(), null), WireInfo.Kind.REQUEST);
            open = link.host().hub().connect(anonymous, info);
            publishing = open;
        }
        return open;
    }

    private byte[] marked(byte[] body) {
        return Splice.member(body, Headers.IMPORTED, link.settings().name());
    }

    private void receive(@Nullable Connection connection, byte[] body) {
        if (connection != null) {
            used.add(connection);
            connection.receive(body, 0, body.length);
        }
    }

    // --- what is no event

    private void tooLarge(Inbound message, byte[] body, @Nullable PeerWire peer) {
        Connection connection = peer == null ? null : peer.connection();
        long most = link.settings().maxPayloadBytes();
        if (connection == null) {
            letter(message, ProtocolError.tooLarge(body.length, most));
        } else {
            used.add(connection);
            connection.receiveTooLarge(body.length, most);
        }
    }

    private void unreadable(Inbound message, byte[] body, @Nullable PeerWire peer) {
        if (peer != null && peer.connection() != null) {
            receive(peer.connection(), body);
        } else {
            letter(message, ProtocolError.of(ErrorCode.INVALID_ENVELOPE, "these bytes are no event"));
        }
    }

    /** Keeps what is refused for good and has no session to be told in, as it came (D38). */
    private void letter(Inbound message, ProtocolError error) {
        Batch into = batch;
        if (into == null) {
            return;
        }
        into.await();
        Json.Obj args = RawLetter.of(link.settings(), message, error);
        link.host().hub().act(link.host().caller(link.settings(), null), RawLetter.ACTION, args, answer -> {
            if (answer instanceof Answer.Failed) {
                into.retry(message);
            } else {
                link.figures().lettered.increment();
                link.failed("dead-lettered a message of " + message.place() + ": " + error.message());
            }
            into.reached();
        });
    }

    // --- answers

    /** Whether a refusal means that the message comes again, or that it is a letter. */
    boolean isSettledBy(@Nullable LinkWire wire, Json.Obj answer, String type) {
        Batch current = batch;
        Inbound message = current == null ? null : current.holding(answer.string("causation_id"));
        boolean isRefusal = type.endsWith(".rejected") || type.equals("session.error");
        if (current == null || message == null || !isRefusal) {
            return false;
        }
        ProtocolError error = LinkWire.error(answer);
        if (error.retryable() && PASSING.contains(error.code()) && mayTryAgain(message, error)) {
            current.retry(message);
            return true;
        }
        link.figures().refused.increment();
        if (message.replyTo() != null) {
            return false;
        }
        boolean untold = wire == null || type.equals("session.error");
        if (untold) {
            letter(message, error.retryable(false));
        }
        return untold;
    }

    private boolean mayTryAgain(Inbound message, ProtocolError error) {
        if (error.code() != ErrorCode.INTERNAL_ERROR || "storage_full".equals(error.reason())) {
            return true;
        }
        return tries.merge(message, 1, Integer::sum) < MOST_TRIES;
    }

    @Nullable String replyTo(@Nullable String eventId) {
        Inbound message = batch == null ? null : batch.holding(eventId);
        return message == null ? null : message.replyTo();
    }

    void close() {
        if (publishing != null) {
            publishing.closed();
            publishing = null;
        }
    }

    /** The way back of events that no session sent: refusals become letters, a reply subject gets its answer. */
    private final class Anonymous implements Peer, Outbox.Sender {

        @Override
        public boolean writable() {
            return true;
        }

        @Override
        public void send(Message message) {
            boolean refusal = message.type.endsWith(".rejected") || message.type.equals("session.error");
            Batch current = batch;
            if (!message.answer || current == null) {
                return;
            }
            byte[] bytes = message.toByteArray();
            boolean wantsReply = current.all().stream().anyMatch(one -> one.replyTo() != null);
            Json.Obj answer = refusal || wantsReply ? Envelope.parse(bytes) : null;
            if (answer == null || isSettledBy(null, answer, message.type)) {
                return;
            }
            String reply = replyTo(answer.string("causation_id"));
            if (reply != null) {
                link.outbox().add(new Outbox.Item(this, message.type, bytes, "0", reply));
            }
        }

        @Override
        public void flush() {
            // the writing thread waits for nothing
        }

        @Override
        public void close(CloseReason reason, String text) {
            if (publishing != null) {
                publishing.closed();
                publishing = null;
            }
        }

        @Override
        public Outbound address(Outbox.Item item, Json.Obj event) {
            String dedupe = Envelope.dedupe(event, item.resumes());
            String place = String.valueOf(item.replyTo());
            Map<String, String> headers =
                    Envelope.headers(event, link.host().identity().id(), dedupe);
            return new Outbound(place, null, item.body(), headers, dedupe, true);
        }

        @Override
        public void confirmed(java.util.List<Json.Obj> events) {
            // nobody waits for it
        }

        @Override
        public void refused(Json.Obj event, WriteRefused why) {
            link.failed("the broker refused an answer: " + why.getMessage());
        }

        @Override
        public void roomAgain() {
            // takes no deliveries
        }
    }

    /** Puts one more member into an event, in front of the others. */
    static final class Splice {

        private Splice() {}

        static byte[] member(byte[] body, String name, String value) {
            int at = 0;
            while (body[at] != '{') {
                at++;
            }
            byte[] head = ("{" + Json.of(name) + ":" + Json.of(value) + ",").getBytes(StandardCharsets.UTF_8);
            byte[] all = new byte[head.length + body.length - at - 1];
            System.arraycopy(head, 0, all, 0, head.length);
            System.arraycopy(body, at + 1, all, head.length, body.length - at - 1);
            return all;
        }
    }
}
