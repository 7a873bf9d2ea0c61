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
        long until) {

    String key() {
        return kind.family() + '\n' + requester + '\n' + correlationId;
    }

    Exchange in(ExchangeState next, long forgetAt) {
        return new Exchange(kind, requester, correlationId, target, requestId, scope, question, next, forgetAt);
    }

    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("kind", kind.family())
                .put("requester", requester)
                .put("correlation_id", correlationId)
                .put("target", target)
                .put("event_id", requestId)
                .put("state", state.name())
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
                in.varint());
    }
}
