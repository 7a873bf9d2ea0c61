package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Push configurations, kept in memory, and what they bring. State is touched on the hub's executor only; names are
 * looked up and receivers called on threads of their own, so that no task ever waits for a receiver.
 */
final class PushDesk implements TaskLog.Watcher {

    private static final Logger LOGGER = System.getLogger("dev.harmovela.a2a");
    private static final int MOST_PER_TASK = 16;
    private static final int MOST = 10_000;
    private static final int MOST_TEXT = 4096;

    private final Loop loop;
    private final Executor threads;
    private final HookGuard guard;
    private final HookPost post;
    private final Map<String, PushQueue> queues = new LinkedHashMap<>();
    /** Configurations of all tasks together. */
    private int kept;

    /** Hears what came of looking at a configuration. */
    @FunctionalInterface
    interface Checked {
        /** Null when it may be used. */
        void then(@Nullable Refusal problem);
    }

    PushDesk(Loop loop, Executor threads, HookGuard guard) {
        this.loop = loop;
        this.threads = threads;
        this.guard = guard;
        this.post = new HookPost(guard);
    }

    private static String key(TaskLog log, String id) {
        return log.id + ' ' + id;
    }

    // --- operations

    void call(Call call, TaskLog log, Call.Outcome outcome) throws Refusal {
        Json.Obj params = call.params();
        String id = Proto.string(params, "id");
        switch (call.operation()) {
            case "CreateTaskPushNotificationConfig" ->
                check(params, problem -> {
                    if (problem != null) {
                        outcome.refused(problem);
                    } else if (isFull(log, id)) {
                        outcome.refused(Refusal.invalid("taskId", "the task has as many configurations as it may"));
                    } else {
                        outcome.done(shown(keep(log, params)));
                    }
                });
            case "GetTaskPushNotificationConfig" -> {
                Json.Obj found = id == null ? null : log.hooks.get(id);
                if (found == null) {
                    throw Refusal.of(A2aError.TASK_NOT_FOUND, "there is no such configuration")
                            .with("taskId", log.id);
                }
                outcome.done(shown(found));
            }
            case "ListTaskPushNotificationConfigs" -> {
                List<Json> list = new ArrayList<>();
                log.hooks.values().forEach(each -> list.add(shown(each)));
                outcome.done(Json.Obj.builder()
                        .put("configs", list.isEmpty() ? null : new Json.Arr(list))
                        .build());
            }
            case "DeleteTaskPushNotificationConfig" -> {
                drop(log, String.valueOf(id));
                outcome.done(Json.Obj.of());
            }
            default -> throw Refusal.of(A2aError.METHOD_NOT_FOUND);
        }
    }

    private boolean isFull(TaskLog log, @Nullable String id) {
        boolean fresh = id == null || !log.hooks.containsKey(id);
        return fresh && (log.hooks.size() >= MOST_PER_TASK || kept >= MOST);
    }

    /** A configuration as it is shown: secrets stay here. */
    private static Json.Obj shown(Json.Obj hook) {
        Json.Obj login = hook.object("authentication");
        Json.Obj without = hook.without("token");
        return login == null ? without : without.with("authentication", login.without("credentials"));
    }

    /** Looks at a configuration before it is kept. */
    void check(Json.Obj hook, Checked next) {
        String url;
        try {
            url = Proto.string(hook, "url");
            requireOneLine(hook, "token");
            requireOneLine(hook, "id");
            Json.Obj login = Proto.object(hook, "authentication");
            if (login != null) {
                requireOneLine(login, "scheme");
                requireOneLine(login, "credentials");
                if (Proto.string(login, "scheme") == null) {
                    throw Refusal.invalid("authentication.scheme", "a scheme is required");
                }
            }
        } catch (Refusal refusal) {
            next.then(refusal);
            return;
        }
        URI uri = url == null || url.length() > MOST_TEXT ? null : guard.form(url);
        if (uri == null) {
            next.then(Refusal.invalid("url", "an http or https address in plain spelling is required"));
            return;
        }
        threads.execute(() -> {
            boolean allowed = isAllowed(uri);
            loop.later(() ->
                    next.then(allowed ? null : Refusal.invalid("url", "notifications may not go to this address")));
        });
    }

    /** A name that nobody knows yet is looked up again before each connection. */
    private boolean isAllowed(URI uri) {
        try {
            return guard.allows(HookGuard.resolve(uri));
        } catch (UnknownHostException unknownYet) {
            return true;
        }
    }

    private static void requireOneLine(Json.Obj of, String name) throws Refusal {
        String text = Proto.string(of, name);
        if (text != null && (text.length() > MOST_TEXT || text.chars().anyMatch(c -> c < ' ' || c == 0x7f))) {
            throw Refusal.invalid(name, "one line of text is expected");
        }
    }

    /** Keeps a configuration that was checked; one with the same id is replaced. */
    Json.Obj keep(TaskLog log, Json.Obj given) {
        String named = given.string("id");
        String id = named == null || named.isEmpty() ? "push-" + UUID.randomUUID() : named;
        Json.Obj login = given.object("authentication");
        Json.Obj hook = Json.Obj.builder()
                .put("id", id)
                .put("taskId", log.id)
                .put("url", given.string("url"))
                .put("token", given.string("token"))
                .put(
                        "authentication",
                        login == null
                                ? null
                                : Json.Obj.builder()
                                        .put("scheme", login.string("scheme"))
                                        .put("credentials", login.string("credentials"))
                                        .build())
                .build();
        if (log.now().isTerminal()) {
            return hook;
        }
        PushQueue former = queues.remove(key(log, id));
        if (former != null) {
            former.stop();
        }
        if (log.hooks.put(id, hook) == null) {
            kept++;
        }
        log.unwatch(this);
        log.watch(this);
        return hook;
    }

    private void drop(TaskLog log, String id) {
        if (log.hooks.remove(id) != null) {
            kept--;
        }
        PushQueue queue = queues.remove(key(log, id));
        if (queue != null) {
            queue.stop();
        }
        if (log.hooks.isEmpty()) {
            log.unwatch(this);
        }
    }

    // --- deliveries

    @Override
    public void changed(TaskLog log, long number, TaskLog.@Nullable Entry entry) {
        Json.Obj told = entry == null ? direct(log) : entry.told(log);
        if (told == null) {
            return;
        }
        boolean ended = log.now().isTerminal() || log.direct() != null;
        for (Map.Entry<String, Json.Obj> each : List.copyOf(log.hooks.entrySet())) {
            String key = key(log, each.getKey());
            PushQueue queue = queues.computeIfAbsent(key, name -> new PushQueue(threads, post, each.getValue()));
            boolean alive = queue.add(
                    log.id + "-" + number,
                    told,
                    () -> Json.Obj.of().with("task", log.now().json(null, true)));
            if (!alive) {
                LOGGER.log(Level.WARNING, "no more notifications of task {0}: the receiver failed too often", log.id);
                drop(log, each.getKey());
            }
        }
        if (ended) {
            // what still waits is delivered; nothing more will come
            log.hooks.keySet().forEach(id -> queues.remove(key(log, id)));
            kept -= log.hooks.size();
            log.hooks.clear();
            log.unwatch(this);
        }
    }

    private static Json.@Nullable Obj direct(TaskLog log) {
        Json.Obj message = log.direct();
        return message == null ? null : Json.Obj.of().with("message", message);
    }
}
