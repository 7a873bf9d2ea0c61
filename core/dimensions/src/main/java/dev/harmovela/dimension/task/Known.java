package dev.harmovela.dimension.task;

import org.jspecify.annotations.Nullable;

/** A task id that is taken. */
sealed interface Known permits Task, Tombstone {

    String id();

    TaskState state();

    @Nullable String owner();

    /** Whether the hub, and not an agent's word, ended it. */
    boolean endedByHub();
}
