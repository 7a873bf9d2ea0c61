package dev.harmovela.testkit.sim;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What agents say, drawn by the seed. Each method queues one message on a wire and returns it in words. */
final class Talk {

    private static final List<String> TYPES =
            List.of("agent.message.sent", "context.updated", "memory.updated", "environment.observed");
    private static final List<String> PATTERNS = List.of(
            "agent.*",
            "context.*",
            "memory.updated",
            "*",
            "task.*",
            "*.updated",
            "environment.observed",
            "agent.message.sent",
            "event.dead_lettered",
            "task.submitted");
    private static final List<String> TOPICS = List.of("news", "work");
    private static final List<String> MODES = List.of("at_least_once", "replayable", "best_effort");
    private static final List<String> LAG = List.of("gap", "park", "end");
    private static final List<String> GROUPS = List.of("crew", "pool");
    private static final List<String> CODES = List.of(
            "busy",
            "rate_limited",
            "task_timeout",
            "internal_error",
            "invalid_payload",
            "unauthorized",
            "protocol_error",
            "not_supported",
            "out_of_paper");
    private static final List<String> REPORTS = List.of(
            "task.accepted",
            "task.started",
            "task.progress",
            "task.output",
            "task.blocked",
            "task.resumed",
            "task.completed",
            "task.failed",
            "task.cancelled",
            "task.cancel.requested",
            "task.escalated");

    private final World world;
    private final SplittableRandom random;

    Talk(World world) {
        this.world = world;
        this.random = world.random;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private @Nullable Long number(int percent, int from, int below) {
        return chance(percent) ? (Long) random.nextLong(from, below) : null;
    }

    private String someone() {
        return chance(8) ? "agent:absent" : one(world.agents).identity;
    }

    // --- publishing

    private Sent sendPublish(Agent agent, AgentWire wire, Json.Obj json, @Nullable Publish conflictsWith) {
        Publish publish = world.publish(json, conflictsWith);
        Sent message = new Sent(publish.id(), publish.type(), json, publish);
        wire.toHub.add(message);
        if (conflictsWith == null) {
            agent.publishes.add(message);
        }
        return message;
    }

    private Json.Builder begun(Agent agent, String type) {
        Json.Builder event = world.envelope(world.nextId(), type, agent.identity);
        return agent.hasSession() ? event.put("session_id", agent.session()) : event;
    }

    private Json.@Nullable Obj delivery() {
        if (chance(60)) {
            return null;
        }
        Json.Builder delivery = Json.Obj.builder();
        delivery.put("mode", chance(80) ? one(MODES) : null);
        if (chance(30)) {
            delivery.put(
                    "retry",
                    Json.Obj.builder()
                            .put("max_attempts", random.nextInt(1, 4))
                            .put("ack_timeout_ms", random.nextInt(100, 3_000))
                            .build());
        }
        return delivery.build();
    }

    String publish(Agent agent, AgentWire wire) {
        Json.Builder event = begun(agent, one(TYPES))
                .put("topic", chance(40) ? one(TOPICS) : null)
                .put("target", chance(30) ? someone() : null)
                .put(
                        "expires_at",
                        chance(15) ? Timestamps.format(world.machine.now() + random.nextInt(1, 5_000)) : null)
                .put("delivery", delivery());
        String padding = "x".repeat(chance(10) ? random.nextInt(2_000) : random.nextInt(60));
        Json.Obj payload = Json.Obj.builder()
                .put("n", random.nextInt(1000))
                .put("text", padding)
                .build();
        Json.Obj json = event.put("payload", payload).build();
        return "publishes " + sendPublish(agent, wire, json, null) + options(json);
    }

    private static String options(Json.Obj event) {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("topic", "target", "expires_at", "delivery")) {
            if (event.has(name)) {
                text.append(' ').append(name).append(' ').append(event.get(name));
            }
        }
        return text.toString();
    }

    /** The same message again, as after a lost answer, or other content under its id. */
    @Nullable String repeat(Agent agent, AgentWire wire) {
        if (agent.publishes.isEmpty()) {
            return null;
        }
        int newest = agent.publishes.size();
        Sent earlier = agent.publishes.get(Math.max(0, newest - 1 - random.nextInt(Math.min(newest, 6))));
        Publish publish = earlier.publish;
        if (publish != null
                && publish.acknowledged
                && !publish.isTask()
                && publish.isStored()
                && !world.forgets()
                && chance(20)) {
            Json.Obj other = earlier.json.with(
                    "payload",
                    Json.Obj.builder().put("n", -1).put("text", "other").build());
            return "contradicts " + sendPublish(agent, wire, other, publish);
        }
        wire.toHub.add(new Sent(earlier.id, earlier.type, earlier.json, publish));
        return "repeats " + earlier;
    }

    // --- tasks

    String submit(Agent agent, AgentWire wire) {
        String taskId = "t" + (world.taskIds.size() + 1);
        String parent = !world.taskIds.isEmpty() && chance(35) ? one(world.taskIds) : null;
        world.taskIds.add(taskId);
        Json.Builder payload = Json.Obj.builder().put("description", "do it");
        payload.put("timeout_ms", number(20, 500, 20_000));
        payload.put("on_session_closed", chance(30) ? one(List.of("fail", "cancel", "continue")) : null);
        payload.put("orphans", chance(20) ? "run" : null);
        Json.Obj event = begun(agent, "task.submitted")
                .put("target", chance(50) ? someone() : null)
                .put("task_id", taskId)
                .put("parent_task_id", parent)
                .put("payload", payload.build())
                .build();
        return "submits " + taskId + " by " + sendPublish(agent, wire, event, null);
    }

    @Nullable String report(Agent agent, AgentWire wire) {
        if (world.taskIds.isEmpty()) {
            return null;
        }
        int tasks = world.taskIds.size();
        String taskId = world.taskIds.get(Math.max(0, tasks - 1 - random.nextInt(Math.min(tasks, 8))));
        String type = chance(50) ? REPORTS.get(random.nextInt(4)) : one(REPORTS);
        Json.Builder payload = Json.Obj.builder();
        if (type.equals("task.progress")) {
            payload.put("progress", 0.5);
        }
        Json.Obj event = begun(agent, type)
                .put("task_id", taskId)
                .put("payload", payload.build())
                .build();
        return "says " + sendPublish(agent, wire, event, null) + " of " + taskId;
    }

    // --- subscriptions

    /** Joins a consumer group; everybody asks for the same, or it would be another group. */
    private String join(Agent agent, AgentWire wire) {
        String name = one(GROUPS);
        boolean crew = name.equals("crew");
        Json.Obj asked = Json.Obj.builder()
                .put("consumer_group", name)
                .put("types", List.of(crew ? "context.*" : "*"))
                .put("max_in_flight", crew ? 3 : 5)
                .put(
                        "lag",
                        crew ? null : Json.Obj.builder().put("max_events", 25).build())
                .build();
        return "joins " + name + " by " + agent.send(wire, "subscription.requested", asked).id;
    }

    String subscribe(Agent agent, AgentWire wire) {
        if (chance(20)) {
            return join(agent, wire);
        }
        Json.Builder filter = Json.Obj.builder();
        boolean typed = chance(80);
        if (typed) {
            filter.put("types", chance(70) ? List.of(one(PATTERNS)) : List.of(one(PATTERNS), one(PATTERNS)));
        }
        filter.put("source", chance(15) ? someone() : null);
        filter.put("topic", !typed || chance(15) ? one(TOPICS) : null);
        filter.put("target", chance(10) ? someone() : null);
        filter.put("task_id", typed && !world.taskIds.isEmpty() && chance(10) ? one(world.taskIds) : null);
        filter.put("delivery_mode", chance(30) ? one(MODES) : null);
        filter.put("max_in_flight", number(50, 1, 6));
        filter.put("from_cursor", chance(20) ? one(List.of("earliest", "latest")) : null);
        filter.put("ttl_ms", number(8, 500, 20_000));
        filter.put("lag", chance(20) ? lag() : null);
        if (chance(20)) {
            filter.put(
                    "retry",
                    Json.Obj.builder()
                            .put("max_attempts", random.nextInt(1, 4))
                            .put("backoff_ms", random.nextInt(0, 500))
                            .put("ack_timeout_ms", random.nextInt(100, 3_000))
                            .build());
        }
        Json.Obj asked = filter.build();
        return "asks for " + asked + " by " + agent.send(wire, "subscription.requested", asked).id;
    }

    private Json.Obj lag() {
        return Json.Obj.builder()
                .put("max_events", random.nextInt(2, 20))
                .put("max_age_ms", number(20, 5_000, 60_000))
                .put("on_lag", one(LAG))
                .build();
    }

    @Nullable String unsubscribe(Agent agent, AgentWire wire) {
        if (agent.subscriptions.isEmpty()) {
            return null;
        }
        String id = one(agent.subscriptions);
        agent.subscriptions.remove(id);
        agent.send(
                wire,
                "subscription.cancelled",
                Json.Obj.builder().put("subscription_id", id).build());
        return "cancels " + id;
    }

    // --- settling

    @Nullable String settle(Agent agent, AgentWire wire) {
        if (agent.held.isEmpty()) {
            return null;
        }
        Agent.Held delivery = agent.held.get(chance(70) ? 0 : random.nextInt(agent.held.size()));
        if (chance(80)) {
            agent.acknowledge(wire, delivery, chance(75));
            return "acknowledges " + delivery.eventId() + " of " + delivery.subscription();
        }
        String code = one(CODES);
        Boolean retryable = chance(40) ? (Boolean) chance(60) : null;
        agent.refuse(wire, delivery, code, retryable);
        return "refuses " + delivery.eventId() + " of " + delivery.subscription() + ": " + code + " " + retryable;
    }

    /** Acknowledges twice, or what somebody else was delivered. */
    @Nullable String settleWrongly(Agent agent, AgentWire wire) {
        Agent other = chance(50) ? agent : one(world.agents);
        List<Agent.Held> from = other == agent ? agent.settled : other.held;
        if (from.isEmpty()) {
            return null;
        }
        Agent.Held delivery = one(from);
        Json.Obj payload = Json.Obj.builder()
                .put("acknowledged_event_id", delivery.eventId())
                .put("subscription_id", chance(70) ? delivery.subscription() : null)
                .build();
        agent.send(wire, "event.acknowledged", payload);
        return "acknowledges " + delivery.eventId() + (other == agent ? " again" : ", delivered to " + other.identity);
    }

    String heartbeat(Agent agent, AgentWire wire) {
        Json.Builder payload = Json.Obj.builder();
        if (!agent.held.isEmpty() && chance(20)) {
            payload.put("extend", List.of(one(agent.held).eventId()));
        }
        return "beats by " + agent.send(wire, "session.heartbeat", payload.build()).id;
    }

    String close(Agent agent, AgentWire wire) {
        agent.send(
                wire, "session.closed", Json.Obj.builder().put("reason", "done").build());
        return "closes its session";
    }
}
