package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Members that an event must have because of what its session has agreed on (§9); without the profile they are
 * optional. Pure and thread-safe.
 */
public final class Requirements {

    private Requirements() {}

    /** Whether the runtime-semantics profile asks for anything in events of that type. */
    public static boolean concerns(EventType type) {
        return switch (type.family()) {
            case "belief", "freshness", "delegation", "interruption", "compensation", "provenance" -> true;
            default -> false;
        };
    }

    /**
     * What an event lacks where the runtime-semantics profile is agreed on, with the path of the member; null when it
     * lacks nothing.
     *
     * @param signatures whether the security profile is agreed on too: then a source that calls itself signed must be
     *     verifiable, and an envelope has no signature to verify
     */
    public static @Nullable ProtocolError missing(Event event, boolean signatures) {
        for (String member : members(event.type().name())) {
            if (isAbsent(event, member)) {
                return ProtocolError.invalidEnvelope(
                        member, "present, since runtime semantics are agreed on", "nothing");
            }
        }
        ProtocolError problem = switch (event.type().name()) {
            case "freshness.expired" -> neither(event, "valid_until", "stale_after", true);
            case "freshness.window.changed" ->
                event.payload().get("new_valid_until") == null
                        ? ProtocolError.invalidPayload("payload.new_valid_until", "an RFC 3339 instant", "nothing")
                        : null;
            case "provenance.attestation.added" -> neither(event, "evidence_chain", "causation_id", false);
            default -> null;
        };
        if (problem == null) {
            problem = evidence(event);
        }
        boolean unproven = signatures
                && event.member("source_trust") instanceof Json.Str trust
                && trust.value().equals("signed");
        return problem == null && unproven
                ? ProtocolError.unauthorized("unverifiable", "the event carries no signature that could be verified")
                        .with("path", "source_trust")
                : problem;
    }

    private static List<String> members(String type) {
        return switch (type) {
            case "belief.revised" -> List.of("belief_status", "belief_scope");
            case "belief.conflict.detected" -> List.of("belief_status");
            case "delegation.handoff.completed" ->
                List.of("delegated_by", "delegated_to", "parent_task_id", "handoff_token");
            case "interruption.requested" -> List.of("interruption_policy");
            case "interruption.saved" -> List.of("checkpoint_id", "checkpoint_at");
            case "interruption.resumed" -> List.of("checkpoint_id");
            default ->
                type.startsWith("delegation.")
                        ? List.of("delegated_by", "delegated_to", "parent_task_id")
                        : type.startsWith("compensation.") ? List.of("compensation_id") : List.of();
        };
    }

    private static @Nullable ProtocolError neither(Event event, String one, String other, boolean orInPayload) {
        boolean there = !isAbsent(event, one)
                || !isAbsent(event, other)
                || (orInPayload
                        && (event.payload().get(one) != null || event.payload().get(other) != null));
        return there ? null : ProtocolError.invalidEnvelope(one, one + " or " + other, "neither");
    }

    private static boolean isAbsent(Event event, String member) {
        Json value = event.member(member);
        return value == null || value instanceof Json.Null;
    }

    /** Links of the chain name their events, the last one is the cause, and nothing proves itself. */
    private static @Nullable ProtocolError evidence(Event event) {
        if (!(event.member("evidence_chain") instanceof Json.Arr chain)) {
            return null;
        }
        String last = null;
        for (int i = 0; i < chain.items().size(); i++) {
            Json.Obj link = chain.items().get(i) instanceof Json.Obj one ? one : Json.Obj.of();
            last = link.string("id");
            String path = "evidence_chain[" + i + "]";
            if (last == null || link.string("source") == null) {
                return ProtocolError.invalidEnvelope(path, "an object with source and id", link.toString());
            }
            if (last.equals(event.id())) {
                return ProtocolError.invalidEnvelope(path + ".id", "another event", "the event itself");
            }
        }
        String cause = event.causationId();
        return last == null || cause == null || last.equals(cause)
                ? null
                : ProtocolError.invalidEnvelope("evidence_chain", "ending with the causation_id " + cause, last);
    }
}
