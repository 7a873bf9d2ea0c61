package dev.harmovela.dimension.task;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.task.TaskFact.By;
import java.util.List;

/** Decides about {@code task.cancel.requested} and {@code task.cancelled} for a live task: the two phases of §5. */
final class Cancellations {

    private final EventRegistry types;

    Cancellations(EventRegistry types) {
        this.types = types;
    }

    private static boolean mayAsk(Task task, Context context) {
        return !context.enforceOwnership()
                || context.supervisor()
                || context.actor().equals(task.owner)
                || context.actor().equals(task.born().submitter());
    }

    private Plan plan(Context context) {
        return new Plan(context.tenant(), context.now(), context.nextLsn(), context.ids(), types);
    }

    /** Somebody wants the task to stop. Its owner is asked; without an owner it ends at once (D31). */
    Decision requested(Task task, Event event, Context context) {
        if (!mayAsk(task, context)) {
            return Decision.refused(Refusals.mayNotCancel(task), task.id());
        }
        Plan plan = plan(context);
        long lsn = plan.input();
        plan.routeTo(task.owner);
        if (plan.sealed(task)) {
            plan.moved(task, TaskEvent.CANCEL_REQUESTED, task.state, lsn);
            return plan.decision(task.id());
        }
        Cascade cascade = new Cascade(plan);
        if (task.owner != null) {
            plan.asked(task, lsn);
            cascade.begin(task, event.id());
            return plan.decision(task.id());
        }
        plan.moved(task, TaskEvent.CANCEL_REQUESTED, task.state, lsn);
        if (task.liveBelow == 0) {
            cascade.end(task, event.id(), Cascade.CANCELLED);
        } else {
            cascade.begin(task, event.id());
        }
        return plan.decision(task.id());
    }

    /**
     * The owner says that the task has stopped. Where something still lives below, the hub ends that first: at
     * once when nobody
     * has to be asked, so that the owner's event ends the task; else the hub ends the task itself, last, and
     * the owner's event
     * only counts as its word.
     */
    Decision confirmed(Task task, Event event, Context context) {
        boolean may = task.owner != null ? TaskRules.mayReport(task, context) : mayAsk(task, context);
        if (!may && !TaskRules.mayReport(task, context)) {
            return Decision.refused(Refusals.notOwner(task, TaskEvent.CANCELLED), task.id());
        }
        if (task.confirmed) {
            return Decision.known(task.id());
        }
        Plan plan = plan(context);
        Cascade cascade = new Cascade(plan);
        if (task.liveBelow > 0 && !endedBefore(task, event, plan, cascade)) {
            return stopped(task, event, context);
        }
        long at = plan.inputToAbove(task, event, context);
        plan.ended(task, TaskState.CANCELLED, By.AGENT, Refusals.reasonIn(event.payload()), at);
        cascade.settleAbove(task);
        return plan.decision(task.id());
    }

    /** Ends everything below in front of the owner's event, when it fits the frame and nobody has to be asked. */
    private static boolean endedBefore(Task task, Event event, Plan plan, Cascade cascade) {
        List<Task> below = task.home().liveTree(task).stream()
                .filter(other -> other != task)
                .toList();
        if (!below.stream().allMatch(Task::released)) {
            return false;
        }
        String cause = plan.causeOf(task);
        return cascade.advance(below, cause == null ? event.id() : cause);
    }

    private Decision stopped(Task task, Event event, Context context) {
        Plan plan = plan(context);
        plan.noInput();
        plan.stopped(task);
        if (!plan.sealed(task)) {
            new Cascade(plan).begin(task, event.id());
        }
        return plan.decision(task.id());
    }
}
