package dev.harmovela.testkit.sim;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.WireInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client: its connections, the session it believes to have, what it was delivered and what it published. */
final class Agent {

    /** A delivery that arrived and was not settled by this agent, or may be settled once more. */
    record Held(
            String eventId,
            String subscription,
            String type,
            @Nullable String taskId) {}

    final String identity;
    final List<AgentWire> wires = new ArrayList<>();
    final List<Held> held = new ArrayList<>();
    final List<Held> settled = new ArrayList<>();
    final List<String> subscriptions = new ArrayList<>();
    final List<Sent> publishes = new ArrayList<>();

    private final World world;
    /** Sessions of each wire as the hub told it. */
    private final Map<AgentWire, Set<String>> told = new HashMap<>();
    /** Sessions that each wire asked to go on with. */
    private final Map<AgentWire, Set<String>> wanted = new HashMap<>();
    /** Session whose subscriptions an opening asks to adopt, by the id of that message. */
    private final Map<String, String> adoptions = new HashMap<>();

    private @Nullable String session;
    private @Nullable String lostSession;

    Agent(World world, String identity) {
        this.world = world;
        this.identity = identity;
    }

    // --- connecting

    /** The newest connection that still stands, or null. */
    @Nullable AgentWire wire() {
        for (int i = wires.size() - 1; i >= 0; i--) {
            if (!wires.get(i).isGone() && !wires.get(i).isClosedByHub()) {
                return wires.get(i);
            }
        }
        return null;
    }

    AgentWire connect(int room) {
        AgentWire made = new AgentWire(world, this, world.nextNumber(), room);
        made.attach(world.machine.hub().connect(made, new WireInfo("websocket", Caller.open(), WireInfo.Kind.DUPLEX)));
        wires.add(made);
        return made;
    }

    /** Asks for a session on a wire: the one it had, when {@code resume}, else a new one. */
    void open(AgentWire wire, boolean resume, boolean share) {
        String id = world.nextId();
        Json.Builder event = world.envelope(id, "session.open", identity);
        String known = session;
        if (resume && known != null) {
            event.put("session_id", known);
            event.put("payload", share ? Json.Obj.builder().put("share", true).build() : Json.Obj.of());
        } else {
            String lost = lostSession;
            Json.Builder payload = Json.Obj.builder();
            if (lost != null) {
                payload.put("resume_session_id", lost);
                adoptions.put(id, lost);
            }
            Json.Obj capabilities = Json.Obj.builder()
                    .put("heartbeat_interval_ms", world.heartbeatMillis())
                    .build();
            event.put("payload", payload.put("capabilities", capabilities).build());
        }
        wire.toHub.add(new Sent(id, "session.open", event.build(), null));
    }

    /** The hub says that a wire speaks for a session. */
    void opened(AgentWire wire, String sessionId) {
        told.computeIfAbsent(wire, _ -> new LinkedHashSet<>()).add(sessionId);
    }

    Set<String> sessionsOn(AgentWire wire) {
        return told.getOrDefault(wire, Set.of());
    }

    /** Whether another connection that still stands has the session too. */
    boolean isOnAnother(AgentWire wire, String sessionId) {
        for (AgentWire other : wires) {
            boolean stands = other != wire && !other.isGone() && !other.isClosedByHub();
            if (stands && sessionsOn(other).contains(sessionId)) {
                return true;
            }
        }
        return false;
    }

    /** The hub took a wire's wish to go on with a session; the answer may be long in coming. */
    void resuming(AgentWire wire, String sessionId) {
        wanted.computeIfAbsent(wire, _ -> new LinkedHashSet<>()).add(sessionId);
    }

    /** Whether a later connection took over what a wire spoke for. */
    boolean isReplaced(AgentWire wire) {
        return wanted.entrySet().stream()
                .anyMatch(one -> one.getKey().number > wire.number
                        && one.getValue().stream().anyMatch(sessionsOn(wire)::contains));
    }

    /** Whether a second session takes what is meant for this identity. */
    boolean hasOther(AgentWire wire) {
        boolean other = sessionsOn(wire).size() > 1;
        for (AgentWire one : wires) {
            other |= one != wire
                    && !one.isGone()
                    && !one.isClosedByHub()
                    && !sessionsOn(one).isEmpty();
        }
        return other;
    }

    @Nullable String wantsToAdopt(String openingId) {
        return adoptions.get(openingId);
    }

    boolean hasSession() {
        return session != null;
    }

    String session() {
        return Objects.requireNonNull(session);
    }

    /** Forgets a wire that is gone and has nothing more to say. */
    void sweep() {
        for (AgentWire wire : List.copyOf(wires)) {
            if (wire.isClosedByHub() && !wire.isGone()) {
                wire.cut();
            }
            if (wire.isGone() && wire.toAgent.isEmpty()) {
                wires.remove(wire);
            }
        }
    }

    // --- sending

    /** Queues an event with this agent's session on a wire. */
    Sent send(AgentWire wire, String type, Json.Obj payload) {
        String id = world.nextId();
        Json.Builder event = world.envelope(id, type, identity);
        if (session != null) {
            event.put("session_id", session);
        }
        Sent message = new Sent(id, type, event.put("payload", payload).build(), null);
        wire.toHub.add(message);
        return message;
    }

    void acknowledge(AgentWire wire, Held delivery, boolean named) {
        send(wire, "event.acknowledged", settlement(delivery, named, null));
        held.remove(delivery);
        settled.add(delivery);
    }

    void refuse(AgentWire wire, Held delivery, String code, @Nullable Boolean retryable) {
        Json.Builder error = Json.Obj.builder().put("code", code).put("message", "no");
        if (retryable != null) {
            error.put("retryable", retryable.booleanValue());
        }
        send(wire, "event.rejected", settlement(delivery, true, error.build()));
        held.remove(delivery);
        settled.add(delivery);
    }

    private static Json.Obj settlement(Held delivery, boolean named, Json.@Nullable Obj error) {
        return Json.Obj.builder()
                .put("acknowledged_event_id", delivery.eventId())
                .put("subscription_id", named ? delivery.subscription() : null)
                .put("error", error)
                .build();
    }

    // --- receiving

    /** Takes the next message of a wire; returns whether there was one. */
    boolean read(AgentWire wire) {
        Json.Obj message = wire.read();
        if (message == null) {
            return false;
        }
        Json.Obj delivery = message.object("delivery");
        if (delivery != null) {
            deliver(message, delivery);
        } else {
            hear(wire, message);
        }
        return true;
    }

    private void deliver(Json.Obj message, Json.Obj delivery) {
        if (delivery.has("sequence")) {
            Held one = new Held(
                    Oracle.string(message, "id"),
                    Oracle.string(delivery, "subscription_id"),
                    Oracle.string(message, "type"),
                    message.string("task_id"));
            if (!held.contains(one)) {
                held.add(one);
            }
        }
    }

    private void hear(AgentWire wire, Json.Obj message) {
        Json.Obj payload = message.object("payload");
        Json.Obj error = payload == null ? null : payload.object("error");
        switch (Oracle.string(message, "type")) {
            case "session.opened" -> {
                String opened = Oracle.string(message, "session_id");
                if (!opened.equals(session)) {
                    forget();
                }
                session = opened;
                lostSession = null;
                send(wire, "session.ready", Json.Obj.of());
            }
            case "session.error" -> failed(message, error);
            case "session.closed" -> forget();
            case "subscription.created" -> {
                String id = payload == null ? null : payload.string("subscription_id");
                if (id != null && !subscriptions.contains(id)) {
                    subscriptions.add(id);
                }
            }
            case "event.rejected" -> {
                if (error != null && "session_closed".equals(error.string("code"))) {
                    forget();
                }
            }
            default -> {
                // an answer or a notice that changes nothing here
            }
        }
    }

    private void failed(Json.Obj message, Json.@Nullable Obj error) {
        String code = error == null ? "" : error.string("code");
        boolean mine = session != null && session.equals(message.string("session_id"));
        if ("session_timeout".equals(code) && mine) {
            String lost = session;
            forget();
            lostSession = lost;
        } else if (mine && ("session_closed".equals(code) || "session_error".equals(code))) {
            forget();
        }
    }

    /** The session is over for this agent, and everything that hung on it. */
    void forget() {
        session = null;
        lostSession = null;
        held.clear();
        settled.clear();
        subscriptions.clear();
    }
}
