package dev.harmovela.dimension.task;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** What is left of a task some time after its end: that the id is taken, and how it ended. */
record Tombstone(
        String id,
        TaskState state,
        boolean endedByHub,
        @Nullable String owner,
        long endedAt,
        long lsn) implements Known {

    void write(Out out) {
        out.string(id)
                .u8(state.ordinal())
                .bool(endedByHub)
                .optional(owner)
                .varint(endedAt)
                .varint(lsn);
    }

    static Tombstone read(In in) {
        return new Tombstone(
                in.string(),
                Stored.constant(TaskState.class, in.u8()),
                in.bool(),
                in.optional(),
                in.varint(),
                in.varint());
    }
}
