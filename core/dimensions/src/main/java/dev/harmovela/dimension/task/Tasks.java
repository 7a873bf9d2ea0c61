package dev.harmovela.dimension.task;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Ids;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a shard: one owner each, and an end each (§5). Decisions change nothing; {@link #apply} is the
 * only place where
 * state moves. For one thread.
 */
public final class Tasks {

    /** A task that a fact ended. */
    public record EndedTask(String tenant, String taskId, TaskState state, long lsn) {}

    private final TaskLedger ledger;
    private final TaskRules rules;
    private final Ticks ticks;

    public Tasks(TaskPolicy policy) {
        this(policy, EventRegistry.standard());
    }

    /** Makes its events with the types of that registry. */
    public Tasks(TaskPolicy policy, EventRegistry types) {
        ledger = new TaskLedger(policy.retention());
        rules = new TaskRules(policy, ledger, types);
        ticks = new Ticks(policy, ledger, types);
    }

    // --- deciding

    /**
     * What a {@code task.*} event of a client leads to; never for an event that only the hub may originate (D15).
     *
     * @throws IllegalArgumentException when the event is not about tasks
     */
    public TaskDecision decide(Event event, TaskContext context) {
        return rules.decide(event, context);
    }

    /**
     * The owner closed its last session gracefully: each of its tasks ends as its submission declared (D44).
     * Ask again, after
     * applying, while the decision says {@link TaskDecision#more()}.
     *
     * @param sessionId the session that ended, named in the failures
     */
    public TaskDecision sessionEnded(
            String tenant, String identity, @Nullable String sessionId, long now, long nextLsn, Ids ids) {
        return ticks.left(tenant, identity, sessionId, now, nextLsn, ids);
    }

    /**
     * What time brings: timeouts, lapsed leases, targets that never came, forced ends, the rest of a cascade,
     * forgetting. One
     * tenant and at most {@link TaskDecision#MAX_EVENTS} events; ask again, after applying, while the decision
     * says {@link
     * TaskDecision#more()}.
     */
    public TaskDecision fire(long now, Presence presence, long nextLsn, Ids ids) {
        return ticks.fire(now, presence, nextLsn, ids);
    }

    /** When to call {@link #fire} next, epoch milliseconds; {@link Long#MAX_VALUE} when nothing waits. */
    public long nextDeadline() {
        return ledger.alarms().next();
    }

    /** A space of tasks of its own ends with everything in it, silently (D24). */
    public TaskDecision spaceEnded(String tenant) {
        if (ledger.tenant(tenant) == null) {
            return TaskDecision.NOTHING;
        }
        return new TaskDecision(
                null,
                false,
                TaskDecision.Store.DROP,
                List.of(),
                List.of(),
                List.of(new TaskFact.SpaceEnded(tenant)),
                tenant,
                null,
                null,
                TaskDecision.Rest.DONE);
    }

    // --- folding

    /**
     * Folds one fact into the state.
     *
     * @throws IllegalStateException when the fact does not fit the state: the shard must be reloaded
     */
    public void apply(Fact fact) {
        if (!(fact instanceof TaskFact own)) {
            throw new IllegalArgumentException("not a fact about tasks: kind " + fact.kind());
        }
        ledger.apply(own);
    }

    /**
     * Reads a fact back; null for a kind that does not belong to tasks.
     *
     * @throws IllegalArgumentException for a kind or version of a later release, or bytes that are cut off
     */
    public static @Nullable Fact read(int kind, int version, In in) {
        return TaskFact.read(kind, version, in);
    }

    /** The task that this fact ends, null when it ends none. */
    public static @Nullable EndedTask ended(Fact fact) {
        return fact instanceof TaskFact.Ended end
                ? new EndedTask(end.tenant(), end.taskId(), end.state(), end.lsn())
                : null;
    }

    /**
     * This run of the hub began: absences count from now on, promised times stay (core rule on time). Once,
     * after restoring.
     */
    public void started(long now) {
        ledger.started(now);
    }

    /** Writes the state; equal states give equal bytes. */
    public void snapshot(Out out) {
        ledger.snapshot(out);
    }

    /** Reads a state written by {@link #snapshot} into a store that has none yet. */
    public void restore(In in) {
        ledger.restore(in);
    }

    // --- asking

    /** Everything known of a task, null when there is none of that id. */
    public Json.@Nullable Obj describe(String tenant, String taskId) {
        Known task = ledger.find(tenant, taskId);
        return task == null ? null : TaskView.detail(task);
    }

    /**
     * A page {@code {items[], next_cursor}} of the tasks known in full, latest submission first.
     *
     * @param filter {@code state} ({@code live}, {@code ended} or names of states), {@code owner}, {@code
     * submitter}, {@code
     *     target}, {@code parent_task_id}, {@code correlation_id}, {@code task_id}: each a text or an array of them
     * @param limit most items, clamped to 1 to 1000
     * @param cursor {@code next_cursor} of the page before, null for the first
     * @throws IllegalArgumentException when the cursor is not one of ours
     */
    public Json.Obj list(String tenant, Json.Obj filter, int limit, @Nullable String cursor) {
        return TaskView.page(ledger.tenant(tenant), filter, limit, cursor);
    }

    /** Tasks known in full that ended behind {@code lsn}, in the order in which they ended. */
    public List<EndedTask> endedSince(long lsn) {
        return ledger.endedSince(lsn);
    }

    /** Whether the id belongs to a task. */
    public boolean exists(String tenant, String taskId) {
        return ledger.find(tenant, taskId) != null;
    }

    /** State of the task, null when there is none of that id. */
    public @Nullable TaskState state(String tenant, String taskId) {
        Known task = ledger.find(tenant, taskId);
        return task == null ? null : task.state();
    }

    /** Whether there is such a task and it has ended. */
    public boolean isEnded(String tenant, String taskId) {
        Known task = ledger.find(tenant, taskId);
        return task != null && task.state().ended();
    }

    /** Whether the task lives and was asked to stop, itself or through an ancestor. */
    public boolean cancelRequested(String tenant, String taskId) {
        return ledger.find(tenant, taskId) instanceof Task task
                && task.live()
                && (task.cancelRequested || task.home().sealing(task) != null);
    }

    /** Owner of the task, also of an ended one; null when nobody owns it or there is none of that id. */
    public @Nullable String owner(String tenant, String taskId) {
        Known task = ledger.find(tenant, taskId);
        return task == null ? null : task.owner();
    }

    /** Who submitted the task; null when there is none of that id, or it ended long ago. */
    public @Nullable String submitter(String tenant, String taskId) {
        return ledger.find(tenant, taskId) instanceof Task task ? task.born().submitter() : null;
    }

    /** Ids of the live tasks that identity owns, in the order of submission. */
    public List<String> tasksOf(String tenant, String identity) {
        TenantTasks tasks = ledger.tenant(tenant);
        return tasks == null
                ? List.of()
                : tasks.ownedBy(identity).stream().map(Task::id).toList();
    }

    /** Live tasks of the tenant. */
    public int live(String tenant) {
        TenantTasks tasks = ledger.tenant(tenant);
        return tasks == null ? 0 : tasks.live();
    }
}
