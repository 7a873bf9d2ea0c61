package dev.harmovela.harness.delivery;

import dev.harmovela.contract.Event;
import org.jspecify.annotations.Nullable;

/**
 * Names what a request asks about: in an inbox the receiver's first own event about it settles it (D32), elsewhere the
 * receiver's progress pushes its deadline.
 */
public final class AskKey {

    private AskKey() {}

    /** Key of a request, or null when nothing answers this type. */
    static @Nullable String of(Event event) {
        return switch (event.type().name()) {
            case "task.submitted", "task.cancel.requested" -> task(event.taskId());
            case "command.requested", "query.requested" -> correlation(event.correlationId());
            case "delegation.requested" -> task(event.taskId());
            default -> null;
        };
    }

    /** Key under which an event about a task answers, or null without a task. */
    public static @Nullable String task(@Nullable String taskId) {
        return taskId == null ? null : "task:" + taskId;
    }

    /** Key under which an event with a correlation answers, or null without one. */
    public static @Nullable String correlation(@Nullable String correlationId) {
        return correlationId == null ? null : "correlation:" + correlationId;
    }
}
