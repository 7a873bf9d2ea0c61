package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Proposal;
import org.jspecify.annotations.Nullable;

/** What the hub says about delegations, and why it refuses what others say. */
final class Words {

    private Words() {}

    static @Nullable String member(Event event, String name) {
        return event.member(name) instanceof Json.Str text && !text.value().isEmpty() ? text.value() : null;
    }

    static ProtocolError refusal(String reason, String taskId, String message) {
        return ProtocolError.because(ErrorCode.DELEGATION_ERROR, reason, message)
                .with("task_id", taskId);
    }

    /** What the table does not allow. */
    static ProtocolError illegal(Delegation known, DelegationEvent event) {
        return ProtocolError.illegalTransition(
                        ErrorCode.DELEGATION_ERROR,
                        known.state().name(),
                        event.toString(),
                        DelegationLifecycle.TABLE.allowed(known.state()).stream()
                                .map(Object::toString)
                                .toList())
                .with("task_id", known.taskId())
                .with("delegated_by", known.by())
                .with("delegated_to", known.to());
    }

    /** An event of the hub about a delegation, for one identity. */
    static EventDraft about(Proposal proposal, String type, Delegation known, @Nullable String target, String cause) {
        return proposal.draft(type)
                .target(target)
                .taskId(known.taskId())
                .parentTaskId(known.parentId())
                .correlationId(known.correlationId())
                .causationId(cause)
                .member("delegated_by", Json.of(known.by()))
                .member("delegated_to", Json.of(known.to()));
    }

    /** The hub says that a delegation came to nothing; the delegator has the task still. */
    static Proposal.Said rejected(Proposal proposal, Delegation known, String reason, Json.Obj more, String cause) {
        Json.Builder payload = Json.Obj.builder().put("task_id", known.taskId()).put("reason", reason);
        more.names().forEach(name -> payload.put(name, more.get(name)));
        return proposal.say(
                about(proposal, "delegation.rejected", known, known.by(), cause).payload(payload.build()));
    }
}
