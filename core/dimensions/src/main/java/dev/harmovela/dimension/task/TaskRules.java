package dev.harmovela.dimension.task;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import dev.harmovela.dimension.task.TaskFact.By;
import dev.harmovela.dimension.task.TaskFact.Lease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides about one inbound {@code task.*} event (§5, D4, D12, D13). Changes nothing. */
final class TaskRules {

    /** At most so many children are named in a refusal. */
    private static final int CHILDREN_NAMED = 32;

    private final TaskLedger ledger;
    private final EventRegistry types;
    private final Submissions submissions;
    private final Cancellations cancellations;

    TaskRules(TaskPolicy policy, TaskLedger ledger, EventRegistry types) {
        this.ledger = ledger;
        this.types = types;
        submissions = new Submissions(policy, ledger, types);
        cancellations = new Cancellations(types);
    }

    Decision decide(Event event, Context context) {
        TaskEvent kind = TaskEvent.of(event.type().name());
        if (kind == null) {
            throw new IllegalArgumentException(event.type() + " is not about tasks");
        }
        if (kind == TaskEvent.SUBMITTED) {
            return submissions.decide(event, context);
        }
        String taskId = event.taskId();
        if (kind == TaskEvent.TIMED_OUT) {
            return Decision.refused(Refusals.hubOnly(kind), taskId);
        }
        if (taskId == null) {
            return Decision.refused(Refusals.noTaskId(kind), null);
        }
        return switch (ledger.find(context.tenant(), taskId)) {
            case null -> Decision.refused(Refusals.unknown(taskId, kind), taskId);
            case Tombstone gone -> ended(gone, null, kind, context);
            case Task task when !task.live() -> ended(task, task.born().target(), kind, context);
            case Task task -> live(task, kind, event, context);
        };
    }

    /** Nothing follows the end, but the owner may still confirm a cancellation that the hub carried out (D12). */
    private static Decision ended(Known task, @Nullable String target, TaskEvent kind, Context context) {
        boolean confirms = kind == TaskEvent.CANCELLED && task.state() == TaskState.CANCELLED && task.endedByHub();
        String owner = task.owner();
        boolean asked = owner != null
                ? context.actor().equals(owner)
                : !context.enforceOwnership() || target != null && context.is(target);
        return confirms && asked ? Decision.known(task.id()) : Decision.refused(Refusals.ended(task, kind), task.id());
    }

    private Decision live(Task task, TaskEvent kind, Event event, Context context) {
        return switch (kind) {
            case ACCEPTED -> accepted(task, context);
            case STARTED -> started(task, event, context);
            case BLOCKED, RESUMED, PROGRESS, OUTPUT -> reported(task, kind, context);
            case ESCALATED -> escalated(task, context);
            case COMPLETED, FAILED -> finished(task, kind, event, context);
            case CANCELLED -> cancellations.confirmed(task, event, context);
            case CANCEL_REQUESTED -> cancellations.requested(task, event, context);
            case SUBMITTED, TIMED_OUT -> throw new IllegalStateException(kind + " is decided elsewhere");
        };
    }

    private Plan plan(Context context) {
        return new Plan(context.tenant(), context.now(), context.nextLsn(), context.ids(), types);
    }

    private static Decision refused(ProtocolError error, Task task) {
        return Decision.refused(error, task.id());
    }

    /** A fixture that carries the hub's side of the conversation too (D7). */
    private static boolean isHub(Context context) {
        return !context.enforceOwnership() && Plan.HUB.equals(context.actor());
    }

    static boolean mayReport(Task task, Context context) {
        if (!context.enforceOwnership()) {
            return true;
        }
        String target = task.born().target();
        return task.owner != null ? context.actor().equals(task.owner) : target != null && context.is(target);
    }

    // --- claiming

    private Decision accepted(Task task, Context context) {
        if (context.actor().equals(task.owner)) {
            return Decision.known(task.id());
        }
        if (isHub(context) && (task.owner != null || task.state != TaskState.SUBMITTED)) {
            return Decision.known(task.id());
        }
        ProtocolError refusal = maybeNoClaim(task, TaskEvent.ACCEPTED, context);
        if (refusal != null) {
            return refused(refusal, task);
        }
        Plan plan = plan(context);
        long lsn = plan.input();
        if (!isHub(context)) {
            claim(plan, task, context, lsn);
        }
        plan.moved(task, TaskEvent.ACCEPTED, TaskState.ACCEPTED, lsn);
        return plan.decision(task.id());
    }

    private Decision started(Task task, Event event, Context context) {
        boolean waiting = task.state == TaskState.SUBMITTED || task.state == TaskState.ACCEPTED;
        boolean claims = task.owner == null && !isHub(context);
        if (task.owner != null && !context.actor().equals(task.owner) && context.enforceOwnership()) {
            return refused(Refusals.owned(task, TaskEvent.STARTED), task);
        }
        if (!waiting) {
            return reported(task, TaskEvent.STARTED, context);
        }
        ProtocolError refusal = claims ? maybeNoClaim(task, TaskEvent.STARTED, context) : maybeSealed(task);
        if (refusal != null) {
            return refused(refusal, task);
        }
        Plan plan = plan(context);
        if (task.state == TaskState.SUBMITTED) {
            Json.Obj who = Json.Obj.builder().put("owner", context.actor()).build();
            Proposal.Said said = plan.say(TaskEvent.ACCEPTED, Plan.About.of(task), event.id(), who, null);
            if (claims) {
                claim(plan, task, context, said.lsn());
            }
            plan.moved(task, TaskEvent.ACCEPTED, TaskState.ACCEPTED, said.lsn());
        }
        long lsn = plan.input();
        if (claims && task.state == TaskState.ACCEPTED) {
            claim(plan, task, context, lsn);
        }
        plan.moved(task, TaskEvent.STARTED, TaskState.STARTED, lsn);
        return plan.decision(task.id());
    }

    private @Nullable ProtocolError maybeNoClaim(Task task, TaskEvent kind, Context context) {
        if (task.owner != null) {
            return Refusals.owned(task, kind);
        }
        String target = task.born().target();
        if (target != null && !context.is(target) && !isHub(context)) {
            return Refusals.notTarget(task, kind);
        }
        if (task.state != TaskState.SUBMITTED && task.state != TaskState.ACCEPTED) {
            return Refusals.illegal(task, kind);
        }
        return maybeSealed(task);
    }

    private static @Nullable ProtocolError maybeSealed(Task task) {
        return task.home().sealing(task) == null ? null : Refusals.cancelling(task.id(), TaskEvent.STARTED);
    }

    private static void claim(Plan plan, Task task, Context context, long lsn) {
        Lease lease = context.enforceOwnership() && context.sessionId() != null ? Lease.HELD : Lease.NONE;
        plan.add(new TaskFact.Claimed(plan.tenant(), task.id(), context.actor(), lease, plan.now(), lsn));
    }

    // --- reporting

    private Decision reported(Task task, TaskEvent kind, Context context) {
        if (!mayReport(task, context)) {
            return refused(Refusals.notOwner(task, kind), task);
        }
        TaskState to = TaskLifecycle.TABLE.next(task.state, kind);
        if (to == null) {
            return refused(Refusals.illegal(task, kind), task);
        }
        Plan plan = plan(context);
        plan.moved(task, kind, to, plan.input());
        if (task.lease == Lease.SUSPENDED
                && context.sessionId() != null
                && context.actor().equals(task.owner)) {
            plan.add(new TaskFact.LeaseSet(plan.tenant(), task.id(), Lease.HELD, plan.now()));
        }
        return plan.decision(task.id());
    }

    private Decision escalated(Task task, Context context) {
        boolean may = mayReport(task, context)
                || context.supervisor()
                || context.actor().equals(task.born().submitter());
        if (!may) {
            return refused(Refusals.notOwner(task, TaskEvent.ESCALATED), task);
        }
        Plan plan = plan(context);
        plan.moved(task, TaskEvent.ESCALATED, task.state, plan.input());
        return plan.decision(task.id());
    }

    private Decision finished(Task task, TaskEvent kind, Event event, Context context) {
        if (!mayReport(task, context)) {
            return refused(Refusals.notOwner(task, kind), task);
        }
        TaskState to = TaskLifecycle.TABLE.next(task.state, kind);
        if (to == null) {
            return refused(Refusals.illegal(task, kind), task);
        }
        if (kind == TaskEvent.COMPLETED) {
            List<String> active = activeChildren(task);
            if (!active.isEmpty()) {
                return refused(Refusals.activeChildren(task, active), task);
            }
        }
        Plan plan = plan(context);
        String reason = kind == TaskEvent.FAILED ? Refusals.reasonIn(event.payload()) : null;
        plan.ended(task, to, By.AGENT, reason, plan.inputToAbove(task, event, context));
        Cascade cascade = new Cascade(plan);
        if (kind == TaskEvent.FAILED) {
            cascade.abandoned(task, event.id());
        } else {
            cascade.settleAbove(task);
        }
        return plan.decision(task.id());
    }

    // --- being told

    /** A task waits while it is interrupted, and is worked on again afterwards. */
    Decision told(Signal.HoldTask hold, Context at) {
        Task task = ledger.maybeTask(hold.tenant(), hold.taskId());
        TaskEvent kind = hold.hold() ? TaskEvent.BLOCKED : TaskEvent.RESUMED;
        TaskState to = task == null || !task.live() ? null : TaskLifecycle.TABLE.next(task.state, kind);
        if (task == null || to == null) {
            return Decision.NOTHING;
        }
        Plan plan = plan(at);
        plan.noInput();
        Json.Obj why = Json.Obj.builder().put("reason", "interrupted").build();
        Proposal.Said said = plan.say(kind, Plan.About.of(task), hold.cause(), why, null);
        plan.moved(task, kind, to, said.lsn());
        return plan.decision(task.id());
    }

    /** The hub itself submits a task. */
    Decision told(Signal.SubmitTask submit, Context at) {
        Plan plan = plan(at);
        Event event = plan.draft(TaskEvent.SUBMITTED.type())
                .target(submit.target())
                .taskId(submit.taskId())
                .causationId(submit.cause())
                .payload(submit.payload().with("task_id", Json.of(submit.taskId())))
                .build();
        Context ours = new Context(at.now(), Context.Speaker.hub(at.tenant()), at.nextLsn(), at.ids(), at.around());
        Decision made = submissions.decide(event, ours);
        return made.refusal() == null && made.store() == Decision.Store.STORE ? made.saying(event) : Decision.NOTHING;
    }

    /** Work that was handed over before anybody submitted it. */
    Decision told(Signal.AdoptTask adopt, Context at) {
        if (ledger.find(adopt.tenant(), adopt.taskId()) != null) {
            return Decision.NOTHING;
        }
        Plan plan = plan(at);
        Event event = plan.draft(TaskEvent.SUBMITTED.type())
                .target(adopt.owner())
                .taskId(adopt.taskId())
                .parentTaskId(adopt.parentId())
                .causationId(adopt.cause())
                .payload(Json.Obj.builder().put("task_id", adopt.taskId()).build())
                .build();
        Context.Speaker owner = new Context.Speaker(
                at.tenant(),
                adopt.owner(),
                at.sessionId(),
                true,
                false,
                List.of(),
                _ -> true,
                _ -> true,
                Json.Obj.of());
        Context theirs = new Context(at.now(), owner, at.nextLsn(), at.ids(), at.around());
        Decision made = submissions.decide(event, theirs);
        if (made.refusal() != null || made.store() != Decision.Store.STORE) {
            return Decision.NOTHING;
        }
        Lease lease = at.enforceOwnership() && at.sessionId() != null ? Lease.HELD : Lease.NONE;
        return made.saying(event)
                .and(new TaskFact.Claimed(at.tenant(), adopt.taskId(), adopt.owner(), lease, at.now(), at.nextLsn()));
    }

    /** A task changes hands: from here on only the new owner reports. */
    Decision told(Signal.MoveOwner move, Context at) {
        Task task = ledger.maybeTask(move.tenant(), move.taskId());
        if (task == null || !task.live() || move.to().equals(task.owner)) {
            return Decision.NOTHING;
        }
        Plan plan = plan(at);
        plan.noInput();
        long lsn = at.nextLsn() - 1;
        if (task.state == TaskState.SUBMITTED) {
            Json.Obj who = Json.Obj.builder().put("owner", move.to()).build();
            Proposal.Said said = plan.say(TaskEvent.ACCEPTED, Plan.About.of(task), move.cause(), who, null);
            plan.moved(task, TaskEvent.ACCEPTED, TaskState.ACCEPTED, said.lsn());
            lsn = said.lsn();
        }
        boolean there = at.around().lastSeen(at.tenant(), move.to()) > 0;
        plan.add(new TaskFact.Claimed(
                plan.tenant(), task.id(), move.to(), there ? Lease.HELD : Lease.NONE, plan.now(), lsn));
        return plan.decision(task.id());
    }

    /** Its submitter hears that the task needs somebody above it. */
    Decision told(Signal.EscalateTask escalate, Context at) {
        Task task = ledger.maybeTask(escalate.tenant(), escalate.taskId());
        if (task == null || !task.live()) {
            return Decision.NOTHING;
        }
        Plan plan = plan(at);
        plan.noInput();
        Json.Obj why = Json.Obj.builder().put("reason", escalate.reason()).build();
        Proposal.Said said = plan.say(
                TaskEvent.ESCALATED,
                Plan.About.of(task),
                escalate.cause(),
                why,
                task.born().submitter());
        plan.moved(task, TaskEvent.ESCALATED, task.state, said.lsn());
        return plan.decision(task.id());
    }

    private static List<String> activeChildren(Task task) {
        TenantTasks.Family family = task.home().family(task.id());
        if (family == null || family.live == 0) {
            return List.of();
        }
        return family.members.values().stream()
                .filter(Task::live)
                .limit(CHILDREN_NAMED)
                .map(Task::id)
                .toList();
    }
}
