package dev.harmovela.dimension.governance;

import dev.harmovela.contract.ProtocolError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an event's governance claims, with what an audit record of it needs (§7).
 *
 * @param outcome whether the question arose and how it was answered
 * @param refusal the error for the sender when denied, else null
 * @param actor the claimed {@code actor_id}
 * @param action the {@code requested_action}
 * @param tenant tenant of the actor
 * @param targetTenant tenant reached for
 * @param roles the roles of the envelope that counted
 */
public record Verdict(
        Outcome outcome,
        @Nullable ProtocolError refusal,
        @Nullable String actor,
        @Nullable String action,
        @Nullable String tenant,
        @Nullable String targetTenant,
        List<String> roles) {

    /** How it was answered. */
    public enum Outcome {
        /** The event asks for nothing; its claims only describe (D35). */
        NOT_ASKED,
        ALLOWED,
        DENIED
    }

    public Verdict {
        roles = List.copyOf(roles);
    }

    /** {@code details.reason} of the refusal, null when there is none. */
    public @Nullable String reason() {
        return refusal == null ? null : refusal.reason();
    }
}
