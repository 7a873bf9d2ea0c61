package dev.harmovela.testkit.hub;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One wire in the hands of a test: what it sends goes in at once, what comes back waits in a list. */
public final class TestWire implements Peer {

    private final TestHub hub;
    private final List<Json.Obj> received = new ArrayList<>();
    private final List<Json.Obj> diagnostics = new ArrayList<>();
    private @Nullable Connection connection;
    private @Nullable CloseReason closed;
    private @Nullable String sessionId;
    private boolean writable = true;
    private boolean unflushed;
    private int ids;

    private String speaker = "agent:a";

    TestWire(TestHub hub) {
        this.hub = hub;
    }

    void attach(Connection made) {
        connection = made;
    }

    public Connection connection() {
        return Objects.requireNonNull(connection);
    }

    // --- sending

    /** Sends one line as it is. */
    public TestWire raw(String line) {
        feed(line);
        end();
        return this;
    }

    /** Sends one line without ending the batch. */
    public TestWire feed(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        connection().receive(bytes, 0, bytes.length);
        return this;
    }

    public void end() {
        connection().batchEnd();
        hub.drain();
    }

    /**
     * Sends an event given by some of its members; version, id, source, time and an empty payload are filled in.
     *
     * @return the id of the event
     */
    public String send(String members) {
        Json.Obj given = (Json.Obj) Json.parse("{" + members + "}");
        String id = given.string("id") == null ? "e" + ++ids + "_" + System.identityHashCode(this) : given.string("id");
        Json.Builder event = Json.Obj.builder().put("spec_version", "0.2").put("id", id);
        event.put("source", given.string("source") == null ? speaker : given.string("source"));
        event.put("created_at", Timestamps.format(hub.now()));
        for (String name : given.names()) {
            if (!name.equals("id") && !name.equals("source")) {
                event.put(name, given.raw(name));
            }
        }
        if (!given.has("payload")) {
            event.put("payload", Json.Obj.of());
        }
        raw(event.build().toString());
        return Objects.requireNonNull(id);
    }

    /** From now on events that name no source are this identity's. */
    public TestWire as(String identity) {
        speaker = identity;
        return this;
    }

    /** Opens a session by the seed's handshake and confirms it; clears what was received. */
    public TestWire open(String identity) {
        return open(identity, "{}");
    }

    public TestWire open(String identity, String capabilities) {
        comeBack(identity, capabilities);
        received.clear();
        return this;
    }

    /** The same, keeping what was received: what waited for the identity is there already. */
    public TestWire comeBack(String identity, String capabilities) {
        raw("{\"type\":\"session.open\",\"source\":\"" + identity + "\",\"capabilities\":" + capabilities + "}");
        sessionId = last("session.opened").string("session_id");
        raw("{\"type\":\"session.ready\",\"session_id\":\"" + sessionId + "\"}");
        return this;
    }

    public String sessionId() {
        return Objects.requireNonNull(sessionId);
    }

    /** Subscribes; returns the id of the subscription. */
    public String subscribe(String filter) {
        send("\"type\":\"subscription.requested\",\"payload\":" + filter);
        Json.Obj created = last("subscription.created");
        received.remove(created);
        return Objects.requireNonNull(
                Objects.requireNonNull(created.object("payload")).string("subscription_id"));
    }

    /** Acknowledges a delivery. */
    public TestWire ack(Json.Obj delivery) {
        send("\"type\":\"event.acknowledged\",\"payload\":{\"acknowledged_event_id\":\"" + delivery.string("id")
                + "\",\"subscription_id\":\""
                + Objects.requireNonNull(delivery.object("delivery")).string("subscription_id") + "\"}");
        return this;
    }

    // --- what came back

    /** Everything received since the last {@link #clear}. */
    public List<Json.Obj> received() {
        return List.copyOf(received);
    }

    public List<Json.Obj> diagnostics() {
        return List.copyOf(diagnostics);
    }

    public TestWire clear() {
        received.clear();
        return this;
    }

    public List<Json.Obj> received(String type) {
        return received.stream().filter(one -> type.equals(one.string("type"))).toList();
    }

    /** Copies of events, best-effort ones too. */
    public List<Json.Obj> deliveries() {
        return received.stream().filter(one -> one.has("delivery")).toList();
    }

    public List<Json.Obj> deliveries(String type) {
        return deliveries().stream()
                .filter(one -> type.equals(one.string("type")))
                .toList();
    }

    /** The newest message of a type; fails when there is none. */
    public Json.Obj last(String type) {
        List<Json.Obj> some = received(type);
        if (some.isEmpty()) {
            throw new AssertionError("no " + type + " among " + received);
        }
        return some.get(some.size() - 1);
    }

    /** The direct answer to an event. */
    public Json.Obj answerTo(String eventId) {
        for (Json.Obj one : received) {
            if (eventId.equals(one.string("causation_id")) && !one.has("delivery")) {
                return one;
            }
        }
        throw new AssertionError("no answer to " + eventId + " among " + received);
    }

    /** Code of the refusal of an event, or null when it was not refused. */
    public @Nullable String refusal(String eventId) {
        Json.Obj payload = answerTo(eventId).object("payload");
        Json.Obj error = payload == null ? null : payload.object("error");
        return error == null ? null : error.string("code");
    }

    public @Nullable CloseReason closed() {
        return closed;
    }

    // --- the wire itself

    /** The other side vanishes. */
    public void cut() {
        connection().closed();
        hub.drain();
    }

    public void writable(boolean now) {
        boolean was = writable;
        writable = now;
        if (now && !was) {
            connection().writable();
            hub.drain();
        }
    }

    @Override
    public boolean writable() {
        return writable && closed == null;
    }

    @Override
    public void send(Message message) {
        byte[] bytes = message.toByteArray();
        Json.Obj event = (Json.Obj) Json.parse(bytes, 0, bytes.length);
        (message.diagnostic ? diagnostics : received).add(event);
        unflushed = true;
    }

    @Override
    public void flush() {
        unflushed = false;
    }

    /** Whether something was sent and not flushed. */
    public boolean unflushed() {
        return unflushed;
    }

    @Override
    public void close(CloseReason reason, String text) {
        closed = reason;
    }
}
