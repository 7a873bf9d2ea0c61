package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one tenant that came in through A2A, as the fold over the hub's events: what is told here is what the
 * hub's log says. Bounded: the oldest ended ones go first. On the hub's executor only.
 */
final class Tasks {

    private static final int MOST_TASKS = 10_000;
    private static final int MOST_SEEN = 4096;

    private final Map<String, TaskLog> logs = new LinkedHashMap<>();
    private final Map<String, Sent> keys = new LinkedHashMap<>();
    private final Set<String> seen = new LinkedHashSet<>();
    private final Consumer<TaskLog> answered;

    /** What a key of idempotency stands for. */
    record Sent(String taskId, String content) {}

    /**
     * @param answered hears of each task whose agent answered directly
     */
    Tasks(Consumer<TaskLog> answered) {
        this.answered = answered;
    }

    @Nullable TaskLog get(String id) {
        return logs.get(id);
    }

    /** All that A2A shows. */
    List<TaskLog> all() {
        List<TaskLog> shown = new ArrayList<>();
        for (TaskLog log : logs.values()) {
            if (log.direct() == null) {
                shown.add(log);
            }
        }
        return shown;
    }

    @Nullable Sent sent(String key) {
        return keys.get(key);
    }

    void remember(String key, Sent sent) {
        keys.put(key, sent);
        if (keys.size() > MOST_TASKS) {
            keys.remove(keys.keySet().iterator().next());
        }
    }

    void forget(String key) {
        keys.remove(key);
    }

    /** Takes an event of the hub; one that was taken before changes nothing. */
    void take(Json.Obj event) {
        String id = String.valueOf(event.string("id")) + ' ' + event.string("source");
        if (!seen.add(id)) {
            return;
        }
        if (seen.size() > MOST_SEEN) {
            seen.remove(seen.iterator().next());
        }
        String task = taskOf(event);
        if (task == null) {
            return;
        }
        if ("task.submitted".equals(event.string("type"))) {
            submitted(task, event);
            return;
        }
        TaskLog log = logs.get(task);
        if (log != null) {
            changed(log, event);
        }
    }

    private static @Nullable String taskOf(Json.Obj event) {
        String id = event.string("task_id");
        return id == null ? Mapping.payload(event).string("task_id") : id;
    }

    private void submitted(String task, Json.Obj event) {
        Json.Obj payload = Mapping.payload(event);
        Json.Obj message = payload.object("message");
        Json.Obj a2a = payload.object("a2a");
        String agent = event.string("target");
        if (message == null || a2a == null || agent == null || logs.containsKey(task)) {
            return;
        }
        Json.Obj status = Json.Obj.builder()
                .put("state", "TASK_STATE_SUBMITTED")
                .put("timestamp", Mapping.timestamp(event))
                .build();
        String context = String.valueOf(message.string("contextId"));
        TaskLog log = new TaskLog(task, context, agent, String.valueOf(event.string("source")), status);
        logs.put(task, log);
        log.add(new TaskLog.Said(message));
        keep(a2a, task);
        evict();
    }

    private void keep(Json.Obj a2a, String task) {
        String key = a2a.string("key");
        if (key != null) {
            remember(key, new Sent(task, String.valueOf(a2a.string("content"))));
        }
    }

    private void changed(TaskLog log, Json.Obj event) {
        boolean answer =
                "agent.response.created".equals(event.string("type")) && log.agent.equals(event.string("source"));
        if (answer && !log.started()) {
            Json.Obj message = Mapping.answer(log, event);
            if (message != null && log.mayAnswerDirectly()) {
                log.answer(message.without("taskId"));
                answered.accept(log);
                return;
            }
            answered.accept(log);
        }
        Json.Obj a2a = Mapping.payload(event).object("a2a");
        if (a2a != null && "agent.message.sent".equals(event.string("type"))) {
            keep(a2a, log.id);
        }
        for (TaskLog.Entry entry : Mapping.entries(log, event)) {
            log.add(entry);
        }
    }

    private void evict() {
        Iterator<TaskLog> oldest = logs.values().iterator();
        while (logs.size() > MOST_TASKS && oldest.hasNext()) {
            TaskLog log = oldest.next();
            boolean over = log.direct() != null || log.now().isTerminal();
            if (over && !log.isWatched()) {
                oldest.remove();
            }
        }
    }
}
