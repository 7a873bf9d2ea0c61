package dev.harmovela.cli;

import dev.harmovela.client.RawSocket;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An agent that does by hand what the client library does by itself, so that its connection can be cut. One thread. */
final class DemoReader implements AutoCloseable {

    private final RawSocket socket;
    private final String identity;
    private final Deque<Json.Obj> deliveries = new ArrayDeque<>();
    private String sessionId = "";
    private String subscriptionId = "";

    private DemoReader(RawSocket socket, String identity) {
        this.socket = socket;
        this.identity = identity;
    }

    /** Connects and opens a session, or goes on in one that lost its connection. */
    static DemoReader open(URI hub, String identity, @Nullable String session)
            throws IOException, InterruptedException {
        DemoReader reader = new DemoReader(RawSocket.connect(hub, null, DemoStage.PATIENCE), identity);
        Json.Builder open = Json.Obj.builder().put("session_id", session);
        open.put(
                "capabilities",
                Json.Obj.builder().put("profiles", List.of("harmovela.core.v1")).build());
        Json.Obj opened = reader.ask("session.open", open.build());
        reader.sessionId = String.valueOf(opened.string("session_id"));
        if (session == null) {
            reader.send(
                    "session.ready",
                    Json.Obj.builder().put("session_id", reader.sessionId).build());
        }
        return reader;
    }

    String sessionId() {
        return sessionId;
    }

    void subscribe(List<String> types) throws IOException, InterruptedException {
        Json.Obj created = ask(
                "subscription.requested", Json.Obj.builder().put("types", types).build());
        Json.Obj payload = created.object("payload");
        subscriptionId = String.valueOf(payload == null ? null : payload.string("subscription_id"));
    }

    Json.Obj nextDelivery() throws IOException, InterruptedException {
        while (deliveries.isEmpty()) {
            hear();
        }
        return deliveries.remove();
    }

    void acknowledge(Json.Obj event) {
        Json.Obj block = event.object("delivery");
        send(
                "event.acknowledged",
                Json.Obj.builder()
                        .put("acknowledged_event_id", event.string("id"))
                        .put("subscription_id", block == null ? subscriptionId : block.string("subscription_id"))
                        .build());
    }

    /** Returns after the hub has dealt with everything sent before. */
    void fence() throws IOException, InterruptedException {
        ask("session.heartbeat", Json.Obj.builder().put("session_id", sessionId).build());
    }

    /** Breaks the connection as a pulled plug would. */
    void cut() {
        socket.abort();
    }

    private String send(String type, Json.Obj payload) {
        String id = "evt_" + UUID.randomUUID();
        socket.send(Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", id)
                .put("type", type)
                .put("source", identity)
                .put("created_at", Instants.now())
                .put("session_id", payload.string("session_id"))
                .put("capabilities", payload.object("capabilities"))
                .put("payload", payload)
                .build()
                .toString());
        return id;
    }

    /** Sends and waits for the direct answer. */
    private Json.Obj ask(String type, Json.Obj payload) throws IOException, InterruptedException {
        String id = send(type, payload);
        while (true) {
            Json.Obj heard = hear();
            if (id.equals(heard.string("causation_id"))) {
                return heard;
            }
        }
    }

    /** The next event; a delivery is kept for {@link #nextDelivery} too. */
    private Json.Obj hear() throws IOException, InterruptedException {
        String line = socket.receive(DemoStage.PATIENCE);
        if (line == null) {
            throw new IOException("the hub fell silent (close code " + socket.closeCode() + ")");
        }
        Json.Obj event = Json.parse(line) instanceof Json.Obj object ? object : Json.Obj.of();
        Json.Obj block = event.object("delivery");
        if (block != null && block.has("subscription_id")) {
            deliveries.add(event);
        }
        return event;
    }

    @Override
    public void close() {
        socket.close();
    }
}
