package dev.harmovela.dimension.task;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.dimension.task.TaskFact.By;
import dev.harmovela.dimension.task.TaskFact.Lease;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A task with everything that is known of it: live, or ended not long ago. Changed by {@link TaskLedger} alone. */
final class Task extends Alarm implements Known {

    /** Form in which tasks are written now. */
    static final int FORM = 2;

    private static final int FORM_WITH_BODY = 2;

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
    /** Where the event that submitted it can be read: its first place, or the one it was carried to; 0 when gone. */
    long bodyLsn;

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
        bodyLsn = born.lsn();
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
        out.varint(bodyLsn);
    }

    /** A task as {@link #write} wrote it, behind the form. */
    record Written(byte[] bytes) {

        static Written of(Task task) {
            Out out = new Out(512);
            out.u8(FORM);
            task.write(out);
            return new Written(out.toByteArray());
        }

        void write(Out out) {
            out.bytes(bytes);
        }

        static Written read(In in) {
            return new Written(in.bytes());
        }

        /** The task among others that were counted anew. */
        Task in(TenantTasks home, long ordinal) {
            In in = new In(bytes);
            int form = in.u8();
            in.varint();
            return Task.read(home, ordinal, in, form);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Written(byte[] others) && Arrays.equals(bytes, others);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    static Task read(TenantTasks home, In in, int form) {
        return read(home, in.varint(), in, form);
    }

    private static Task read(TenantTasks home, long ordinal, In in, int form) {
        Task task = new Task(home, ordinal, TaskFact.Submitted.read(in));
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
        if (form >= FORM_WITH_BODY) {
            task.bodyLsn = in.varint();
        }
        return task;
    }
}
