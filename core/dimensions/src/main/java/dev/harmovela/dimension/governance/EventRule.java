package dev.harmovela.dimension.governance;

import dev.harmovela.contract.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What sending and reading an event of a type needs (§7, D40).
 *
 * @param sending who may send it
 * @param action the action that sending needs, null when it needs none
 * @param reading the action that reading needs instead of {@code read:<family>}, null when the scope is enough
 */
public record EventRule(
        Sending sending, @Nullable String action, @Nullable String reading) {

    /** Who may send an event. */
    public enum Sending {
        /** Anybody, about its own session, subscriptions and deliveries. */
        OWN,
        /** Holders of {@code write:<family>}. */
        WRITER,
        /** Holders of the action, or of {@code write:<family>}. */
        ACTOR_OR_WRITER,
        /** Holders of the action only. */
        ACTOR,
        /** The hub. */
        HUB
    }

    private static final EventRule OWN = new EventRule(Sending.OWN, null, null);
    private static final EventRule WRITER = new EventRule(Sending.WRITER, null, null);
    private static final EventRule HUB = new EventRule(Sending.HUB, null, null);

    /** The rule for a type; null when there is none, which nobody may send or read. */
    public static @Nullable EventRule of(EventType type) {
        if (type.custom()) {
            return WRITER;
        }
        EventRule special = special(type.name());
        if (special != null) {
            return special;
        }
        if (type.hubOnly()) {
            return HUB;
        }
        return switch (type.family()) {
            case "session", "capabilities", "subscription", "event" -> OWN;
            case "task", "tool.call", "context", "memory", "belief", "provenance", "state", "freshness" -> WRITER;
            case "delegation", "interruption", "compensation", "agent", "environment" -> WRITER;
            case "command", "query", "adaptation" -> WRITER;
            default -> null;
        };
    }

    private static @Nullable EventRule special(String type) {
        return switch (type) {
            case "task.submitted" -> new EventRule(Sending.ACTOR_OR_WRITER, "task.submit", null);
            case "command.requested" -> new EventRule(Sending.ACTOR, "command.issue", null);
            case "query.requested" -> new EventRule(Sending.ACTOR, "query.issue", null);
            case "delegation.requested", "delegation.handoff.completed" ->
                new EventRule(Sending.ACTOR, "delegation.own", null);
            case "adaptation.budget.established", "adaptation.budget.adjusted" ->
                new EventRule(Sending.ACTOR, "budget.establish", null);
            case "event.dead_lettered" -> new EventRule(Sending.HUB, null, Actions.DLQ_READ);
            case "audit.recorded" -> new EventRule(Sending.HUB, null, Actions.AUDIT_READ);
            default -> null;
        };
    }
}
