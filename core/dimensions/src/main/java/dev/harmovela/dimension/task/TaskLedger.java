package dev.harmovela.dimension.task;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of all tasks: a fold over {@link TaskFact}s, and the only place where it moves. The alarms are an
 * index over it.
 */
final class TaskLedger {

    private static final int FIRST_FORM = 1;

    private final TaskPolicy.Retention retention;
    private final Map<String, TenantTasks> tenants = new TreeMap<>();
    private final Alarms alarms = new Alarms();
    private long nextOrdinal;
    private long hubStartedAt;

    TaskLedger(TaskPolicy.Retention retention) {
        this.retention = retention;
    }

    Alarms alarms() {
        return alarms;
    }

    /** Start of this run of the hub, 0 until it is told. */
    long hubStartedAt() {
        return hubStartedAt;
    }

    @Nullable TenantTasks tenant(String tenant) {
        return tenants.get(tenant);
    }

    @Nullable Known find(String tenant, String taskId) {
        TenantTasks tasks = tenants.get(tenant);
        return tasks == null ? null : tasks.find(taskId);
    }

    @Nullable Task maybeTask(String tenant, String taskId) {
        TenantTasks tasks = tenants.get(tenant);
        return tasks == null ? null : tasks.task(taskId);
    }

    Collection<TenantTasks> tenants() {
        return tenants.values();
    }

    // --- folding

    void apply(TaskFact fact) {
        switch (fact) {
            case TaskFact.Submitted born -> submitted(born);
            case TaskFact.Moved moved -> moved(task(moved.tenant(), moved.taskId()), moved);
            case TaskFact.Claimed claimed -> claimed(task(claimed.tenant(), claimed.taskId()), claimed);
            case TaskFact.LeaseSet set -> {
                Task task = task(set.tenant(), set.taskId());
                task.lease = set.lease();
                task.checkFrom(set.at());
                rearm(task);
            }
            case TaskFact.Ended ended -> ended(task(ended.tenant(), ended.taskId()), ended);
            case TaskFact.CancelBegan began -> cancelBegan(task(began.tenant(), began.taskId()), began);
            case TaskFact.Noticed noticed -> {
                Task task = task(noticed.tenant(), noticed.taskId());
                task.noticed = true;
                task.cancelRequested = true;
                task.lastLsn = noticed.lsn();
                task.history().add(TaskEvent.CANCEL_REQUESTED, noticed.at(), noticed.lsn());
                advanceAbove(task);
            }
            case TaskFact.Confirmed confirmed -> {
                Task task = task(confirmed.tenant(), confirmed.taskId());
                task.confirmed = true;
                task.cancelRequested = true;
                advanceAbove(task);
            }
            case TaskFact.Shrunk shrunk -> shrunk(shrunk);
            case TaskFact.Forgotten forgotten -> forgotten(forgotten);
            case TaskFact.SpaceEnded gone -> spaceEnded(gone.tenant());
            case TaskFact.Carried carried -> task(carried.tenant(), carried.taskId()).bodyLsn = carried.lsn();
        }
    }

    /**
     * Folds a fact of a log whose beginning may be gone: what it says of tasks that are not known is passed over,
     * and one that was carried is known from then on. Ends under way are no matter here.
     */
    void follow(TaskFact fact) {
        switch (fact) {
            case TaskFact.Submitted born -> {
                if (find(born.tenant(), born.taskId()) == null) {
                    apply(born);
                }
            }
            case TaskFact.Moved moved -> applyIfLive(moved.tenant(), moved.taskId(), moved);
            case TaskFact.Claimed claimed -> applyIfLive(claimed.tenant(), claimed.taskId(), claimed);
            case TaskFact.LeaseSet set -> applyIfLive(set.tenant(), set.taskId(), set);
            case TaskFact.Ended ended -> applyIfLive(ended.tenant(), ended.taskId(), ended);
            case TaskFact.Noticed noticed -> applyIfLive(noticed.tenant(), noticed.taskId(), noticed);
            case TaskFact.Confirmed confirmed -> applyIfLive(confirmed.tenant(), confirmed.taskId(), confirmed);
            case TaskFact.CancelBegan _ -> {}
            case TaskFact.Shrunk shrunk -> shrunk(new TaskFact.Shrunk(shrunk.tenant(), ended(shrunk)));
            case TaskFact.Forgotten forgotten -> {
                if (tenants.containsKey(forgotten.tenant())) {
                    apply(forgotten);
                }
            }
            case TaskFact.SpaceEnded gone -> apply(gone);
            case TaskFact.Carried carried -> followCarried(carried);
        }
    }

    private void applyIfLive(String tenant, String taskId, TaskFact fact) {
        Task task = maybeTask(tenant, taskId);
        if (task != null && task.live()) {
            apply(fact);
        }
    }

    private List<String> ended(TaskFact.Shrunk fact) {
        return fact.taskIds().stream()
                .filter(id -> {
                    Task task = maybeTask(fact.tenant(), id);
                    return task != null && !task.live();
                })
                .toList();
    }

    private void followCarried(TaskFact.Carried carried) {
        if (find(carried.tenant(), carried.taskId()) != null) {
            apply(carried);
            return;
        }
        TenantTasks home = tenants.computeIfAbsent(carried.tenant(), TenantTasks::new);
        Task task = carried.whole().in(home, nextOrdinal++);
        task.bodyLsn = carried.lsn();
        home.add(task);
    }

    private Task task(String tenant, String taskId) {
        TenantTasks tasks = tenants.get(tenant);
        Task task = tasks == null ? null : tasks.task(taskId);
        if (task == null) {
            throw new IllegalStateException(
                    "fact about task " + taskId + " of tenant " + tenant + ", which is not known");
        }
        return task;
    }

    private void submitted(TaskFact.Submitted born) {
        TenantTasks home = tenants.computeIfAbsent(born.tenant(), TenantTasks::new);
        if (home.find(born.taskId()) != null) {
            throw new IllegalStateException(
                    "task " + born.taskId() + " of tenant " + born.tenant() + " exists already");
        }
        Task task = new Task(home, nextOrdinal++, born);
        task.history().add(TaskEvent.SUBMITTED, born.at(), born.lsn());
        home.add(task);
        task.checkFrom(born.at());
        rearm(task);
    }

    private void moved(Task task, TaskFact.Moved fact) {
        TaskState from = task.state;
        task.state = fact.to();
        task.lastLsn = fact.lsn();
        task.history().add(fact.event(), fact.at(), fact.lsn());
        switch (fact.event()) {
            case CANCEL_REQUESTED -> task.cancelRequested = true;
            case ESCALATED -> {}
            case SUBMITTED, ACCEPTED, STARTED, BLOCKED, RESUMED, PROGRESS, OUTPUT -> task.renewedAt = fact.at();
            case COMPLETED, FAILED, CANCELLED, TIMED_OUT -> throw new IllegalStateException(fact + " is an end");
        }
        if (fact.to() == TaskState.STARTED && task.startedAt == 0) {
            task.startedAt = fact.at();
        }
        if (from == TaskState.SUBMITTED && task.owner == null) {
            task.checkFrom(fact.at());
            rearm(task);
        }
    }

    private void claimed(Task task, TaskFact.Claimed fact) {
        task.home().claimed(task, fact.owner());
        task.lease = fact.lease();
        task.claims++;
        task.claimedAt = fact.at();
        task.renewedAt = fact.at();
        task.lastLsn = fact.lsn();
        task.checkFrom(fact.at());
        rearm(task);
    }

    private void ended(Task task, TaskFact.Ended fact) {
        if (!task.live()) {
            throw new IllegalStateException("task " + task.id() + " ends twice");
        }
        task.state = fact.state();
        task.end = fact;
        task.lastLsn = fact.lsn();
        task.history().add(endEvent(fact.state()), fact.at(), fact.lsn());
        alarms.disarm(task);
        TenantTasks home = task.home();
        home.ended(task);
        for (Task at = task; at != null; at = home.parent(at)) {
            CancelProcess process = home.processes().get(at.id());
            if (process != null) {
                process.ended();
                process.advance();
                if (process.live() == 0) {
                    home.processes().remove(at.id());
                    alarms.disarm(process);
                } else {
                    alarms.arm(process, process.due(hubStartedAt));
                }
            }
        }
        rearmHousekeeping(home);
    }

    private static TaskEvent endEvent(TaskState state) {
        return switch (state) {
            case COMPLETED -> TaskEvent.COMPLETED;
            case FAILED -> TaskEvent.FAILED;
            case CANCELLED -> TaskEvent.CANCELLED;
            case TIMED_OUT -> TaskEvent.TIMED_OUT;
            case SUBMITTED, ACCEPTED, STARTED, BLOCKED, PROGRESS, OUTPUT ->
                throw new IllegalStateException(state + " is not an end");
        };
    }

    private void cancelBegan(Task root, TaskFact.CancelBegan fact) {
        TenantTasks home = root.home();
        CancelProcess process = new CancelProcess(root, fact, home.liveTree(root));
        if (process.live() == 0 || home.processes().putIfAbsent(root.id(), process) != null) {
            throw new IllegalStateException("no end can begin at task " + root.id());
        }
        process.work().forEach(alarms::disarm);
        process.advance();
        alarms.arm(process, process.due(hubStartedAt));
    }

    private void advanceAbove(Task task) {
        TenantTasks home = task.home();
        for (Task at = task; at != null; at = home.parent(at)) {
            CancelProcess process = home.processes().get(at.id());
            if (process != null) {
                process.advance();
                alarms.arm(process, process.due(hubStartedAt));
            }
        }
    }

    private void shrunk(TaskFact.Shrunk fact) {
        TenantTasks home = null;
        for (String id : fact.taskIds()) {
            Task task = task(fact.tenant(), id);
            TaskFact.Ended end = task.end;
            if (end == null) {
                throw new IllegalStateException("live task " + id + " cannot shrink");
            }
            home = task.home();
            home.shrunk(task, new Tombstone(id, end.state(), task.endedByHub(), task.owner, end.at(), end.lsn()));
        }
        if (home != null) {
            rearmHousekeeping(home);
        }
    }

    private void forgotten(TaskFact.Forgotten fact) {
        TenantTasks home = tenants.get(fact.tenant());
        if (home == null) {
            throw new IllegalStateException("tenant " + fact.tenant() + " has no tasks to forget");
        }
        fact.taskIds().forEach(home.tombstones()::remove);
        rearmHousekeeping(home);
        if (home.isEmpty()) {
            tenants.remove(fact.tenant());
        }
    }

    private void spaceEnded(String tenant) {
        TenantTasks home = tenants.remove(tenant);
        if (home != null) {
            home.inOrder().values().forEach(alarms::disarm);
            home.processes().values().forEach(alarms::disarm);
            alarms.disarm(home);
        }
    }

    // --- alarms

    /** The hub runs since {@code now}: absences count from here, promises stay (core rule: time). */
    void started(long now) {
        hubStartedAt = now;
        for (TenantTasks home : tenants.values()) {
            for (Task task : home.inOrder().values()) {
                if (task.live()) {
                    task.checkFrom(now);
                    rearm(task);
                }
            }
            home.processes().values().forEach(process -> alarms.arm(process, process.due(now)));
        }
    }

    /** Looks at the task again at its next deadline; a task in a sealed tree has none of its own. */
    void rearm(Task task) {
        if (!task.live() || task.home().sealing(task) != null) {
            alarms.disarm(task);
        } else {
            alarms.arm(task, Math.min(task.terms().endBy(), task.checkAt));
        }
    }

    private void rearmHousekeeping(TenantTasks home) {
        long at = Alarm.NEVER;
        if (!home.shrinkable().isEmpty()) {
            TaskFact.Ended end = home.shrinkable().getFirst().end;
            at = end == null ? Alarm.NEVER : TaskTerms.plus(end.at(), retention.detailMs());
        }
        if (!home.tombstones().isEmpty()) {
            Tombstone oldest = home.tombstones().firstEntry().getValue();
            at = Math.min(at, TaskTerms.plus(oldest.endedAt(), retention.keepMs()));
        }
        if (home.shrinkable().size() + home.tombstones().size() > retention.keepCount()) {
            at = 0;
        }
        alarms.arm(home, at);
    }

    // --- snapshot

    /** Writes the state; equal states give equal bytes. */
    void snapshot(Out out) {
        out.u8(Task.FORM).varint(nextOrdinal).varint(tenants.size());
        for (TenantTasks home : tenants.values()) {
            out.string(home.tenant()).varint(home.inOrder().size());
            home.inOrder().values().forEach(task -> task.write(out));
            out.varint(home.shrinkable().size());
            home.shrinkable().forEach(task -> out.varint(task.ordinal()));
            out.varint(home.processes().size());
            home.processes().values().forEach(process -> process.began().write(out));
            out.varint(home.tombstones().size());
            home.tombstones().values().forEach(tombstone -> tombstone.write(out));
        }
    }

    /** Replaces the state by a written one. */
    void restore(In in) {
        if (!tenants.isEmpty()) {
            throw new IllegalStateException("tasks are restored into an empty ledger");
        }
        int form = in.u8();
        if (form < FIRST_FORM || form > Task.FORM) {
            throw new IllegalArgumentException("task snapshot of form " + form);
        }
        nextOrdinal = in.varint();
        for (int count = in.count(); count > 0; count--) {
            TenantTasks home = new TenantTasks(in.string());
            tenants.put(home.tenant(), home);
            for (int tasks = in.count(); tasks > 0; tasks--) {
                home.add(Task.read(home, in, form));
            }
            for (int ended = in.count(); ended > 0; ended--) {
                Task task = home.inOrder().get(in.varint());
                if (task == null) {
                    throw new IllegalArgumentException("task snapshot names a task it does not hold");
                }
                home.shrinkable().add(task);
            }
            for (int processes = in.count(); processes > 0; processes--) {
                TaskFact.CancelBegan began = TaskFact.CancelBegan.read(in);
                cancelBegan(task(began.tenant(), began.taskId()), began);
            }
            for (int tombstones = in.count(); tombstones > 0; tombstones--) {
                Tombstone tombstone = Tombstone.read(in);
                home.tombstones().put(tombstone.id(), tombstone);
            }
            rearmHousekeeping(home);
            for (Task task : home.inOrder().values()) {
                task.checkFrom(Math.max(task.renewedAt, task.born().at()));
                rearm(task);
            }
        }
    }
}
