package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that happened to one task, in order and numbered from 1. GetTask, streams, push and resuming all read it,
 * so that they agree. The oldest entries are folded into a base when there are too many. On the hub's executor only.
 */
final class TaskLog {

    private static final int MOST_ENTRIES = 2048;
    private static final long MOST_BYTES = 4L << 20;

    /** One thing that happened. */
    sealed interface Entry {
        /** The member of {@code StreamResponse} that tells it, or null when streams do not show it. */
        default Json.@Nullable Obj told(TaskLog log) {
            return null;
        }
    }

    /** A message of the conversation. */
    record Said(Json.Obj message) implements Entry {}

    /** The status changed. */
    record Moved(Json.Obj status, Json.@Nullable Obj metadata) implements Entry {
        @Override
        public Json.Obj told(TaskLog log) {
            Json.Obj update = Json.Obj.builder()
                    .put("taskId", log.id)
                    .put("contextId", log.contextId)
                    .put("status", status)
                    .put("metadata", metadata)
                    .build();
            return Json.Obj.of().with("statusUpdate", update);
        }
    }

    /** An artifact was made, replaced or continued. */
    record Made(Json.Obj artifact, boolean append, boolean last) implements Entry {
        @Override
        public Json.Obj told(TaskLog log) {
            Json.Obj update = Json.Obj.builder()
                    .put("taskId", log.id)
                    .put("contextId", log.contextId)
                    .put("artifact", artifact)
                    .put("append", append ? Json.of(true) : null)
                    .put("lastChunk", last ? Json.of(true) : null)
                    .build();
            return Json.Obj.of().with("artifactUpdate", update);
        }
    }

    /** Hears of every entry. */
    interface Watcher {
        /** An entry was added, or with a null entry, the agent gave its direct answer. */
        void changed(TaskLog log, long number, @Nullable Entry entry);
    }

    final String id;
    final String contextId;
    final String agent;
    final String owner;
    /** Push configurations by their ids. */
    final Map<String, Json.Obj> hooks = new LinkedHashMap<>();

    private final TaskState base;
    private final TaskState now;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private long first = 1;
    private long last;
    private long bytes;
    private long restedAt;
    private Json.@Nullable Obj direct;
    private boolean started;
    private boolean shown;

    TaskLog(String id, String contextId, String agent, String owner, Json.Obj status) {
        this.id = id;
        this.contextId = contextId;
        this.agent = agent;
        this.owner = owner;
        this.base = new TaskState(id, contextId, status);
        this.now = new TaskState(id, contextId, status);
    }

    TaskState now() {
        return now;
    }

    /** Number of the newest entry. */
    long last() {
        return last;
    }

    /** Number of the entry that last brought the task to rest; 0 before. */
    long restedAt() {
        return restedAt;
    }

    /** The direct answer that the agent gave instead of a task, or null. */
    Json.@Nullable Obj direct() {
        return direct;
    }

    boolean started() {
        return started;
    }

    /** Somebody was told that this is a task: from now on no answer is a direct one. */
    void show() {
        shown = true;
    }

    boolean mayAnswerDirectly() {
        return !started && !shown && direct == null;
    }

    /** Adds an entry and tells the watchers; after the end nothing is taken any more. */
    void add(Entry entry) {
        if (now.isTerminal() || direct != null) {
            return;
        }
        last++;
        now.apply(entry);
        entries.add(entry);
        bytes += size(entry);
        if (entry instanceof Moved && now.rests()) {
            restedAt = last;
        }
        started |= entry instanceof Moved;
        trim();
        tell(entry);
    }

    /** The agent answered with a message instead of a task. */
    void answer(Json.Obj message) {
        if (mayAnswerDirectly()) {
            direct = message;
            tell(null);
        }
    }

    private void tell(@Nullable Entry entry) {
        for (Watcher each : List.copyOf(watchers)) {
            each.changed(this, last, entry);
        }
    }

    private void trim() {
        while (entries.size() > 1 && (entries.size() > MOST_ENTRIES || bytes > MOST_BYTES)) {
            Entry oldest = entries.remove();
            bytes -= size(oldest);
            base.apply(oldest);
            first++;
        }
    }

    private static long size(Entry entry) {
        return switch (entry) {
            case Said said -> said.message().toString().length();
            case Moved moved -> moved.status().toString().length();
            case Made made -> made.artifact().toString().length();
        };
    }

    void watch(Watcher watcher) {
        watchers.add(watcher);
    }

    void unwatch(Watcher watcher) {
        watchers.remove(watcher);
    }

    boolean isWatched() {
        return !watchers.isEmpty();
    }

    /** The task as it was after entry {@code number}; null when that is not held any more. */
    @Nullable TaskState asOf(long number) {
        if (number < first - 1 || number > last) {
            return null;
        }
        TaskState then = base.copy();
        long at = first;
        for (Entry entry : entries) {
            if (at++ > number) {
                break;
            }
            then.apply(entry);
        }
        return then;
    }

    /** The entries behind {@code number}, in order. */
    List<Entry> after(long number) {
        List<Entry> behind = new ArrayList<>();
        long at = first;
        for (Entry entry : entries) {
            if (at++ > number) {
                behind.add(entry);
            }
        }
        return behind;
    }
}
