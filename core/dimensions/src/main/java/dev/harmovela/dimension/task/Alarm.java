package dev.harmovela.dimension.task;

/** Something with a time at which it wants to be looked at. The time is an index over state, never state. */
abstract sealed class Alarm permits Task, CancelProcess, TenantTasks {

    static final long NEVER = Long.MAX_VALUE;

    /** Breaks ties between equal times: by this number, then by tenant. */
    private final long tie;

    private long armedAt = NEVER;

    Alarm(long tie) {
        this.tie = tie;
    }

    /** Whose alarm it is. */
    abstract TenantTasks home();

    final long tie() {
        return tie;
    }

    final long armedAt() {
        return armedAt;
    }

    /** Only for {@link Alarms}, which orders by it. */
    final void armedAt(long at) {
        armedAt = at;
    }
}
