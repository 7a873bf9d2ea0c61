package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** The eleven operations, whatever binding they come over. */
final class Operations {

    private static final Set<String> STATES = Set.of(
            "SUBMITTED", "WORKING", "COMPLETED", "FAILED", "CANCELED", "INPUT_REQUIRED", "REJECTED", "AUTH_REQUIRED");

    final EchoAgent agent;
    final Faults faults;
    final Hooks hooks;

    Operations(EchoAgent agent, Faults faults) {
        this.agent = agent;
        this.faults = faults;
        hooks = new Hooks(this, faults);
    }

    /** What a stream shows first, and then. */
    record Opened(Json.Obj first, BlockingQueue<Json.Obj> rest, EchoTask task) {}

    Json call(Call call) throws Refusal, InterruptedException {
        return switch (call.operation()) {
            case "SendMessage" -> send(call);
            case "GetTask" -> get(call);
            case "ListTasks" -> list(call);
            case "CancelTask" -> cancel(call);
            default -> hooks.call(call);
        };
    }

    private static final int LONGEST_PAGE = 100;

    EchoTask find(Call call, @Nullable String id) throws Refusal {
        synchronized (agent) {
            EchoTask task = id == null ? null : agent.tasks.get(id);
            boolean foreign = task != null && !task.tenant.equals(call.tenant());
            if (task == null || (foreign && !faults.has("tenancy.ignored"))) {
                throw Refusal.of("TASK_NOT_FOUND");
            }
            return task;
        }
    }

    private @Nullable Long history(Json.Obj of) throws Refusal {
        Json value = Call.member(of, "historyLength", faults);
        if (value == null) {
            return null;
        }
        long length = value instanceof Json.Num number ? number.longValue() : Long.parseLong(text(value));
        if (length < 0 && !faults.has("fields.history-negative")) {
            throw Refusal.of("INVALID_PARAMS");
        }
        return Math.max(0, length);
    }

    private static String text(Json value) {
        return value instanceof Json.Str string ? string.value() : value.toString();
    }

    Json.Obj message(Call call) throws Refusal {
        Json.Obj message = call.params().object("message");
        if (message == null) {
            throw Refusal.of("INVALID_PARAMS");
        }
        if (faults.has("fields.unknown-refused") && message.has("kitUnknown")) {
            throw Refusal.of("INVALID_PARAMS");
        }
        Json id = Call.member(message, "messageId", faults);
        boolean whole = id instanceof Json.Str
                && message.string("role") != null
                && !EchoAgent.parts(message).isEmpty();
        if (id != null && message.has("role") && !whole && !call.rest() && faults.has("rpc.empty-parts")) {
            throw Refusal.of("INTERNAL_ERROR");
        }
        if (!whole) {
            throw Refusal.of("INVALID_PARAMS");
        }
        for (Json each : EchoAgent.parts(message)) {
            if (each instanceof Json.Obj part && "application/x-kit-unknown".equals(part.string("mediaType"))) {
                throw Refusal.of("CONTENT_TYPE_NOT_SUPPORTED");
            }
        }
        return message.without("message_id").with("messageId", id);
    }

    /** The task that a message belongs to: the one it names, or a new one. */
    private EchoTask taskOf(Call call, Json.Obj message) throws Refusal {
        String named = message.string("taskId");
        String context = message.string("contextId");
        if (named == null || (faults.has("errors.unknown-task-made") && !agent.tasks.containsKey(named))) {
            String id = named == null ? agent.fresh("task") : named;
            EchoTask task = new EchoTask(id, context == null ? agent.fresh("context") : context, call.tenant(), faults);
            agent.tasks.put(id, task);
            return task;
        }
        EchoTask task = find(call, named);
        if (task.ended() && !faults.has("states.terminal-send")) {
            throw Refusal.of("UNSUPPORTED_OPERATION");
        }
        if (context != null && !context.equals(task.context) && !faults.has("errors.context-ignored")) {
            throw Refusal.of("INVALID_PARAMS");
        }
        return task;
    }

    private Json send(Call call) throws Refusal, InterruptedException {
        Json.Obj message = message(call);
        Json.Obj given = call.params().object("configuration");
        Json.Obj configuration = given == null ? Json.Obj.of() : given;
        Long history = history(configuration);
        EchoTask task;
        boolean immediate;
        synchronized (agent) {
            if (String.valueOf(message.string("messageId")).startsWith("tck-message-response")) {
                Json.Obj direct = agent.message(agent.fresh("context"), "directly");
                return Json.Obj.of().with("message", direct);
            }
            task = taskOf(call, message);
            task.history.add(message.with("taskId", Json.of(task.id)).with("contextId", Json.of(task.context)));
            Json.Obj hook = configuration.object("taskPushNotificationConfig");
            if (hook != null && !faults.has("fields.inline-push")) {
                hooks.keep(task, hook);
            }
            Boolean asked = configuration.bool("returnImmediately");
            immediate = Boolean.TRUE.equals(asked)
                    || (faults.has("fields.false-ignored") && Boolean.FALSE.equals(asked))
                    || (faults.has("fields.absent-ignored") && asked == null && history != null);
            if (immediate && !Boolean.TRUE.equals(asked)) {
                agent.move(task, "WORKING", null);
            } else {
                agent.act(task, message);
            }
        }
        if (!immediate) {
            agent.await(task);
        }
        synchronized (agent) {
            Long kept = faults.has("fields.history-zero") && history != null ? null : history;
            Json.Obj shown = task.json(kept, true);
            boolean kind = faults.has("rpc.kind") && !call.rest();
            return Json.Obj.of().with("task", kind ? shown.with("kind", Json.of("task")) : shown);
        }
    }

    private Json get(Call call) throws Refusal {
        Long history = history(call.params());
        synchronized (agent) {
            return find(call, call.params().string("id")).json(history, true);
        }
    }

    private Json cancel(Call call) throws Refusal {
        synchronized (agent) {
            String id = call.params().string("id");
            if (faults.has("security.cancel-differs") && !agent.tasks.containsKey(String.valueOf(id))) {
                throw Refusal.of("TASK_NOT_CANCELABLE");
            }
            EchoTask task = find(call, id);
            if (task.ended() && !task.state.equals("CANCELED")) {
                if (faults.has("states.terminal-cancel")) {
                    return task.json(null, true);
                }
                throw Refusal.of("TASK_NOT_CANCELABLE");
            }
            if (!faults.has("states.cancel-ignored")) {
                agent.move(task, "CANCELED", null);
            }
            return task.json(null, true);
        }
    }

    // --- lists

    private int size(Call call) throws Refusal {
        Json value = call.params().raw("pageSize");
        int size = value == null ? 50 : Integer.parseInt(text(value));
        if (size < 1 || size > LONGEST_PAGE) {
            if (faults.has("list.size-unchecked") && !call.rest()) {
                return 50;
            }
            throw Refusal.of("INVALID_PARAMS");
        }
        return size;
    }

    private int from(Call call) throws Refusal {
        String token = call.params().string("pageToken");
        if (token == null || token.isEmpty()) {
            return 0;
        }
        if (!token.startsWith("page-")) {
            if (faults.has("list.token-unchecked") && !call.rest()) {
                return 0;
            }
            throw Refusal.of("INVALID_PARAMS");
        }
        return faults.has("list.token-ignored") && !call.rest() ? 0 : Integer.parseInt(token.substring(5));
    }

    private boolean wanted(Call call, EchoTask task) throws Refusal {
        String context = call.params().string("contextId");
        String status = call.params().string("status");
        String after = call.params().string("statusTimestampAfter");
        if (status != null && !STATES.contains(status.replace("TASK_STATE_", ""))) {
            throw Refusal.of("INVALID_PARAMS");
        }
        boolean mine = task.tenant.equals(call.tenant()) || faults.has("tenancy.list-shows-all");
        boolean inContext = context == null || context.equals(task.context) || faults.has("list.context-ignored");
        boolean inState =
                status == null || status.equals("TASK_STATE_" + task.state) || faults.has("list.status-ignored");
        boolean late = after == null
                || (faults.has("list.after-exclusive")
                        ? task.at.isAfter(Instant.parse(after))
                        : !task.at.isBefore(Instant.parse(after)));
        return mine && inContext && inState && late;
    }

    private Json list(Call call) throws Refusal {
        int size = size(call);
        int from = from(call);
        synchronized (agent) {
            List<EchoTask> found = new ArrayList<>();
            for (EchoTask each : agent.tasks.values()) {
                if (wanted(call, each)) {
                    found.add(each);
                }
            }
            Comparator<EchoTask> newest =
                    Comparator.comparing((EchoTask task) -> task.at).reversed();
            found.sort(faults.has("list.oldest-first") && !call.rest() ? newest.reversed() : newest);
            boolean unpaged = faults.has("rest.page-size-ignored") && call.rest();
            int to = unpaged ? found.size() : Math.min(found.size(), from + size);
            Json wanted = call.params().raw("includeArtifacts");
            boolean with = (wanted != null && text(wanted).equals("true"))
                    || (faults.has("list.artifacts-always") && !call.rest());
            List<Json> page = new ArrayList<>();
            for (EchoTask each : found.subList(Math.min(from, to), to)) {
                page.add(each.json(history(call.params()), with));
            }
            boolean counted = faults.has("list.total-of-page") && !call.rest();
            Json.Obj all = Json.Obj.builder()
                    .put("tasks", new Json.Arr(page))
                    .put("nextPageToken", to < found.size() ? "page-" + to : "")
                    .put("pageSize", size)
                    .put("totalSize", counted ? page.size() : found.size())
                    .build();
            boolean bare = faults.has("list.no-token") && !call.rest() && to == found.size();
            return bare ? all.without("nextPageToken") : all;
        }
    }

    // --- streams

    Opened open(Call call) throws Refusal {
        synchronized (agent) {
            if (call.operation().equals("SubscribeToTask")) {
                EchoTask task = find(call, call.params().string("id"));
                if (task.ended() && !faults.has("stream.terminal-streamed")) {
                    throw Refusal.of("UNSUPPORTED_OPERATION");
                }
                return new Opened(first(task), task.read(), task);
            }
            Json.Obj message = message(call);
            if (String.valueOf(message.string("messageId")).startsWith("tck-message-response")) {
                EchoTask none = new EchoTask("none", agent.fresh("context"), call.tenant(), faults);
                none.move("COMPLETED", null);
                Json.Obj direct = Json.Obj.of().with("message", agent.message(none.context, "directly"));
                return new Opened(direct, none.read(), none);
            }
            EchoTask task = taskOf(call, message);
            task.history.add(message);
            Opened opened = new Opened(first(task), task.read(), task);
            agent.act(task, message);
            return opened;
        }
    }

    private Json.Obj first(EchoTask task) {
        return faults.has("stream.no-task-first")
                ? task.statusUpdate()
                : Json.Obj.of().with("task", task.json(null, true));
    }

    void close(Opened opened) {
        synchronized (agent) {
            opened.task().readers.remove(Objects.requireNonNull(opened.rest()));
        }
    }
}
