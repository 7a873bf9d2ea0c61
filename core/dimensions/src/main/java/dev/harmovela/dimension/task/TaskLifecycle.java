package dev.harmovela.dimension.task;

import dev.harmovela.contract.lifecycle.Lifecycle;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The life of a task (§5). Asking for cancellation and escalating are possible in every live state and change
 * none (D31).
 */
final class TaskLifecycle {

    static final Lifecycle<TaskState, TaskEvent> TABLE = table();

    private TaskLifecycle() {}

    private static Lifecycle<TaskState, TaskEvent> table() {
        Lifecycle.Builder<TaskState, TaskEvent> table = Lifecycle.named("task", TaskState.class, TaskEvent.class)
                .start(TaskEvent.SUBMITTED, TaskState.SUBMITTED)
                .add(TaskState.SUBMITTED, TaskEvent.ACCEPTED, TaskState.ACCEPTED)
                .add(TaskState.ACCEPTED, TaskEvent.STARTED, TaskState.STARTED)
                .add(TaskState.STARTED, TaskEvent.PROGRESS, TaskState.PROGRESS)
                .add(TaskState.STARTED, TaskEvent.OUTPUT, TaskState.OUTPUT)
                .add(TaskState.STARTED, TaskEvent.BLOCKED, TaskState.BLOCKED)
                .add(TaskState.STARTED, TaskEvent.COMPLETED, TaskState.COMPLETED)
                .add(TaskState.BLOCKED, TaskEvent.STARTED, TaskState.STARTED)
                .add(TaskState.BLOCKED, TaskEvent.RESUMED, TaskState.STARTED)
                .add(TaskState.BLOCKED, TaskEvent.PROGRESS, TaskState.PROGRESS);
        for (TaskState working : List.of(TaskState.PROGRESS, TaskState.OUTPUT)) {
            table.add(working, TaskEvent.PROGRESS, TaskState.PROGRESS)
                    .add(working, TaskEvent.OUTPUT, TaskState.OUTPUT)
                    .add(working, TaskEvent.BLOCKED, TaskState.BLOCKED)
                    .add(working, TaskEvent.COMPLETED, TaskState.COMPLETED);
        }
        for (TaskState live : EnumSet.range(TaskState.SUBMITTED, TaskState.OUTPUT)) {
            table.add(live, TaskEvent.FAILED, TaskState.FAILED)
                    .add(live, TaskEvent.CANCELLED, TaskState.CANCELLED)
                    .add(live, TaskEvent.TIMED_OUT, TaskState.TIMED_OUT)
                    .add(live, TaskEvent.CANCEL_REQUESTED, live)
                    .add(live, TaskEvent.ESCALATED, live);
        }
        return table.terminal(TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELLED, TaskState.TIMED_OUT)
                .build();
    }

    /** Types a client may send in this state, for {@code details.allowed}. */
    static List<String> allowed(@Nullable TaskState from) {
        return TABLE.allowed(from).stream()
                .filter(event -> !HUB_ONLY.contains(event))
                .map(TaskEvent::type)
                .toList();
    }

    /** Events that only the hub originates (D15). */
    private static final Set<TaskEvent> HUB_ONLY = EnumSet.of(TaskEvent.TIMED_OUT);
}
