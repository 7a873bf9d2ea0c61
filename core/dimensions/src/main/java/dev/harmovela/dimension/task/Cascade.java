package dev.harmovela.dimension.task;

import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.task.TaskFact.By;
import dev.harmovela.dimension.task.TaskPolicy.Orphans;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How trees of tasks come to their end (§5, D31). A process seals the tree; owners are asked to stop, deepest
 * tasks first; a
 * task that nobody owns, or whose owner has stopped, is ended by the hub when nothing lives below it; so the
 * root ends last.
 */
final class Cascade {

    static final String CANCELLED = "cancelled";
    static final String FORCED = "forced";
    private static final String PARENT_ENDS = "parent_ends";

    private final Plan plan;

    Cascade(Plan plan) {
        this.plan = plan;
    }

    /**
     * The end of the tree begins; {@code root} may have ended itself. The caller has made sure that something
     * lives there.
     */
    void begin(Task root, String cause) {
        plan.begun(root, cause);
        if (!advance(root.home().liveTree(root), cause)) {
            plan.moreToCome();
        }
    }

    /** Asks owners and ends what may end, in that order of tasks; false when the frame is full. */
    boolean advance(List<Task> tasks, String cause) {
        for (Task task : tasks) {
            if (!plan.live(task)) {
                continue;
            }
            if (!plan.hasRoom()) {
                return false;
            }
            if (!plan.released(task)) {
                ask(task, cause);
            } else if (plan.liveBelow(task) == 0) {
                end(task, cause, CANCELLED);
            }
        }
        return true;
    }

    private void ask(Task task, String cause) {
        if (!plan.isAsked(task)) {
            Json.Obj why = Json.Obj.builder().put("reason", PARENT_ENDS).build();
            Proposal.Said said = plan.say(TaskEvent.CANCEL_REQUESTED, Plan.About.of(task), cause, why, task.owner);
            plan.asked(task, said.lsn());
        }
    }

    /** Ends what is left, in that order of tasks; false when the frame is full. */
    boolean force(List<Task> tasks, String cause) {
        for (Task task : tasks) {
            if (plan.live(task)) {
                if (!plan.hasRoom()) {
                    return false;
                }
                end(task, cause, plan.released(task) ? CANCELLED : FORCED);
            }
        }
        return true;
    }

    /** The hub says {@code task.cancelled}. */
    void end(Task task, @Nullable String cause, String reason) {
        Json.Obj why = Json.Obj.builder().put("reason", reason).build();
        Proposal.Said said = plan.say(TaskEvent.CANCELLED, Plan.About.of(task), cause, why, plan.ownerAbove(task));
        plan.ended(task, TaskState.CANCELLED, By.HUB, reason, said.lsn());
    }

    /** A task failed or ran out of time by that event: what lives below goes too, unless orphans run. */
    void abandoned(Task task, String cause) {
        if (plan.liveBelow(task) > 0 && task.terms().orphans() == Orphans.CANCEL && !plan.sealed(task)) {
            begin(task, cause);
        }
        settleAbove(task);
    }

    /** Something ended: ancestors in a sealed tree that only waited for it end now, nearest first. */
    void settleAbove(Task task) {
        TenantTasks home = task.home();
        for (Task above = home.parent(task); above != null; above = home.parent(above)) {
            if (!plan.live(above)) {
                continue;
            }
            String cause = plan.causeOf(above);
            if (cause == null || plan.liveBelow(above) > 0 || !plan.released(above)) {
                return;
            }
            end(above, cause, CANCELLED);
        }
    }
}
