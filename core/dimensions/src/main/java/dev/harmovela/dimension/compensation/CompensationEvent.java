package dev.harmovela.dimension.compensation;

/** What moves a compensation. */
enum CompensationEvent {
    /** {@code task.completed} that names a {@code compensation_id}. */
    REGISTERED("task.completed"),
    REQUESTED("compensation.requested"),
    COMPLETED("compensation.completed"),
    FAILED("compensation.failed");

    private final String type;

    CompensationEvent(String type) {
        this.type = type;
    }

    @Override
    public String toString() {
        return type;
    }
}
