package dev.harmovela.runtime.cases;

import dev.harmovela.contract.json.Json;
import dev.harmovela.grpc.GrpcCall;
import dev.harmovela.grpc.GrpcEnd;
import dev.harmovela.grpc.GrpcSocket;
import dev.harmovela.runtime.Daemon;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/** An agent on a gRPC stream that sees every message itself and acknowledges nothing by itself. One thread. */
final class GrpcAgent implements AutoCloseable {

    private final String identity;
    private final GrpcSocket socket;
    private final List<Json.Obj> heard = new ArrayList<>();
    private String sessionId = "";

    private GrpcAgent(String identity, GrpcSocket socket) {
        this.identity = identity;
        this.socket = socket;
    }

    /** Opens a session on a stream of its own. */
    static GrpcAgent open(Daemon hub, String identity) throws Exception {
        GrpcAgent agent = connect(hub, identity, Map.of());
        agent.send("session.open", "");
        Json.Obj opened = agent.await(one -> "session.opened".equals(one.string("type")));
        agent.sessionId = Objects.requireNonNull(opened.string("session_id"));
        agent.send("session.ready", "\"session_id\":\"" + agent.sessionId + "\"");
        return agent;
    }

    /** A stream with these metadata and nothing sent on it. */
    static GrpcAgent connect(Daemon hub, String identity, Map<String, String> metadata) throws Exception {
        String address = Objects.requireNonNull(hub.grpcAddress());
        return new GrpcAgent(identity, GrpcSocket.connect(address, metadata, Running.PATIENCE));
    }

    GrpcSocket socket() {
        return socket;
    }

    GrpcCall call() {
        return socket.call();
    }

    String sessionId() {
        return sessionId;
    }

    String send(String type, String members) throws Exception {
        Json.Obj event = Events.of(type, identity, members);
        socket.send(event.toString());
        return Objects.requireNonNull(event.string("id"));
    }

    String subscribe(String filter) throws Exception {
        Json.Obj created = answer(send("subscription.requested", "\"payload\":" + filter));
        return Objects.requireNonNull(
                Objects.requireNonNull(created.object("payload")).string("subscription_id"));
    }

    Json.Obj answer(String eventId) throws Exception {
        return await(one -> eventId.equals(one.string("causation_id")) && !one.has("delivery"));
    }

    Json.Obj delivery() throws Exception {
        return await(one -> one.has("delivery"));
    }

    Json.Obj deliveryOf(String type) throws Exception {
        return await(one -> one.has("delivery") && type.equals(one.string("type")));
    }

    void ack(Json.Obj delivery) throws Exception {
        socket.send(Events.ack(identity, delivery).toString());
    }

    Json.Obj await(Predicate<Json.Obj> wanted) throws Exception {
        for (Json.Obj one : heard) {
            if (wanted.test(one)) {
                heard.remove(one);
                return one;
            }
        }
        while (true) {
            String text = socket.receive(Running.PATIENCE);
            if (text == null) {
                throw new AssertionError("it did not come; ended " + socket.end() + ", heard " + heard);
            }
            Json.Obj next = (Json.Obj) Json.parse(text);
            if (wanted.test(next)) {
                return next;
            }
            heard.add(next);
        }
    }

    /** How the stream ends; what comes before that is kept. */
    GrpcEnd awaitEnd() throws Exception {
        for (String text = socket.receive(Running.PATIENCE); text != null; text = socket.receive(Running.PATIENCE)) {
            heard.add((Json.Obj) Json.parse(text));
        }
        return Objects.requireNonNull(socket.end(), "the stream does not end");
    }

    List<Json.Obj> heard() {
        return heard;
    }

    @Override
    public void close() {
        socket.close();
    }
}
