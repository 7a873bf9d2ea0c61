package dev.harmovela.dimension.task;

/** Where a task stands (§5). The order is part of the stored form: new states go to the end. */
public enum TaskState {
    SUBMITTED,
    ACCEPTED,
    STARTED,
    BLOCKED,
    PROGRESS,
    OUTPUT,
    COMPLETED,
    FAILED,
    CANCELLED,
    TIMED_OUT;

    /** Whether nothing comes after it. */
    public boolean ended() {
        return TaskLifecycle.TABLE.isTerminal(this);
    }
}
