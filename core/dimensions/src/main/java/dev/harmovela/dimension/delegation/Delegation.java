package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest delegation of a task.
 *
 * @param taskId the work whose ownership moves
 * @param parentId the task above it, null when none was named
 * @param by who hands it over
 * @param to who shall take it: an agent or a pool, and from acceptance on the agent that did
 * @param requestId the event that asked
 * @param correlationId its correlation, null when it had none
 * @param scopes what the delegate may do for it at the most; empty when that was not said
 * @param fallback who is asked next when this one does not take it
 * @param answerBy when an answer must be there, epoch milliseconds; {@link Long#MAX_VALUE} when it may take its time
 * @param jti id of the token that can complete the handover, empty while there is none
 */
record Delegation(
        String taskId,
        @Nullable String parentId,
        String by,
        String to,
        DelegationState state,
        String requestId,
        @Nullable String correlationId,
        List<String> scopes,
        List<String> fallback,
        long answerBy,
        String jti) {

    static final int MOST_SCOPES = 64;
    static final int MOST_FALLBACKS = 8;

    Delegation {
        scopes = List.copyOf(scopes);
        fallback = List.copyOf(fallback);
    }

    /** The same for no more than that. */
    Delegation within(List<String> bound) {
        return new Delegation(
                taskId, parentId, by, to, state, requestId, correlationId, bound, fallback, answerBy, jti);
    }

    private Delegation with(DelegationState next, String delegate, String token) {
        return new Delegation(
                taskId,
                parentId,
                by,
                delegate,
                next,
                requestId,
                correlationId,
                scopes,
                fallback,
                next.open() ? answerBy : Long.MAX_VALUE,
                token);
    }

    /** Over, or not taken: whatever token there was proves nothing any more. */
    Delegation in(DelegationState next) {
        return with(next, to, "");
    }

    Delegation acceptedBy(String delegate, String token) {
        Delegation accepted = with(DelegationState.ACCEPTED, delegate, token);
        return new Delegation(
                taskId,
                parentId,
                by,
                delegate,
                accepted.state,
                requestId,
                correlationId,
                scopes,
                fallback,
                Long.MAX_VALUE,
                token);
    }

    /** The one who was asked asks somebody above. */
    Delegation escalatedTo(String supervisor) {
        return with(DelegationState.ESCALATED, supervisor, "");
    }

    /** Somebody else is asked instead. */
    Delegation next(String eventId, long newAnswerBy) {
        return new Delegation(
                taskId,
                parentId,
                by,
                fallback.getFirst(),
                DelegationState.REQUESTED,
                eventId,
                correlationId,
                scopes,
                fallback.subList(1, fallback.size()),
                newAnswerBy,
                "");
    }

    Json.Obj toJson(List<String> chain) {
        return Json.Obj.builder()
                .put("task_id", taskId)
                .put("parent_task_id", parentId)
                .put("delegated_by", by)
                .put("delegated_to", to)
                .put("state", state.name())
                .put("chain", chain)
                .put("authorization_scope", scopes.isEmpty() ? null : scopes)
                .build();
    }

    void write(Out out) {
        out.string(taskId).optional(parentId).string(by).string(to).varint(state.ordinal());
        out.string(requestId).optional(correlationId);
        writeTexts(out, scopes);
        writeTexts(out, fallback);
        out.varint(answerBy).string(jti);
    }

    static Delegation read(In in) {
        return new Delegation(
                in.string(),
                in.optional(),
                in.string(),
                in.string(),
                DelegationState.values()[in.count()],
                in.string(),
                in.optional(),
                readTexts(in),
                readTexts(in),
                in.varint(),
                in.string());
    }

    static void writeTexts(Out out, List<String> texts) {
        out.varint(texts.size());
        texts.forEach(out::string);
    }

    static List<String> readTexts(In in) {
        List<String> texts = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            texts.add(in.string());
        }
        return texts;
    }
}
