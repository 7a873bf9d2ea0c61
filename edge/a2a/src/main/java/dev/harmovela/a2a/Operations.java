package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Hub;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The operations of the service, whatever binding they come over. On the hub's executor only. */
final class Operations {

    /** How long CancelTask waits for the agent's answer, in milliseconds. */
    private static final long CANCEL_WAIT = 5_000;

    private final Hub hub;
    private final Loop loop;
    private final PushDesk push;
    private final Map<String, Bridge> bridges = new HashMap<>();

    Operations(Hub hub, Loop loop, PushDesk push) {
        this.hub = hub;
        this.loop = loop;
        this.push = push;
    }

    /** Runs a call of anything but a stream. */
    void call(Call call, Cards.Known known, Call.Outcome outcome) {
        Bridge bridge = bridge(call.caller().tenant());
        bridge.whenReady(() -> run(call, known, bridge, outcome), outcome::refused);
    }

    private Bridge bridge(String tenant) {
        return bridges.computeIfAbsent(tenant, name -> new Bridge(hub, loop, name));
    }

    private void run(Call call, Cards.Known known, Bridge bridge, Call.Outcome outcome) throws Refusal {
        switch (call.operation()) {
            case "SendMessage" -> send(call, known, bridge, outcome);
            case "GetTask" -> {
                Integer keep = historyLength(call.params());
                outcome.done(find(call, bridge, Proto.string(call.params(), "id"))
                        .now()
                        .json(keep, true));
            }
            case "ListTasks" -> outcome.done(Listing.of(call, bridge.tasks()));
            case "CancelTask" -> cancel(call, bridge, outcome);
            case "GetExtendedAgentCard" -> throw Refusal.of(A2aError.UNSUPPORTED_OPERATION);
            default -> {
                if (!call.operation().endsWith("PushNotificationConfig")
                        && !call.operation().endsWith("PushNotificationConfigs")) {
                    throw Refusal.of(A2aError.METHOD_NOT_FOUND);
                }
                if (!known.offers("pushNotifications")) {
                    throw Refusal.of(A2aError.PUSH_NOTIFICATION_NOT_SUPPORTED);
                }
                TaskLog log = find(call, bridge, Proto.string(call.params(), "taskId"));
                push.call(call, log, outcome);
            }
        }
    }

    static @Nullable Integer historyLength(Json.Obj params) throws Refusal {
        Integer keep = Proto.integer(params, "historyLength");
        if (keep != null && keep < 0) {
            throw Refusal.invalid("historyLength", "a number from 0 is expected");
        }
        return keep;
    }

    /** A task that the caller may see; a foreign one and none look the same. */
    static TaskLog find(Call call, Bridge bridge, @Nullable String id) throws Refusal {
        if (id == null) {
            throw Refusal.invalid("id", "the id of a task is required");
        }
        TaskLog log = bridge.tasks().get(id);
        if (log == null || log.direct() != null || !isVisible(call, log)) {
            throw Refusal.of(A2aError.TASK_NOT_FOUND).with("taskId", id);
        }
        return log;
    }

    static boolean isVisible(Call call, TaskLog log) {
        return log.agent.equals(call.agent()) && (log.owner.equals(call.source()) || call.manages());
    }

    // --- sending

    /** What was sent, and where its answer will show. */
    private record Sent(TaskLog log, long since) {}

    /** Who hears what became of a message. */
    private record Told(Consumer<Refusal> refused, Consumer<Sent> delivered) {}

    private void send(Call call, Cards.Known known, Bridge bridge, Call.Outcome outcome) throws Refusal {
        Json.Obj configuration = configuration(call);
        Integer keep = historyLength(configuration);
        boolean immediate = Boolean.TRUE.equals(Proto.bool(configuration, "returnImmediately"));
        sendWithHook(call, known, bridge, new Told(outcome::refused, sent -> {
            if (immediate) {
                sent.log().show();
                outcome.done(answer(sent.log(), keep));
            } else {
                Waiting waiting = Waiting.until(sent.log(), sent.since(), () -> outcome.done(answer(sent.log(), keep)));
                outcome.whenLeft(waiting::giveUp);
            }
        }));
    }

    private static Json.Obj configuration(Call call) throws Refusal {
        Json.Obj given = Proto.object(call.params(), "configuration");
        return given == null ? Json.Obj.of() : given;
    }

    /** Hands a message to the hub once the push configuration that came with it, if any, was found in order. */
    private void sendWithHook(Call call, Cards.Known known, Bridge bridge, Told told) throws Refusal {
        Json.Obj hook = Proto.object(configuration(call), "taskPushNotificationConfig");
        if (hook == null) {
            deliver(call, known, bridge, told);
            return;
        }
        push.check(hook, problem -> {
            if (problem != null) {
                told.refused().accept(problem);
            } else {
                deliver(call, known, bridge, new Told(told.refused(), sent -> {
                    push.keep(sent.log(), hook);
                    told.delivered().accept(sent);
                }));
            }
        });
    }

    private static Json answer(TaskLog log, @Nullable Integer keep) {
        Json.Obj direct = log.direct();
        return direct == null
                ? Json.Obj.of().with("task", log.now().json(keep, true))
                : Json.Obj.of().with("message", direct);
    }

    /** Checks a message and hands it to the hub. */
    private void deliver(Call call, Cards.Known known, Bridge bridge, Told told) {
        try {
            Json.Obj message = Proto.message(call.params());
            requireMediaTypes(message, known);
            String named = message.string("taskId");
            String key = call.key() == null ? null : call.source() + ' ' + call.agent() + ' ' + call.key();
            String content = content(message);
            Tasks.Sent before = key == null ? null : bridge.tasks().sent(key);
            if (before != null) {
                told.delivered().accept(again(bridge, before, content));
                return;
            }
            if (named == null) {
                begin(call, bridge, message, new Key(key, content), told);
            } else {
                follow(call, bridge, find(call, bridge, named), message, new Key(key, content), told);
            }
        } catch (Refusal refusal) {
            told.refused().accept(refusal);
        }
    }

    private record Key(@Nullable String key, String content) {
        Json.Obj a2a() {
            return Json.Obj.builder()
                    .put("key", key)
                    .put("content", key == null ? null : content)
                    .build();
        }
    }

    private static String content(Json.Obj message) {
        return Proto.hash(message.without("contextId").without("taskId").toBytes());
    }

    private static Sent again(Bridge bridge, Tasks.Sent before, String content) throws Refusal {
        if (!before.content().equals(content)) {
            throw Refusal.of(A2aError.INVALID_PARAMS, "this Idempotency-Key came with another message before");
        }
        TaskLog log = bridge.tasks().get(before.taskId());
        if (log == null) {
            throw Refusal.of(A2aError.UNAVAILABLE, "the first request with this Idempotency-Key is still under way");
        }
        return new Sent(log, 0);
    }

    private static void requireMediaTypes(Json.Obj message, Cards.Known known) throws Refusal {
        Json.Arr parts = message.array("parts");
        if (parts == null) {
            return;
        }
        for (Json each : parts.items()) {
            String type = each instanceof Json.Obj part ? part.string("mediaType") : null;
            if (type != null && !known.takes(type)) {
                throw Refusal.of(A2aError.CONTENT_TYPE_NOT_SUPPORTED, "the agent does not take this media type");
            }
        }
    }

    private void begin(Call call, Bridge bridge, Json.Obj given, Key key, Told told) {
        String task = "task-" + UUID.randomUUID();
        String context = given.string("contextId");
        Json.Obj message = given.with("taskId", Json.of(task))
                .with("contextId", Json.of(context == null ? "ctx-" + UUID.randomUUID() : context));
        Json.Obj payload = Json.Obj.builder()
                .put("task_id", task)
                .put("message", message)
                .put("metadata", call.params().object("metadata"))
                .put("a2a", key.a2a())
                .build();
        Json.Obj event = Bridge.event(call.source(), "task.submitted", payload)
                .with("task_id", Json.of(task))
                .with("target", Json.of(call.agent()));
        if (key.key() != null) {
            bridge.tasks().remember(key.key(), new Tasks.Sent(task, key.content()));
        }
        Submit.event(hub, loop, call.caller(), event, problem -> {
            if (problem != null) {
                if (key.key() != null) {
                    bridge.tasks().forget(key.key());
                }
                told.refused().accept(Refusal.of(problem, false));
                return;
            }
            bridge.tasks().take(event);
            TaskLog log = bridge.tasks().get(task);
            if (log == null) {
                told.refused().accept(Refusal.of(A2aError.INTERNAL));
            } else {
                told.delivered().accept(new Sent(log, 0));
            }
        });
    }

    private void follow(Call call, Bridge bridge, TaskLog log, Json.Obj given, Key key, Told told) throws Refusal {
        if (log.now().isTerminal()) {
            throw Refusal.of(A2aError.UNSUPPORTED_OPERATION, "the task has ended")
                    .with("taskId", log.id);
        }
        String context = given.string("contextId");
        if (context != null && !context.equals(log.contextId)) {
            throw Refusal.invalid("message.contextId", "the task belongs to another context");
        }
        Json.Obj message = given.with("contextId", Json.of(log.contextId));
        Json.Obj payload = Json.Obj.builder()
                .put("task_id", log.id)
                .put("message", message)
                .put("a2a", key.a2a())
                .build();
        Json.Obj event = Bridge.event(call.source(), "agent.message.sent", payload)
                .with("task_id", Json.of(log.id))
                .with("target", Json.of(call.agent()));
        long since = log.last();
        Submit.event(hub, loop, call.caller(), event, problem -> {
            if (problem != null) {
                told.refused().accept(Refusal.of(problem, true));
                return;
            }
            bridge.tasks().take(event);
            told.delivered().accept(new Sent(log, since));
        });
    }

    // --- cancelling

    private void cancel(Call call, Bridge bridge, Call.Outcome outcome) throws Refusal {
        TaskLog log = find(call, bridge, Proto.string(call.params(), "id"));
        String state = log.now().state();
        if (state.equals("TASK_STATE_CANCELED")) {
            outcome.done(log.now().json(null, true));
            return;
        }
        if (log.now().isTerminal()) {
            throw Refusal.of(A2aError.TASK_NOT_CANCELABLE).with("taskId", log.id);
        }
        Json.Obj payload = Json.Obj.builder()
                .put("task_id", log.id)
                .put("reason", "cancelled over A2A")
                .put("metadata", call.params().object("metadata"))
                .build();
        Json.Obj event =
                Bridge.event(call.source(), "task.cancel.requested", payload).with("task_id", Json.of(log.id));
        Caller caller = call.caller();
        Submit.event(hub, loop, caller, event, problem -> {
            if (problem != null && !log.now().isTerminal()) {
                outcome.refused(Refusal.of(problem, true));
                return;
            }
            Waiting.untilEnded(log, loop, CANCEL_WAIT, () -> ended(log, outcome));
        });
    }

    private static void ended(TaskLog log, Call.Outcome outcome) {
        boolean other = log.now().isTerminal() && !log.now().state().equals("TASK_STATE_CANCELED");
        if (other) {
            outcome.refused(Refusal.of(A2aError.TASK_NOT_CANCELABLE).with("taskId", log.id));
        } else {
            outcome.done(log.now().json(null, true));
        }
    }

    // --- streams

    /** Runs one of the two streaming operations. */
    void stream(Call call, Cards.Known known, Call.Stream stream) {
        if (!known.offers("streaming")) {
            stream.refused(Refusal.of(A2aError.UNSUPPORTED_OPERATION, "the agent does not stream"));
            return;
        }
        Bridge bridge = bridge(call.caller().tenant());
        bridge.whenReady(
                () -> {
                    if (call.operation().equals("SubscribeToTask")) {
                        subscribe(call, bridge, stream);
                    } else {
                        sendStreaming(call, known, bridge, stream);
                    }
                },
                stream::refused);
    }

    private void sendStreaming(Call call, Cards.Known known, Bridge bridge, Call.Stream stream) throws Refusal {
        Integer keep = historyLength(configuration(call));
        sendWithHook(
                call,
                known,
                bridge,
                new Told(stream::refused, sent -> Reading.ofSending(sent.log(), sent.since(), keep, stream, loop)));
    }

    private void subscribe(Call call, Bridge bridge, Call.Stream stream) throws Refusal {
        TaskLog log = find(call, bridge, Proto.string(call.params(), "id"));
        if (log.now().isTerminal() && call.lastEventId() == null) {
            throw Refusal.of(A2aError.UNSUPPORTED_OPERATION, "the task has ended")
                    .with("taskId", log.id);
        }
        Reading.ofTask(log, call.lastEventId(), stream);
    }
}
