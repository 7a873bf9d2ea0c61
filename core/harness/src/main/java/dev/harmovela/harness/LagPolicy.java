package dev.harmovela.harness;

import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription wants done when it falls behind (§6): {@code lag {max_events, max_age_ms, on_lag}} in its
 * request.
 *
 * <p>{@code gap} (the default) drops the oldest and says so with the next delivery, {@code park} hands out nothing
 * more until the consumer attaches again, {@code end} ends the subscription with the reason {@code lag}.
 */
record LagPolicy(long maxEvents, long maxAgeMillis, Action action) {

    enum Action {
        GAP,
        PARK,
        END
    }

    private static final List<String> WORDS = List.of("gap", "park", "end");

    static @Nullable ProtocolError problem(@Nullable Json asked) {
        if (asked == null) {
            return null;
        }
        if (!(asked instanceof Json.Obj given)) {
            return ProtocolError.subscriptionRejected("payload.lag", "an object", asked.toString());
        }
        for (String name : List.of("max_events", "max_age_ms")) {
            Long value = given.integer(name);
            if (given.has(name) && (value == null || value < 1)) {
                return ProtocolError.subscriptionRejected(
                        "payload.lag." + name, "a positive integer", String.valueOf(given.get(name)));
            }
        }
        String word = given.string("on_lag");
        return given.has("on_lag") && (word == null || !WORDS.contains(word))
                ? ProtocolError.subscriptionRejected(
                        "payload.lag.on_lag", "gap, park or end", String.valueOf(given.get("on_lag")))
                : null;
    }

    static Json.Obj of(@Nullable Json asked) {
        return asked instanceof Json.Obj given ? given : Json.Obj.of();
    }

    /** The policy of a subscription, or null when it named none. */
    static @Nullable LagPolicy of(Subscription subscription) {
        Json.Obj lag = subscription.lag();
        if (lag.isEmpty()) {
            return null;
        }
        Long events = lag.integer("max_events");
        Long age = lag.integer("max_age_ms");
        String word = lag.string("on_lag");
        Action action = word == null ? Action.GAP : Action.values()[WORDS.indexOf(word)];
        return new LagPolicy(events == null ? Long.MAX_VALUE : events, age == null ? Long.MAX_VALUE : age, action);
    }
}
