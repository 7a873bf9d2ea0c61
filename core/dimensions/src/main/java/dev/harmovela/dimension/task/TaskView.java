package dev.harmovela.dimension.task;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Tasks as the hub's answers show them. */
final class TaskView {

    private static final int CHILDREN_SHOWN = 100;

    private TaskView() {}

    static Json.Obj detail(Known known) {
        return switch (known) {
            case Tombstone gone -> detail(gone);
            case Task task -> detail(task);
        };
    }

    private static Json.Obj detail(Tombstone gone) {
        return Json.Obj.builder()
                .put("task_id", gone.id())
                .put("state", gone.state().name())
                .put("terminal", true)
                .put("owner", gone.owner())
                .put("ended_at", Timestamps.format(gone.endedAt()))
                .put("result_lsn", gone.lsn())
                .put("detail", "expired")
                .build();
    }

    static Json.Obj detail(Task task) {
        TaskTerms terms = task.terms();
        Json.Builder out = brief(task)
                .put("timeout_ms", terms.timeoutMs() == 0 ? null : (Long) terms.timeoutMs())
                .put("times_out_at", terms.endBy() == Alarm.NEVER ? null : Timestamps.format(terms.endBy()))
                .put("lease_ms", terms.leaseMs())
                .put("lease", task.lease.name().toLowerCase(Locale.ROOT))
                .put("cancel_grace_ms", terms.graceMs())
                .put("on_session_closed", terms.onSessionClosed().name().toLowerCase(Locale.ROOT))
                .put("orphans", terms.orphans().name().toLowerCase(Locale.ROOT))
                .put("attempt", (long) task.claims)
                .put("claimed_at", time(task.claimedAt))
                .put("renewed_at", time(task.renewedAt))
                .put("submitted_lsn", task.born().lsn());
        CancelProcess process = task.live() ? task.home().sealing(task) : null;
        if (process != null) {
            out.put("cancelled_by", process.cause());
            out.put("forced_at", Timestamps.format(process.began().forceAt()));
        }
        TenantTasks.Family family = task.home().family(task.id());
        Collection<Task> children = family == null ? List.of() : family.members.values();
        out.put(
                "children",
                new Json.Arr(children.stream()
                        .limit(CHILDREN_SHOWN)
                        .<Json>map(child -> Json.Obj.builder()
                                .put("task_id", child.id())
                                .put("state", child.state.name())
                                .build())
                        .toList()));
        out.put("children_total", (long) children.size());
        out.put("history", task.history().toJson());
        int dropped = task.history().dropped();
        return out.put("history_dropped", dropped == 0 ? null : (Long) (long) dropped)
                .build();
    }

    private static Json.Builder brief(Task task) {
        TaskFact.Submitted born = task.born();
        TaskFact.Ended end = task.end;
        return Json.Obj.builder()
                .put("task_id", task.id())
                .put("state", task.state.name())
                .put("terminal", !task.live())
                .put("owner", task.owner)
                .put("submitter", born.submitter())
                .put("target", born.target())
                .put("parent_task_id", born.parentId())
                .put("correlation_id", born.correlationId())
                .put("cancel_requested", task.cancelRequested)
                .put("submitted_at", Timestamps.format(born.at()))
                .put("started_at", time(task.startedAt))
                .put("ended_at", end == null ? null : Timestamps.format(end.at()))
                .put("reason", end == null ? null : end.reason())
                .put("ended_by", end == null ? null : by(end))
                .put("last_event_lsn", task.lastLsn)
                .put("result_lsn", end == null ? null : (Long) end.lsn());
    }

    private static @Nullable String time(long at) {
        return at == 0 ? null : Timestamps.format(at);
    }

    private static final List<String> BRIEF = List.of(
            "task_id",
            "state",
            "terminal",
            "owner",
            "submitter",
            "target",
            "parent_task_id",
            "correlation_id",
            "cancel_requested",
            "submitted_at",
            "started_at",
            "ended_at",
            "reason",
            "ended_by",
            "last_event_lsn",
            "result_lsn");

    /** What a list shows of a task that was described in full. */
    static Json.Obj brief(Json.Obj detail) {
        Json.Builder out = Json.Obj.builder();
        BRIEF.forEach(name -> out.put(name, detail.get(name)));
        return out.build();
    }

    /** What the end alone says of a task whose beginning is not known any more. */
    static Json.Obj lastWords(TaskFact.Ended end) {
        return Json.Obj.builder()
                .put("task_id", end.taskId())
                .put("state", end.state().name())
                .put("terminal", true)
                .put("ended_at", Timestamps.format(end.at()))
                .put("reason", end.reason())
                .put("ended_by", by(end))
                .put("result_lsn", end.lsn())
                .put("detail", "partial")
                .build();
    }

    static String by(TaskFact.Ended end) {
        return end.by().name().toLowerCase(Locale.ROOT);
    }

    /** Tasks known in full that were submitted before a position, latest first. */
    static List<Tasks.Row> rows(@Nullable TenantTasks tasks, TaskFilter filter, long beforeLsn, int most) {
        List<Tasks.Row> rows = new ArrayList<>();
        if (tasks == null) {
            return rows;
        }
        Map<Long, Task> earlier = tasks.inOrder()
                .headMap(firstFrom(tasks.inOrder(), beforeLsn), false)
                .descendingMap();
        for (Task task : earlier.values()) {
            if (filter.matches(task)) {
                rows.add(new Tasks.Row(task.born().lsn(), task.id(), brief(task).build()));
                if (rows.size() >= most) {
                    break;
                }
            }
        }
        return rows;
    }

    /** Ordinal of the first task submitted at or behind a position; ordinals and positions rise together. */
    private static long firstFrom(NavigableMap<Long, Task> inOrder, long lsn) {
        if (inOrder.isEmpty() || inOrder.lastEntry().getValue().born().lsn() < lsn) {
            return Long.MAX_VALUE;
        }
        long low = inOrder.firstKey();
        long high = inOrder.lastKey();
        while (low < high) {
            long middle = low + (high - low) / 2;
            Map.Entry<Long, Task> at = inOrder.ceilingEntry(middle);
            if (at == null || at.getValue().born().lsn() >= lsn) {
                high = middle;
            } else {
                low = at.getKey() + 1;
            }
        }
        return low;
    }
}
