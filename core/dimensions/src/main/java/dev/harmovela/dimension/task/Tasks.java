package dev.harmovela.dimension.task;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Ids;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.DimensionState;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a shard: one owner each, and an end each (§5). Decisions change nothing; {@link #apply} is the
 * only place where
 * state moves. For one thread.
 */
public final class Tasks implements DimensionState {

    /** A task that a fact ended. */
    public record EndedTask(String tenant, String taskId, TaskState state, long lsn) {}

    private static final int KINDS = 3;

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
    @Override
    public Decision decide(Event event, Context context) {
        return rules.decide(event, context);
    }

    /**
     * The owner closed its last session gracefully: each of its tasks ends as its submission declared (D44).
     * Ask again, after
     * applying, while the decision says {@link Decision#more()}.
     *
     * @param sessionId the session that ended, named in the failures
     */
    public Decision sessionEnded(
            String tenant, String identity, @Nullable String sessionId, long now, long nextLsn, Ids ids) {
        return ticks.left(tenant, identity, sessionId, now, nextLsn, ids);
    }

    /**
     * What time brings: timeouts, lapsed leases, targets that never came, forced ends, the rest of a cascade,
     * forgetting.
     */
    @Override
    public Decision fire(Context at) {
        return ticks.fire(at.now(), at.around(), at.nextLsn(), at.ids());
    }

    @Override
    public long nextDeadline() {
        return ledger.alarms().next();
    }

    /** What others want of tasks; a task that has ended, or is ending already, stays as it is. */
    @Override
    public Decision react(Signal signal, Context at) {
        return switch (signal) {
            case Signal.EndTask end -> ticks.told(end, at);
            case Signal.HoldTask hold -> rules.told(hold, at);
            case Signal.SubmitTask submit -> rules.told(submit, at);
            case Signal.AdoptTask adopt -> rules.told(adopt, at);
            case Signal.MoveOwner move -> rules.told(move, at);
            case Signal.EscalateTask escalate -> rules.told(escalate, at);
            case Signal.TaskLeft left -> ticks.told(left, at);
            default -> Decision.NOTHING;
        };
    }

    @Override
    public String name() {
        return "tasks";
    }

    @Override
    public boolean decides(EventType type) {
        return type.in("task");
    }

    @Override
    public boolean holds(int kind) {
        return kind / 100 == KINDS;
    }

    /** A space of tasks of its own ends with everything in it, silently (D24). */
    public Decision spaceEnded(String tenant) {
        if (ledger.tenant(tenant) == null) {
            return Decision.NOTHING;
        }
        Proposal end = new Proposal(tenant, 0, 0, prefix -> prefix, EventRegistry.standard());
        end.add(new TaskFact.SpaceEnded(tenant));
        return end.decision(null);
    }

    // --- folding

    /**
     * Folds one fact into the state.
     *
     * @throws IllegalStateException when the fact does not fit the state: the shard must be reloaded
     */
    @Override
    public void apply(Fact fact) {
        if (!(fact instanceof TaskFact own)) {
            throw new IllegalArgumentException("not a fact about tasks: kind " + fact.kind());
        }
        ledger.apply(own);
    }

    /**
     * Folds a fact of a log whose beginning may be gone: what it says of tasks that are not known is passed over.
     * Facts of others change nothing.
     */
    public void follow(Fact fact) {
        if (fact instanceof TaskFact own) {
            ledger.follow(own);
        }
    }

    /** What is known of a task right after {@code fact} has ended it; at least what the fact itself says. */
    public Json.Obj described(Fact fact) {
        if (!(fact instanceof TaskFact.Ended end)) {
            throw new IllegalArgumentException("no end of a task: kind " + fact.kind());
        }
        Task task = ledger.maybeTask(end.tenant(), end.taskId());
        return task == null ? TaskView.lastWords(end) : TaskView.detail(task);
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

    /** A step of a task as the audit tells it: {@code type} is the event that stands for it. */
    public record Step(
            String taskId,
            String type,
            @Nullable String actor,
            @Nullable String reason,
            long lsn) {}

    /** The step that this fact is, null when it is none: bookkeeping, or no fact about tasks. */
    public static @Nullable Step step(Fact fact) {
        return switch (fact) {
            case TaskFact.Submitted made -> new Step(made.taskId(), "task.submitted", null, null, made.lsn());
            case TaskFact.Moved moved -> new Step(moved.taskId(), moved.event().type(), null, null, moved.lsn());
            case TaskFact.Claimed claim -> new Step(claim.taskId(), "task.claimed", claim.owner(), null, claim.lsn());
            case TaskFact.Ended end ->
                new Step(
                        end.taskId(),
                        "task." + end.state().name().toLowerCase(Locale.ROOT),
                        null,
                        end.reason(),
                        end.lsn());
            default -> null;
        };
    }

    /**
     * This run of the hub began: absences count from now on, promised times stay (core rule on time). Once,
     * after restoring.
     */
    @Override
    public void started(long now) {
        ledger.started(now);
    }

    /** Writes the state; equal states give equal bytes. */
    @Override
    public void snapshot(Out out) {
        ledger.snapshot(out);
    }

    /** Reads a state written by {@link #snapshot} into a store that has none yet. */
    @Override
    public void restore(In in) {
        ledger.restore(in);
    }

    // --- asking

    /** The task above a task; null for a root, and when there is none of that id. */
    public @Nullable String parent(String tenant, String taskId) {
        return ledger.find(tenant, taskId) instanceof Task task ? task.born().parentId() : null;
    }

    /** Everything known of a task, null when there is none of that id. */
    public Json.@Nullable Obj describe(String tenant, String taskId) {
        Known task = ledger.find(tenant, taskId);
        return task == null ? null : TaskView.detail(task);
    }

    /**
     * Tasks known in full, latest submission first.
     *
     * @param beforeLsn only tasks whose submission lies before that position; {@link Long#MAX_VALUE} for the first page
     * @param most most rows, at least 1
     */
    public List<Row> list(String tenant, TaskFilter filter, long beforeLsn, int most) {
        return TaskView.rows(ledger.tenant(tenant), filter, beforeLsn, most);
    }

    /** A task in a list, and the position at which it was submitted: its place there, which never changes. */
    public record Row(long submittedLsn, String taskId, Json.Obj brief) {}

    /** Those members of a whole {@link #describe description} that a list shows. */
    public static Json.Obj brief(Json.Obj detail) {
        return TaskView.brief(detail);
    }

    // --- what the log must keep for live tasks

    /**
     * The event that submitted a live task.
     *
     * @param lsn where it can be read
     * @param waitsFor identity that was asked to take the task and has not said a word about it, or null
     */
    public record Body(
            String tenant,
            String taskId,
            long lsn,
            @Nullable String waitsFor) {}

    /** Bodies that live tasks still need from before {@code lsn}, at most {@code most}. */
    public List<Body> bodiesBelow(long lsn, int most) {
        return Bodies.below(ledger, lsn, most);
    }

    /** First position that a live task still needs, {@link Long#MAX_VALUE} when none does. */
    public long bodyFloor() {
        return Bodies.floor(ledger);
    }

    /** The body of a task as it is now; null when the task is not live or its body is gone. */
    public @Nullable Body body(String tenant, String taskId) {
        Task task = ledger.maybeTask(tenant, taskId);
        return task == null || !task.live() || task.bodyLsn == 0 ? null : Bodies.of(task);
    }

    /**
     * The body of a live task is stored again at {@code lsn}, or gone with 0.
     *
     * @throws IllegalStateException when the task is not known
     */
    public Fact carried(Body body, long lsn) {
        Task task = ledger.maybeTask(body.tenant(), body.taskId());
        if (task == null) {
            throw new IllegalStateException("no task " + body.taskId());
        }
        return new TaskFact.Carried(body.tenant(), body.taskId(), lsn, Task.Written.of(task));
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
