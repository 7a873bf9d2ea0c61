package dev.harmovela.dimension.task;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Ids;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Presence;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import dev.harmovela.dimension.task.TaskFact.By;
import dev.harmovela.dimension.task.TaskFact.Lease;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to tasks without anybody saying it: time passes, owners vanish or leave (§5, D31, D44). Moves no
 * state; the alarms
 * of tasks whose owner or target turned out to be there are set anew.
 */
final class Ticks {

    private static final int LOOKED_AT = 1024;
    private static final int SWEPT = 256;
    private static final String SESSION_CLOSED = "session_closed";

    private final TaskPolicy policy;
    private final TaskLedger ledger;
    private final EventRegistry types;

    Ticks(TaskPolicy policy, TaskLedger ledger, EventRegistry types) {
        this.policy = policy;
        this.ledger = ledger;
        this.types = types;
    }

    // --- time

    /** Everything due of one tenant, as far as it fits a frame. */
    Decision fire(long now, Presence presence, long nextLsn, Ids ids) {
        List<Alarm> due = ledger.alarms().due(now, LOOKED_AT);
        if (due.isEmpty()) {
            return Decision.NOTHING;
        }
        Plan plan = new Plan(due.get(0).home().tenant(), now, nextLsn, ids, types);
        plan.noInput();
        for (Alarm alarm : due) {
            if (!plan.hasRoom()) {
                break;
            }
            switch (alarm) {
                case Task task -> overdue(task, plan, presence);
                case CancelProcess process -> process(process, plan);
                case TenantTasks tasks -> sweep(tasks, plan);
            }
        }
        if (ledger.alarms().next() <= now) {
            plan.moreToCome();
        }
        return plan.decision(null);
    }

    private void overdue(Task task, Plan plan, Presence presence) {
        if (!plan.live(task) || plan.sealed(task)) {
            return;
        }
        task.checkAt = absentSince(task, plan.now(), presence);
        if (Math.min(task.terms().endBy(), task.checkAt) > plan.now()) {
            ledger.rearm(task);
        } else if (task.terms().endBy() <= task.checkAt) {
            timedOut(task, "timeout", plan);
        } else if (task.owner == null) {
            timedOut(task, "target_offline", plan);
        } else {
            end(task, TaskEvent.FAILED, gone(task, "worker_lost", "was not heard of for too long"), plan);
        }
    }

    /** When patience with owner or target ends: not before now where there is nothing to complain of. */
    private long absentSince(Task task, long now, Presence presence) {
        String owner = task.owner;
        String awaited = owner != null ? owner : task.born().target();
        boolean counts = owner != null ? task.lease != Lease.SUSPENDED : task.waitsForTarget();
        if (awaited == null || !counts) {
            return Alarm.NEVER;
        }
        String tenant = task.home().tenant();
        long patience = owner != null ? task.terms().leaseMs() : task.terms().offlineMs();
        long seen = presence.lastSeen(tenant, awaited);
        boolean neverThere = owner != null && seen == 0 && task.lease == Lease.NONE;
        if (neverThere || presence.attached(tenant, awaited)) {
            return TaskTerms.plus(now, patience);
        }
        long since = Math.max(Math.max(seen, task.born().at()), Math.max(task.renewedAt, ledger.hubStartedAt()));
        return TaskTerms.plus(since, patience);
    }

    private static void timedOut(Task task, String reason, Plan plan) {
        ProtocolError error = ProtocolError.because(ErrorCode.TASK_TIMEOUT, reason, "task " + task.id() + " timed out");
        if (task.terms().timeoutMs() > 0) {
            error = error.with("timeout_ms", Json.of(task.terms().timeoutMs()));
        }
        end(task, TaskEvent.TIMED_OUT, error, plan);
    }

    private static ProtocolError gone(Task task, String reason, String what) {
        String owner = String.valueOf(task.owner);
        return ProtocolError.because(ErrorCode.TASK_ERROR, reason, "the owner " + owner + " " + what)
                .with("owner", owner);
    }

    private static void end(Task task, TaskEvent event, ProtocolError error, Plan plan) {
        Json.Obj why = Json.Obj.builder()
                .put("reason", error.reason())
                .put("error", error.toJson())
                .build();
        Proposal.Said said = plan.say(event, Plan.About.of(task), null, why, plan.ownerAbove(task));
        TaskState state = event == TaskEvent.FAILED ? TaskState.FAILED : TaskState.TIMED_OUT;
        plan.ended(task, state, By.HUB, error.reason(), said.lsn());
        new Cascade(plan).abandoned(task, said.id());
    }

    private void process(CancelProcess process, Plan plan) {
        Cascade cascade = new Cascade(plan);
        boolean force = process.patienceEnds(ledger.hubStartedAt()) <= plan.now();
        boolean done = force
                ? cascade.force(process.work(), process.cause())
                : cascade.advance(process.pending(), process.cause());
        if (!done) {
            plan.moreToCome();
        }
        if (!plan.live(process.root())) {
            cascade.settleAbove(process.root());
        }
    }

    private void sweep(TenantTasks tasks, Plan plan) {
        TaskPolicy.Retention retention = policy.retention();
        int tooMany = tasks.shrinkable().size() + tasks.tombstones().size() - retention.keepCount();
        List<String> shrunk = new ArrayList<>();
        for (Task task : tasks.shrinkable()) {
            TaskFact.Ended end = task.end;
            boolean old = end != null && TaskTerms.plus(end.at(), retention.detailMs()) <= plan.now();
            if (shrunk.size() == SWEPT
                    || !(old || shrunk.size() + tasks.tombstones().size() < tooMany)) {
                break;
            }
            shrunk.add(task.id());
        }
        List<String> forgotten = new ArrayList<>();
        for (Tombstone tombstone : tasks.tombstones().values()) {
            boolean old = TaskTerms.plus(tombstone.endedAt(), retention.keepMs()) <= plan.now();
            if (forgotten.size() == SWEPT || !(old || forgotten.size() < tooMany)) {
                break;
            }
            forgotten.add(tombstone.id());
        }
        if (!shrunk.isEmpty()) {
            plan.add(new TaskFact.Shrunk(tasks.tenant(), shrunk));
        }
        if (!forgotten.isEmpty()) {
            plan.add(new TaskFact.Forgotten(tasks.tenant(), forgotten));
        }
    }

    // --- being told

    /** Another dimension wants the task to end. */
    Decision told(Signal.EndTask end, Context at) {
        Task task = ledger.maybeTask(end.tenant(), end.taskId());
        if (task == null || !task.live()) {
            return Decision.NOTHING;
        }
        Plan plan = new Plan(end.tenant(), at.now(), at.nextLsn(), at.ids(), types);
        plan.noInput();
        if (end.how() == Signal.EndTask.How.FAIL) {
            end(task, TaskEvent.FAILED, end.error(), plan);
        } else if (!plan.sealed(task)) {
            cancelled(task, String.valueOf(end.error().reason()), task.owner, plan);
        }
        return plan.isEmpty() ? Decision.NOTHING : plan.decision(task.id());
    }

    // --- leaving

    /** The owner closed its last session gracefully: each of its tasks ends as it was declared, or runs on. */
    Decision left(String tenant, String identity, @Nullable String sessionId, long now, long nextLsn, Ids ids) {
        TenantTasks tasks = ledger.tenant(tenant);
        if (tasks == null) {
            return Decision.NOTHING;
        }
        Plan plan = new Plan(tenant, now, nextLsn, ids, types);
        plan.noInput();
        for (Task task : tasks.ownedBy(identity)) {
            if (!plan.hasRoom()) {
                plan.moreToCome();
                break;
            }
            if (plan.live(task)) {
                left(task, sessionId, plan);
            }
        }
        return plan.isEmpty() ? Decision.NOTHING : plan.decision(null);
    }

    /** The owner of a task that was interrupted for it has gone for good (D44). */
    Decision told(Signal.TaskLeft left, Context at) {
        Task task = ledger.maybeTask(left.tenant(), left.taskId());
        if (task == null || !task.live()) {
            return Decision.NOTHING;
        }
        Plan plan = new Plan(at.tenant(), at.now(), at.nextLsn(), at.ids(), types);
        plan.noInput();
        if (!left.saved()) {
            left(task, null, plan);
        } else if (task.lease != Lease.SUSPENDED) {
            plan.add(new TaskFact.LeaseSet(plan.tenant(), task.id(), Lease.SUSPENDED, plan.now()));
        }
        return plan.isEmpty() ? Decision.NOTHING : plan.decision(task.id());
    }

    private static void left(Task task, @Nullable String sessionId, Plan plan) {
        Cascade cascade = new Cascade(plan);
        String cause = plan.causeOf(task);
        if (cause != null) {
            if (!plan.released(task)) {
                plan.stopped(task);
            }
            if (plan.liveBelow(task) == 0) {
                cascade.end(task, cause, Cascade.CANCELLED);
                cascade.settleAbove(task);
            }
            return;
        }
        switch (task.terms().onSessionClosed()) {
            case FAIL -> {
                ProtocolError error = gone(task, SESSION_CLOSED, "closed its session");
                end(task, TaskEvent.FAILED, sessionId == null ? error : error.with("session_id", sessionId), plan);
            }
            case CANCEL -> cancelled(task, SESSION_CLOSED, null, plan);
            case CONTINUE -> {
                if (task.lease != Lease.SUSPENDED) {
                    plan.add(new TaskFact.LeaseSet(plan.tenant(), task.id(), Lease.SUSPENDED, plan.now()));
                }
            }
        }
    }

    /** @param told who has to hear that it shall stop, null when nobody is there any more */
    private static void cancelled(Task task, String reason, @Nullable String told, Plan plan) {
        Cascade cascade = new Cascade(plan);
        Json.Obj why = Json.Obj.builder().put("reason", reason).build();
        Proposal.Said said = plan.say(TaskEvent.CANCEL_REQUESTED, Plan.About.of(task), null, why, told);
        plan.asked(task, said.lsn());
        if (plan.liveBelow(task) == 0) {
            cascade.end(task, said.id(), reason);
        } else {
            plan.stopped(task);
            cascade.begin(task, said.id());
        }
    }
}
