package dev.harmovela.runtime.cases;

import dev.harmovela.client.RawSocket;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An agent on a WebSocket that sees every message itself and acknowledges nothing by itself. One thread. */
final class Agent implements AutoCloseable {

    private final String identity;
    private final RawSocket socket;
    private final List<Json.Obj> heard = new ArrayList<>();
    private String sessionId = "";

    private Agent(String identity, RawSocket socket) {
        this.identity = identity;
        this.socket = socket;
    }

    static Agent open(URI hub, String identity) throws Exception {
        return new Agent(identity, RawSocket.connect(hub, null, Running.PATIENCE)).begin("");
    }

    static Agent resume(URI hub, String identity, String sessionId) throws Exception {
        return new Agent(identity, RawSocket.connect(hub, null, Running.PATIENCE))
                .begin("\"session_id\":\"" + sessionId + "\"");
    }

    private Agent begin(String members) throws Exception {
        send("session.open", members);
        Json.Obj opened = await(one -> "session.opened".equals(one.string("type")));
        sessionId = Objects.requireNonNull(opened.string("session_id"));
        send("session.ready", "\"session_id\":\"" + sessionId + "\"");
        return this;
    }

    RawSocket socket() {
        return socket;
    }

    String sessionId() {
        return sessionId;
    }

    /** Sends an event given by some of its members; its id. */
    String send(String type, String members) {
        Json.Obj event = Events.of(type, identity, members);
        send(event);
        return Objects.requireNonNull(event.string("id"));
    }

    void send(Json.Obj event) {
        socket.send(event.toString());
    }

    String subscribe(String filter) throws Exception {
        String id = send("subscription.requested", "\"payload\":" + filter);
        Json.Obj created = answer(id);
        return Objects.requireNonNull(
                Objects.requireNonNull(created.object("payload")).string("subscription_id"));
    }

    /** The direct answer to an event. */
    Json.Obj answer(String eventId) throws Exception {
        return await(one -> eventId.equals(one.string("causation_id")) && !one.has("delivery"));
    }

    /** Waits until everything sent before has taken effect and is durable. */
    void fence() throws Exception {
        answer(send("session.heartbeat", ""));
    }

    /** The next delivery. */
    Json.Obj delivery() throws Exception {
        return await(one -> one.has("delivery"));
    }

    List<Json.Obj> deliveries(int count) throws Exception {
        List<Json.Obj> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.add(delivery());
        }
        return some;
    }

    /** Deliveries that came before the answer to a heartbeat sent now. */
    List<Json.Obj> deliveriesSoFar() throws Exception {
        String fence = send("session.heartbeat", "");
        List<Json.Obj> some = new ArrayList<>();
        while (true) {
            Json.Obj next = await(one -> one.has("delivery") || fence.equals(one.string("causation_id")));
            if (!next.has("delivery")) {
                return some;
            }
            some.add(next);
        }
    }

    void ack(Json.Obj delivery) {
        send(Events.ack(identity, delivery));
    }

    void nack(Json.Obj delivery, String code) {
        send(Events.nack(identity, delivery, code));
    }

    /** The first message of a kind that was not taken yet. */
    Json.Obj await(Predicate<Json.Obj> wanted) throws Exception {
        for (Json.Obj one : heard) {
            if (wanted.test(one)) {
                heard.remove(one);
                return one;
            }
        }
        while (true) {
            Json.Obj next = receive();
            if (next == null) {
                throw new AssertionError("it did not come; closed " + socket.closeCode() + ", heard " + heard);
            }
            if (wanted.test(next)) {
                return next;
            }
            heard.add(next);
        }
    }

    private Json.@Nullable Obj receive() throws Exception {
        String text = socket.receive(Running.PATIENCE);
        return text == null ? null : (Json.Obj) Json.parse(text);
    }

    /** The code with which the connection ends. */
    int awaitClose() throws Exception {
        for (Json.Obj next = receive(); next != null; next = receive()) {
            heard.add(next);
        }
        return socket.closeCode();
    }

    /** Leaves without a word; the session stays. */
    void cut() {
        socket.abort();
    }

    @Override
    public void close() {
        socket.close();
    }
}
