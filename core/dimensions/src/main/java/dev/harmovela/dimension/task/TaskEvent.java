package dev.harmovela.dimension.task;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What can be said about a task: the {@code task.*} events (§2). The order is part of the stored form: new ones
 * go to the end.
 */
enum TaskEvent {
    SUBMITTED,
    ACCEPTED,
    STARTED,
    BLOCKED,
    RESUMED,
    PROGRESS,
    OUTPUT,
    COMPLETED,
    FAILED,
    CANCELLED,
    TIMED_OUT,
    ESCALATED,
    CANCEL_REQUESTED("cancel.requested");

    private static final Map<String, TaskEvent> BY_TYPE = new HashMap<>();

    static {
        for (TaskEvent event : values()) {
            BY_TYPE.put(event.type, event);
        }
    }

    private final String type;

    TaskEvent() {
        type = "task." + name().toLowerCase(Locale.ROOT);
    }

    TaskEvent(String action) {
        type = "task." + action;
    }

    /** The event of that type, null when it is not about a task's life. */
    static @Nullable TaskEvent of(String type) {
        return BY_TYPE.get(type);
    }

    /** Full name of the event type. */
    String type() {
        return type;
    }

    @Override
    public String toString() {
        return type;
    }
}
