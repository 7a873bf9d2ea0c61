package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wire between A2A and one tenant of the hub. It subscribes to tasks and messages from the earliest event that is
 * held, so that a restarted hub knows its tasks again, and closes tasks that were answered directly. On the hub's
 * executor only.
 */
final class Bridge implements Peer {

    /** Who reads for A2A. */
    static final String IDENTITY = "agent:a2a-bridge";

    /** Pause before a lost wire is opened again, in milliseconds. */
    private static final long AGAIN = 1_000;

    private final Hub hub;
    private final Loop loop;
    private final String tenant;
    private final Tasks tasks;
    private final List<Waiter> waiting = new ArrayList<>();
    private @Nullable Connection connection;
    private boolean ready;
    /** Behind which event reading goes on after the wire was lost. */
    private String cursor = "earliest";

    /** Something that needs the tasks as the hub has them. */
    @FunctionalInterface
    interface Work {
        void run() throws Refusal;
    }

    private record Waiter(Work work, Consumer<Refusal> refused) {
        void go() {
            try {
                work.run();
            } catch (Refusal refusal) {
                refused.accept(refusal);
            }
        }
    }

    Bridge(Hub hub, Loop loop, String tenant) {
        this.hub = hub;
        this.loop = loop;
        this.tenant = tenant;
        this.tasks = new Tasks(this::closeAnswered);
    }

    Tasks tasks() {
        return tasks;
    }

    static Caller caller(String tenant) {
        Credential credential = new Credential("a2a", List.of("admin"), List.of("*"), List.of("*"), Long.MAX_VALUE);
        return Caller.verified(IDENTITY, tenant, credential);
    }

    /** Does {@code work} once everything that the hub holds has been read; refused when the hub cannot be read. */
    void whenReady(Work work, Consumer<Refusal> refused) {
        Waiter waiter = new Waiter(work, refused);
        if (ready) {
            waiter.go();
            return;
        }
        waiting.add(waiter);
        if (connection == null) {
            open();
        }
    }

    private void open() {
        connection = hub.connect(this, new WireInfo("a2a", caller(tenant), WireInfo.Kind.DUPLEX));
        Json.Obj capabilities = Json.Obj.builder()
                .put("protocol", "harmovela")
                .put("spec_version", "0.2")
                .put("agent_id", IDENTITY)
                .put("profiles", List.of("harmovela.core.v1", "harmovela.delivery.v1"))
                .build();
        send(event(IDENTITY, "session.open", Json.Obj.of().with("capabilities", capabilities))
                .with("capabilities", capabilities));
    }

    /** An event as it goes to the hub. */
    static Json.Obj event(String source, String type, Json.Obj payload) {
        return Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", "evt_" + UUID.randomUUID())
                .put("type", type)
                .put("source", source)
                .put("created_at", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString())
                .put("payload", payload)
                .build();
    }

    private void send(Json.Obj event) {
        Connection open = connection;
        if (open != null) {
            byte[] bytes = event.toBytes();
            open.receive(bytes, 0, bytes.length);
            open.batchEnd();
        }
    }

    // --- what the hub says

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void send(Message message) {
        byte[] bytes = message.toByteArray();
        loop.later(() -> hear(bytes));
    }

    private void hear(byte[] bytes) {
        try {
            if (Json.parse(bytes, 0, bytes.length) instanceof Json.Obj event) {
                hear(event);
            }
        } catch (JsonException impossible) {
            throw new IllegalStateException("the hub sends JSON", impossible);
        }
    }

    private void hear(Json.Obj event) {
        Json.Obj delivery = event.object("delivery");
        switch (String.valueOf(event.string("type"))) {
            case "session.opened" -> opened(event);
            case "session.error", "subscription.rejected" -> lost();
            case "event.replayed" -> {
                acknowledge(event, delivery);
                caughtUp();
            }
            default -> {
                if (delivery != null) {
                    tasks.take(event.without("delivery"));
                    String at = delivery.string("cursor");
                    cursor = at == null ? cursor : at;
                    acknowledge(event, delivery);
                }
            }
        }
    }

    private void opened(Json.Obj event) {
        Json.Obj ready =
                Json.Obj.builder().put("session_id", event.string("session_id")).build();
        send(event(IDENTITY, "session.ready", ready)
                .with("session_id", Json.of(String.valueOf(event.string("session_id")))));
        send(event(
                IDENTITY,
                "subscription.requested",
                Json.Obj.builder()
                        .put("subscription_id", "a2a_" + UUID.randomUUID())
                        .put("types", List.of("task.*", "agent.*"))
                        .put("from_cursor", cursor)
                        .put("delivery_mode", "replayable")
                        .put("max_in_flight", 1000L)
                        .build()));
    }

    private void acknowledge(Json.Obj event, Json.@Nullable Obj delivery) {
        if (delivery == null || delivery.string("cursor") == null) {
            return;
        }
        send(event(
                IDENTITY,
                "event.acknowledged",
                Json.Obj.builder()
                        .put("acknowledged_event_id", event.string("id"))
                        .put("subscription_id", delivery.string("subscription_id"))
                        .put("cursor", delivery.string("cursor"))
                        .build()));
    }

    private void caughtUp() {
        ready = true;
        List<Waiter> due = List.copyOf(waiting);
        waiting.clear();
        due.forEach(Waiter::go);
    }

    /** The task behind a direct answer is done for the hub, too. */
    private void closeAnswered(TaskLog log) {
        if (!ready) {
            return;
        }
        for (String type : List.of("task.started", "task.completed")) {
            Json.Obj payload = Json.Obj.builder()
                    .put("task_id", log.id)
                    .put("synthetic", Json.of(true))
                    .build();
            send(event(log.agent, type, payload).with("task_id", Json.of(log.id)));
        }
    }

    @Override
    public void flush() {
        // each event was taken when it was sent
    }

    @Override
    public void close(CloseReason reason, String text) {
        loop.later(this::lost);
    }

    /** Who waits is told to try again; reading goes on after a while, since streams and notifications live on it. */
    private void lost() {
        Connection gone = connection;
        if (gone == null) {
            return;
        }
        connection = null;
        ready = false;
        gone.closed();
        List<Waiter> due = List.copyOf(waiting);
        waiting.clear();
        due.forEach(waiter -> waiter.refused().accept(Refusal.of(A2aError.UNAVAILABLE, "the hub is not ready")));
        loop.after(AGAIN, () -> {
            if (connection == null) {
                open();
            }
        });
    }
}
