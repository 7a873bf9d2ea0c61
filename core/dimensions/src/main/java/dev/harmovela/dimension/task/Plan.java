package dev.harmovela.dimension.task;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Ids;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import dev.harmovela.dimension.task.TaskFact.By;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A decision about tasks in the making, and what the tasks will look like once it is applied. Changes no state. */
final class Plan extends Proposal {

    /** Work begins only while this many events are planned; the rest of the frame is for the ends above them. */
    private static final int ROOM = Decision.MAX_EVENTS - TaskPolicy.Bounds.MAX_DEPTH - 4;

    /** Facts without events count as well. */
    private static final int FACTS = 2048;

    /** What hub-made events about a task carry of it. */
    record About(
            String taskId,
            @Nullable String parentId,
            @Nullable String correlationId) {

        static About of(Task task) {
            TaskFact.Submitted born = task.born();
            return new About(born.taskId(), born.parentId(), born.correlationId());
        }
    }

    private final Set<Task> ended = new HashSet<>();
    private final Map<Task, Integer> endedBelow = new HashMap<>();
    private final Map<String, String> begun = new HashMap<>();
    private final Set<Task> asked = new HashSet<>();
    private final Set<Task> stopped = new HashSet<>();

    Plan(String tenant, long now, long nextLsn, Ids ids, EventRegistry types) {
        super(tenant, now, nextLsn, ids, types);
    }

    // --- events

    /** The hub says something about a task, to anyone or to one identity. */
    Said say(TaskEvent event, About about, @Nullable String cause, Json.Obj more, @Nullable String target) {
        Json.Builder payload = Json.Obj.builder().put("task_id", about.taskId());
        more.names().forEach(name -> payload.put(name, more.get(name)));
        return say(draft(event.type())
                .target(target)
                .taskId(about.taskId())
                .parentTaskId(about.parentId())
                .correlationId(about.correlationId())
                .causationId(cause)
                .payload(payload.build()));
    }

    /** Who owns the live task above one, and is not ending it anyway; null when nobody does. */
    @Nullable String ownerAbove(Task task) {
        Task above = task.home().parent(task);
        return above == null || !live(above) || sealed(above) ? null : above.owner;
    }

    /** The input event ends a task: who owns the one above gets it too, unless it is for somebody already. */
    long inputToAbove(Task task, Event event, Context at) {
        String above = ownerAbove(task);
        boolean reaches = above == null
                || above.equals(at.actor())
                || event.target() != null
                || !at.enforceOwnership()
                || event.delivery().mode() == DeliveryMode.BEST_EFFORT;
        if (reaches) {
            return input();
        }
        noInput();
        return say(EventDraft.of(event).target(above)).lsn();
    }

    /** Whether another piece of work fits this frame. */
    boolean hasRoom() {
        return events() < ROOM && facts() < FACTS;
    }

    boolean isEmpty() {
        return facts() == 0;
    }

    // --- facts

    void moved(Task task, TaskEvent event, TaskState to, long at) {
        add(new TaskFact.Moved(tenant(), task.id(), event, to, now(), at));
    }

    void ended(Task task, TaskState state, By by, @Nullable String reason, long at) {
        add(new TaskFact.Ended(tenant(), task.id(), state, by, reason, now(), at));
        signal(new Signal.TaskEnded(tenant(), task.id(), state.name().toLowerCase(Locale.ROOT), task.owner, reason));
        ended.add(task);
        TenantTasks home = task.home();
        for (Task above = home.parent(task); above != null; above = home.parent(above)) {
            endedBelow.merge(above, 1, Integer::sum);
        }
    }

    /** Patience is the task's grace, but never longer than the time the task was promised. */
    void begun(Task root, String cause) {
        long forceAt = Math.min(
                TaskTerms.plus(now(), root.terms().graceMs()),
                live(root) ? Math.max(now(), root.terms().endBy()) : Alarm.NEVER);
        add(new TaskFact.CancelBegan(tenant(), root.id(), cause, now(), forceAt));
        begun.put(root.id(), cause);
    }

    void asked(Task task, long at) {
        add(new TaskFact.Noticed(tenant(), task.id(), now(), at));
        asked.add(task);
    }

    void stopped(Task task) {
        add(new TaskFact.Confirmed(tenant(), task.id(), now()));
        stopped.add(task);
    }

    // --- the state as it will be

    boolean live(Task task) {
        return task.live() && !ended.contains(task);
    }

    int liveBelow(Task task) {
        return task.liveBelow - endedBelow.getOrDefault(task, 0);
    }

    boolean isAsked(Task task) {
        return task.noticed || asked.contains(task);
    }

    boolean released(Task task) {
        return task.released() || stopped.contains(task);
    }

    /** Id of the event that began the nearest end the task is part of; null when none is under way. */
    @Nullable String causeOf(@Nullable Task task) {
        if (task == null) {
            return null;
        }
        TenantTasks home = task.home();
        for (Task at = task; at != null; at = home.parent(at)) {
            CancelProcess process = home.processes().get(at.id());
            String cause = process != null ? process.cause() : begun.get(at.id());
            if (cause != null) {
                return cause;
            }
        }
        return null;
    }

    boolean sealed(@Nullable Task task) {
        return causeOf(task) != null;
    }
}
