package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Finds the agent of a call and runs the operation. On the hub's executor only. */
final class Service {

    private static final String RETRY_SECONDS = "2";

    private final Cards cards;
    private final Operations operations;

    Service(Cards cards, Operations operations) {
        this.cards = cards;
        this.operations = operations;
    }

    static boolean isStream(String operation) {
        return operation.equals("SendStreamingMessage") || operation.equals("SubscribeToTask");
    }

    void call(A2aRequest request, Call call, Call.Outcome outcome) {
        find(request, call, outcome::refused, (known, allowed) -> {
            if (allowed.operation().equals("GetExtendedAgentCard")) {
                extended(allowed, known, outcome);
            } else {
                operations.call(allowed, known, outcome);
            }
        });
    }

    void stream(A2aRequest request, Call call, Call.Stream stream) {
        find(request, call, stream::refused, (known, allowed) -> operations.stream(allowed, known, stream));
    }

    private void find(A2aRequest request, Call call, Consumer<Refusal> refused, BiConsumer<Cards.Known, Call> found) {
        cards.find(call.caller().tenant(), call.agent(), known -> {
            try {
                if (known == null) {
                    throw Refusal.of(A2aError.UNAVAILABLE);
                }
                Gate.requireExtensions(request, known);
                found.accept(known, call);
            } catch (Refusal refusal) {
                refused.accept(refusal);
            }
        });
    }

    private void extended(Call call, Cards.Known known, Call.Outcome outcome) {
        Json.Obj extended = known.extended();
        boolean declared = Boolean.TRUE.equals(known.capabilities().bool("extendedAgentCard"));
        if (extended == null) {
            outcome.refused(Refusal.of(
                    declared ? A2aError.EXTENDED_AGENT_CARD_NOT_CONFIGURED : A2aError.UNSUPPORTED_OPERATION));
        } else if (call.caller().trust() != Caller.Trust.VERIFIED) {
            outcome.refused(Refusal.of(A2aError.UNAUTHENTICATED));
        } else {
            outcome.done(cards.card(call.agent(), call.caller().tenant(), known, Proto.camel(extended)));
        }
    }

    /** Headers that belong to a refusal. */
    static void tellMore(A2aRequest request, Refusal refusal) {
        switch (refusal.error) {
            case UNAUTHENTICATED -> request.with("WWW-Authenticate", "Bearer realm=\"harmovela\"");
            case RESOURCE_EXHAUSTED, UNAVAILABLE -> request.with("Retry-After", RETRY_SECONDS);
            default -> {
                // nothing more to say
            }
        }
    }
}
