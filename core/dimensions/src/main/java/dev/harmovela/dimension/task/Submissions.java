package dev.harmovela.dimension.task;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import org.jspecify.annotations.Nullable;

/** Decides about {@code task.submitted}: the only way a task comes to exist. */
final class Submissions {

    private final TaskPolicy policy;
    private final TaskLedger ledger;
    private final EventRegistry types;

    Submissions(TaskPolicy policy, TaskLedger ledger, EventRegistry types) {
        this.policy = policy;
        this.ledger = ledger;
        this.types = types;
    }

    Decision decide(Event event, Context context) {
        String named = event.taskId();
        if (named != null) {
            Decision taken = maybeTaken(named, event, context);
            if (taken != null) {
                return taken;
            }
        }
        TenantTasks tasks = ledger.tenant(context.tenant());
        String taskId = named != null ? named : context.ids().next("task");
        ProtocolError refusal = maybeRefusal(taskId, event.parentTaskId(), tasks);
        if (refusal != null) {
            return Decision.refused(refusal, named);
        }
        return switch (TaskTerms.of(event.payload(), policy, context.now())) {
            case TaskTerms.Read.Bad bad -> Decision.refused(bad.error(), named);
            case TaskTerms.Read.Ok ok -> accepted(event, taskId, ok.terms(), context);
        };
    }

    /** The answer when the id is in use: the same again is known, anything else refused; null when it is free. */
    private @Nullable Decision maybeTaken(String taskId, Event event, Context context) {
        return switch (ledger.find(context.tenant(), taskId)) {
            case null -> null;
            case Tombstone gone -> Decision.refused(Refusals.ended(gone, TaskEvent.SUBMITTED), taskId);
            case Task task when !task.live() -> Decision.refused(Refusals.ended(task, TaskEvent.SUBMITTED), taskId);
            case Task task when same(task.born(), event, context) -> Decision.known(taskId);
            case Task task -> Decision.refused(Refusals.taken(task), taskId);
        };
    }

    private static boolean same(TaskFact.Submitted born, Event event, Context context) {
        return born.contentHash() == event.contentHash() && born.submitter().equals(context.actor());
    }

    private @Nullable ProtocolError maybeRefusal(
            String taskId, @Nullable String parentId, @Nullable TenantTasks tasks) {
        if (taskId.equals(parentId)) {
            return Refusals.loop(taskId);
        }
        if (tasks == null) {
            return null;
        }
        TaskPolicy.Bounds bounds = policy.bounds();
        if (tasks.live() >= bounds.live()) {
            return Refusals.tooManyTasks(bounds.live());
        }
        int depth = 1 + tasks.height(taskId);
        if (parentId != null) {
            TenantTasks.Family siblings = tasks.family(parentId);
            if (siblings != null && siblings.live >= bounds.children()) {
                return Refusals.tooManyChildren(parentId, bounds.children());
            }
            switch (tasks.find(parentId)) {
                case null -> {
                    // A parent elsewhere, or one that is submitted later.
                    depth++;
                }
                case Tombstone parent -> {
                    return Refusals.parentEnded(taskId, parent);
                }
                case Task parent
                when !parent.live() -> {
                    return Refusals.parentEnded(taskId, parent);
                }
                case Task parent -> {
                    if (tasks.sealing(parent) != null) {
                        return Refusals.cancelling(parentId, TaskEvent.SUBMITTED);
                    }
                    for (Task above = parent; above != null; above = tasks.parent(above)) {
                        depth++;
                        if (taskId.equals(above.born().parentId())) {
                            return Refusals.loop(taskId);
                        }
                    }
                }
            }
        }
        return depth > bounds.depth() ? Refusals.tooDeep(taskId, bounds.depth()) : null;
    }

    /** The hub accepts what nobody is named for (D4), and what it had to name itself: so a target learns the name. */
    private Decision accepted(Event event, String taskId, TaskTerms terms, Context context) {
        Plan plan = new Plan(context.tenant(), context.now(), context.nextLsn(), context.ids(), types);
        long lsn = plan.input();
        String target = Plan.HUB.equals(event.target()) ? null : event.target();
        plan.add(new TaskFact.Submitted(
                context.tenant(),
                taskId,
                context.actor(),
                target,
                event.parentTaskId(),
                event.correlationId(),
                event.contentHash(),
                terms,
                context.now(),
                lsn));
        if (target == null || event.taskId() == null) {
            Plan.About about = new Plan.About(taskId, event.parentTaskId(), event.correlationId());
            Proposal.Said said = plan.say(TaskEvent.ACCEPTED, about, event.id(), Json.Obj.of(), target);
            plan.add(new TaskFact.Moved(
                    context.tenant(), taskId, TaskEvent.ACCEPTED, TaskState.ACCEPTED, context.now(), said.lsn()));
        }
        return plan.decision(taskId);
    }
}
