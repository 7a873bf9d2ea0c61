package dev.harmovela.dimension.task;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of tasks, kinds 300 to 399. {@code at} is hub time in epoch milliseconds, {@code lsn} the event that
 * says it.
 */
sealed interface TaskFact extends Fact {

    String tenant();

    /** What the owner's absence means. The order is part of the stored form. */
    enum Lease {
        /** The owner never had a session: its absence means nothing. */
        NONE,
        /** The owner claimed the task in a session: it must stay or come back. */
        HELD,
        /** The owner left gracefully and the task runs on; its next word holds the lease again. */
        SUSPENDED
    }

    /** Who ended a task. The order is part of the stored form. */
    enum By {
        AGENT,
        HUB
    }

    /** A task exists, in SUBMITTED. */
    record Submitted(
            String tenant,
            String taskId,
            String submitter,
            @Nullable String target,
            @Nullable String parentId,
            @Nullable String correlationId,
            long contentHash,
            TaskTerms terms,
            long at,
            long lsn)
            implements TaskFact {

        static final int KIND = 300;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).string(submitter);
            out.optional(target).optional(parentId).optional(correlationId).i64(contentHash);
            terms.write(out);
            out.varint(at).varint(lsn);
        }

        static Submitted read(In in) {
            return new Submitted(
                    in.string(),
                    in.string(),
                    in.string(),
                    in.optional(),
                    in.optional(),
                    in.optional(),
                    in.i64(),
                    TaskTerms.read(in),
                    in.varint(),
                    in.varint());
        }
    }

    /** An event was taken that did not end the task; {@code to} may be the state it was in. */
    record Moved(String tenant, String taskId, TaskEvent event, TaskState to, long at, long lsn) implements TaskFact {

        static final int KIND = 301;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).u8(event.ordinal()).u8(to.ordinal());
            out.varint(at).varint(lsn);
        }

        static Moved read(In in) {
            return new Moved(
                    in.string(),
                    in.string(),
                    Stored.constant(TaskEvent.class, in.u8()),
                    Stored.constant(TaskState.class, in.u8()),
                    in.varint(),
                    in.varint());
        }
    }

    /** The task has that owner (D4). */
    record Claimed(String tenant, String taskId, String owner, Lease lease, long at, long lsn) implements TaskFact {

        static final int KIND = 302;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).string(owner).u8(lease.ordinal());
            out.varint(at).varint(lsn);
        }

        static Claimed read(In in) {
            return new Claimed(
                    in.string(),
                    in.string(),
                    in.string(),
                    Stored.constant(Lease.class, in.u8()),
                    in.varint(),
                    in.varint());
        }
    }

    /** The owner's absence means something else from now on. */
    record LeaseSet(String tenant, String taskId, Lease lease, long at) implements TaskFact {

        static final int KIND = 303;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).u8(lease.ordinal()).varint(at);
        }

        static LeaseSet read(In in) {
            return new LeaseSet(in.string(), in.string(), Stored.constant(Lease.class, in.u8()), in.varint());
        }
    }

    /** The task is over; {@code lsn} is the event with its result. */
    record Ended(
            String tenant,
            String taskId,
            TaskState state,
            By by,
            @Nullable String reason,
            long at,
            long lsn) implements TaskFact {

        static final int KIND = 304;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant)
                    .string(taskId)
                    .u8(state.ordinal())
                    .u8(by.ordinal())
                    .optional(reason);
            out.varint(at).varint(lsn);
        }

        static Ended read(In in) {
            return new Ended(
                    in.string(),
                    in.string(),
                    Stored.constant(TaskState.class, in.u8()),
                    Stored.constant(By.class, in.u8()),
                    in.optional(),
                    in.varint(),
                    in.varint());
        }
    }

    /** The tree below {@code taskId}, and the task itself while it lives, is sealed and coming to its end. */
    record CancelBegan(String tenant, String taskId, String cause, long at, long forceAt) implements TaskFact {

        static final int KIND = 305;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).string(cause).varint(at).varint(forceAt);
        }

        static CancelBegan read(In in) {
            return new CancelBegan(in.string(), in.string(), in.string(), in.varint(), in.varint());
        }
    }

    /** The owner of a task in a sealed tree was asked to stop. */
    record Noticed(String tenant, String taskId, long at, long lsn) implements TaskFact {

        static final int KIND = 306;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).varint(at).varint(lsn);
        }

        static Noticed read(In in) {
            return new Noticed(in.string(), in.string(), in.varint(), in.varint());
        }
    }

    /** The owner of a task in a sealed tree has stopped; the hub ends the task once its children have ended. */
    record Confirmed(String tenant, String taskId, long at) implements TaskFact {

        static final int KIND = 307;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).varint(at);
        }

        static Confirmed read(In in) {
            return new Confirmed(in.string(), in.string(), in.varint());
        }
    }

    /** Of these ended tasks only the id and the winner are kept. */
    record Shrunk(String tenant, List<String> taskIds) implements TaskFact {

        static final int KIND = 308;

        public Shrunk {
            taskIds = List.copyOf(taskIds);
        }

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            writeIds(out.string(tenant), taskIds);
        }

        static Shrunk read(In in) {
            return new Shrunk(in.string(), readIds(in));
        }
    }

    /** Nothing is kept of these ended tasks; their ids are free. */
    record Forgotten(String tenant, List<String> taskIds) implements TaskFact {

        static final int KIND = 309;

        public Forgotten {
            taskIds = List.copyOf(taskIds);
        }

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            writeIds(out.string(tenant), taskIds);
        }

        static Forgotten read(In in) {
            return new Forgotten(in.string(), readIds(in));
        }
    }

    /** A space of tasks ended with everything in it (D24). */
    record SpaceEnded(String tenant) implements TaskFact {

        static final int KIND = 310;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
        }

        static SpaceEnded read(In in) {
            return new SpaceEnded(in.string());
        }
    }

    /**
     * The event that submitted a live task was stored again at {@code lsn}, so that the log can let go of its old
     * place; 0 when it was gone already. {@code whole} is all that is known of the task, for those who read a log
     * whose beginning is gone.
     */
    record Carried(String tenant, String taskId, long lsn, Task.Written whole) implements TaskFact {

        static final int KIND = 311;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).varint(lsn);
            whole.write(out);
        }

        static Carried read(In in) {
            return new Carried(in.string(), in.string(), in.varint(), Task.Written.read(in));
        }
    }

    /**
     * The fact of that kind; null for a kind that does not belong to tasks.
     *
     * @throws IllegalArgumentException for a kind or version of a later release
     */
    static @Nullable TaskFact read(int kind, int version, In in) {
        if (kind < 300 || kind > 399) {
            return null;
        }
        if (version != 1) {
            throw new IllegalArgumentException("task fact " + kind + " in version " + version);
        }
        return switch (kind) {
            case Submitted.KIND -> Submitted.read(in);
            case Moved.KIND -> Moved.read(in);
            case Claimed.KIND -> Claimed.read(in);
            case LeaseSet.KIND -> LeaseSet.read(in);
            case Ended.KIND -> Ended.read(in);
            case CancelBegan.KIND -> CancelBegan.read(in);
            case Noticed.KIND -> Noticed.read(in);
            case Confirmed.KIND -> Confirmed.read(in);
            case Shrunk.KIND -> Shrunk.read(in);
            case Forgotten.KIND -> Forgotten.read(in);
            case SpaceEnded.KIND -> SpaceEnded.read(in);
            case Carried.KIND -> Carried.read(in);
            default -> throw new IllegalArgumentException("unknown task fact " + kind);
        };
    }

    private static void writeIds(Out out, List<String> ids) {
        out.varint(ids.size());
        ids.forEach(out::string);
    }

    private static List<String> readIds(In in) {
        int count = in.count();
        List<String> ids = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            ids.add(in.string());
        }
        return ids;
    }
}
