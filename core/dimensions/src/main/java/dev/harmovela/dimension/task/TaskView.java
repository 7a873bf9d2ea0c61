package dev.harmovela.dimension.task;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tasks as the hub's answers show them. */
final class TaskView {

    private static final int CHILDREN_SHOWN = 100;
    private static final int MOST = 1000;

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

    private static Json.Obj detail(Task task) {
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
                .put("ended_by", end == null ? null : end.by().name().toLowerCase(Locale.ROOT))
                .put("last_event_lsn", task.lastLsn)
                .put("result_lsn", end == null ? null : (Long) end.lsn());
    }

    private static @Nullable String time(long at) {
        return at == 0 ? null : Timestamps.format(at);
    }

    /** A page of tasks known in full, latest submission first. */
    static Json.Obj page(@Nullable TenantTasks tasks, Json.Obj filter, int limit, @Nullable String cursor) {
        long before = cursor == null ? Long.MAX_VALUE : ordinal(cursor);
        int most = Math.clamp(limit, 1, MOST);
        List<Json> items = new ArrayList<>();
        String next = null;
        if (tasks != null) {
            Predicate<Task> wanted = wanted(filter);
            for (Task task :
                    tasks.inOrder().headMap(before, false).descendingMap().values()) {
                if (!wanted.test(task)) {
                    continue;
                }
                if (items.size() == most) {
                    next = Long.toString(before, Character.MAX_RADIX);
                    break;
                }
                items.add(brief(task).build());
                before = task.ordinal();
            }
        }
        return Json.Obj.builder()
                .put("items", new Json.Arr(items))
                .put("next_cursor", next == null ? Json.Null.NULL : Json.of(next))
                .build();
    }

    private static long ordinal(String cursor) {
        try {
            long ordinal = Long.parseLong(cursor, Character.MAX_RADIX);
            if (ordinal >= 0) {
                return ordinal;
            }
        } catch (NumberFormatException _) {
            // Falls through to the one refusal below.
        }
        throw new IllegalArgumentException("not a cursor of a list of tasks");
    }

    private static Predicate<Task> wanted(Json.Obj filter) {
        Predicate<Task> states = states(filter.strings("state"));
        return states.and(matches(filter, "task_id", Task::id))
                .and(matches(filter, "owner", Task::owner))
                .and(matches(filter, "submitter", task -> task.born().submitter()))
                .and(matches(filter, "target", task -> task.born().target()))
                .and(matches(filter, "parent_task_id", task -> task.born().parentId()))
                .and(matches(filter, "correlation_id", task -> task.born().correlationId()));
    }

    /** Names of states in any case; {@code live} and {@code ended} stand for several. */
    private static Predicate<Task> states(List<String> names) {
        if (names.isEmpty()) {
            return task -> true;
        }
        return task -> names.stream().anyMatch(name -> switch (name.toLowerCase(Locale.ROOT)) {
            case "live" -> task.live();
            case "ended" -> !task.live();
            default -> task.state.name().equalsIgnoreCase(name);
        });
    }

    private static Predicate<Task> matches(Json.Obj filter, String name, Function<Task, @Nullable String> field) {
        List<String> values = filter.strings(name);
        return values.isEmpty()
                ? task -> true
                : task -> {
                    String value = field.apply(task);
                    return value != null && values.contains(value);
                };
    }
}
