package dev.harmovela.harness.delivery;

import dev.harmovela.contract.Event;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.harness.routing.Route;
import org.jspecify.annotations.Nullable;

/** Names what a request in an inbox asks about, so that the receiver's first own event about it settles it (D32). */
public final class AskKey {

    private AskKey() {}

    /** Key of a request delivered to an inbox, or null when nothing needs to answer it. */
    static @Nullable String of(Route route, Event event) {
        if (route.subscription().kind() != Subscription.Kind.INBOX) {
            return null;
        }
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
