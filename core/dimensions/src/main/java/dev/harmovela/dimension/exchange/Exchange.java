package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;

/**
 * A request under way, or one whose answer is remembered so that there is no second one.
 *
 * @param requester who asked; correlations are his (DLG-11)
 * @param correlationId what ties the answer to it
 * @param target who was asked: an agent or a pool
 * @param requestId the event that asked
 * @param scope what a query is about, empty for commands
 * @param question tells queries about the same scope apart, 0 for commands
 * @param until when it lapses, or is forgotten when it has ended; epoch milliseconds
 * @param passing whether nothing of it is written, because it was sent with best effort (D45)
 */
record Exchange(
        Kind kind,
        String requester,
        String correlationId,
        String target,
        String requestId,
        String scope,
        long question,
        ExchangeState state,
        long until,
        boolean passing) {

    /** So long an answer is remembered, so that a second one is known as such. */
    static final long REMEMBERED_MS = 300_000;

    String key() {
        return key(kind, requester, correlationId);
    }

    static String key(Kind kind, String requester, String correlationId) {
        return kind.family() + '\n' + requester + '\n' + correlationId;
    }

    boolean open() {
        return state == ExchangeState.ACCEPTED;
    }

    /** The same after its end at that time. */
    Exchange ended(ExchangeState next, long now) {
        return new Exchange(
                kind, requester, correlationId, target, requestId, scope, question, next, now + REMEMBERED_MS, passing);
    }

    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("kind", kind.family())
                .put("requester", requester)
                .put("correlation_id", correlationId)
                .put("target", target)
                .put("event_id", requestId)
                .put("state", state.name())
                .put("query_scope", scope.isEmpty() ? null : scope)
                .put("best_effort", passing ? Json.of(true) : null)
                .build();
    }

    void write(Out out) {
        out.varint(kind.ordinal()).string(requester).string(correlationId).string(target);
        out.string(requestId)
                .string(scope)
                .i64(question)
                .varint(state.ordinal())
                .varint(until);
    }

    static Exchange read(In in) {
        return new Exchange(
                Kind.values()[in.count()],
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.i64(),
                ExchangeState.values()[in.count()],
                in.varint(),
                false);
    }
}
