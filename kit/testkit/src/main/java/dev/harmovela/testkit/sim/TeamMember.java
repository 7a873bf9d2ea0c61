package dev.harmovela.testkit.sim;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An agent at joint work: what it was asked, which proofs it holds, and its one wire. */
final class TeamMember implements Peer {

    /** A command or query that waits for an answer, also one that this member has answered already. */
    record Asked(String kind, String requester, String correlationId, String eventId) {}

    /** A proof that lets a handover be completed, also one that was used. */
    record Proof(String taskId, String delegate, String token) {}

    private static final int REMEMBERED = 12;

    final String identity;
    final List<Asked> asked = new ArrayList<>();
    final List<Proof> proofs = new ArrayList<>();
    final List<String> offered = new ArrayList<>();
    /** Tasks it submitted for whoever takes them. */
    final List<String> own = new ArrayList<>();

    private final Machine machine;
    private final Team team;
    private @Nullable Connection connection;
    private @Nullable String session;

    TeamMember(Team team, Machine machine, String identity) {
        this.team = team;
        this.machine = machine;
        this.identity = identity;
    }

    // --- sending

    /** Comes with a new session on a new wire, or comes back. */
    void attach(boolean pool) {
        connection = machine.hub().connect(this, new WireInfo("websocket", Caller.open(), WireInfo.Kind.DUPLEX));
        Json.Builder capabilities = Json.Obj.builder().put("pools", pool ? List.of("pool:crew") : List.of());
        say(
                "session.open",
                Json.Obj.builder()
                        .put(
                                "payload",
                                Json.Obj.builder()
                                        .put("capabilities", capabilities.build())
                                        .build())
                        .build());
        machine.settle();
        if (session != null) {
            say(
                    "session.ready",
                    Json.Obj.builder().put("payload", Json.Obj.of()).build());
            machine.settle();
        }
    }

    boolean isThere() {
        return connection != null && session != null;
    }

    /** The wire breaks, or the machine went down. */
    void lose(boolean told) {
        Connection gone = connection;
        connection = null;
        session = null;
        if (told && gone != null) {
            gone.closed();
        }
    }

    /** Sends an event with those members; returns its id. */
    String say(String type, Json.Obj members) {
        String id = team.nextId();
        Json.Builder event = Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", id)
                .put("type", type)
                .put("source", identity)
                .put("created_at", Timestamps.format(machine.now()))
                .put("session_id", session);
        members.names().forEach(name -> event.put(name, members.get(name)));
        if (!members.has("payload")) {
            event.put("payload", Json.Obj.of());
        }
        byte[] bytes = event.build().toString().getBytes(StandardCharsets.UTF_8);
        if (connection != null) {
            connection.receive(bytes, 0, bytes.length);
            connection.batchEnd();
        }
        return id;
    }

    // --- hearing

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void send(Message message) {
        byte[] bytes = message.toByteArray();
        Json.Obj event = (Json.Obj) Json.parse(bytes, 0, bytes.length);
        team.left(event);
        Json.Obj delivery = event.object("delivery");
        String type = String.valueOf(event.string("type"));
        if (delivery != null && delivery.has("sequence")) {
            team.later(this, event);
        }
        switch (type) {
            case "session.opened" -> session = event.string("session_id");
            case "command.requested", "query.requested" ->
                remember(
                        asked,
                        new Asked(
                                type.substring(0, type.indexOf('.')),
                                String.valueOf(event.string("source")),
                                String.valueOf(event.string("correlation_id")),
                                String.valueOf(event.string("id"))));
            case "delegation.requested" -> remember(offered, String.valueOf(event.string("task_id")));
            case "delegation.accepted" -> {
                String token = event.string("handoff_token");
                if (token != null) {
                    remember(
                            proofs,
                            new Proof(
                                    String.valueOf(event.string("task_id")),
                                    String.valueOf(event.string("delegated_to")),
                                    token));
                }
            }
            default -> {
                // nothing to act upon
            }
        }
    }

    private static <T> void remember(List<T> some, T one) {
        some.remove(one);
        some.add(one);
        if (some.size() > REMEMBERED) {
            some.removeFirst();
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close(CloseReason reason, String text) {
        session = null;
        connection = null;
    }
}
