package dev.harmovela.dimension.task;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.dimension.task.TaskFact.By;
import dev.harmovela.dimension.task.TaskFact.Lease;
import org.jspecify.annotations.Nullable;

/** A task with everything that is known of it: live, or ended not long ago. Changed by {@link TaskLedger} alone. */
final class Task extends Alarm implements Known {

    private final TenantTasks home;
    private final TaskFact.Submitted born;

    TaskState state = TaskState.SUBMITTED;

    @Nullable String owner;

    Lease lease = Lease.NONE;
    int claims;
    long claimedAt;
    long startedAt;
    /** Last word of the owner about this task. */
    long renewedAt;

    long lastLsn;
    boolean cancelRequested;
    boolean noticed;
    boolean confirmed;
    TaskFact.@Nullable Ended end;
    private History history = new History();

    /** Index, not state: when to look at lease or target next. */
    long checkAt = NEVER;
    /** Index, not state: live tasks below this one. */
    int liveBelow;

    Task(TenantTasks home, long ordinal, TaskFact.Submitted born) {
        super(2 * ordinal + 1);
        this.home = home;
        this.born = born;
        lastLsn = born.lsn();
    }

    @Override
    TenantTasks home() {
        return home;
    }

    /** Place in the order of submission, over all tenants. */
    long ordinal() {
        return tie() >> 1;
    }

    TaskFact.Submitted born() {
        return born;
    }

    TaskTerms terms() {
        return born.terms();
    }

    @Override
    public String id() {
        return born.taskId();
    }

    @Override
    public TaskState state() {
        return state;
    }

    @Override
    public @Nullable String owner() {
        return owner;
    }

    @Override
    public boolean endedByHub() {
        return end != null && end.by() == By.HUB;
    }

    boolean live() {
        return end == null;
    }

    History history() {
        return history;
    }

    /** Whether nobody has to be asked before the hub ends it: it has no owner, or the owner has stopped. */
    boolean released() {
        return owner == null || confirmed;
    }

    /** Sets {@link #checkAt} as if the owner, or the target waited for, was last seen at {@code base}. */
    void checkFrom(long base) {
        if (owner != null) {
            checkAt = lease == Lease.SUSPENDED ? NEVER : TaskTerms.plus(base, terms().leaseMs());
        } else if (waitsForTarget()) {
            checkAt = TaskTerms.plus(base, terms().offlineMs());
        } else {
            checkAt = NEVER;
        }
    }

    /** Whether it is queued for a target that has not claimed it and the submission named no limit (D31). */
    boolean waitsForTarget() {
        return owner == null && born.target() != null && terms().offlineMs() > 0;
    }

    void write(Out out) {
        out.varint(ordinal());
        born.write(out);
        out.u8(state.ordinal()).optional(owner).u8(lease.ordinal());
        out.varint(claims).varint(claimedAt).varint(startedAt).varint(renewedAt).varint(lastLsn);
        out.bool(cancelRequested).bool(noticed).bool(confirmed);
        out.bool(end != null);
        if (end != null) {
            end.write(out);
        }
        history.write(out);
    }

    static Task read(TenantTasks home, In in) {
        Task task = new Task(home, in.varint(), TaskFact.Submitted.read(in));
        task.state = Stored.constant(TaskState.class, in.u8());
        task.owner = in.optional();
        task.lease = Stored.constant(Lease.class, in.u8());
        task.claims = in.count();
        task.claimedAt = in.varint();
        task.startedAt = in.varint();
        task.renewedAt = in.varint();
        task.lastLsn = in.varint();
        task.cancelRequested = in.bool();
        task.noticed = in.bool();
        task.confirmed = in.bool();
        task.end = in.bool() ? TaskFact.Ended.read(in) : null;
        task.history = History.read(in);
        return task;
    }
}
