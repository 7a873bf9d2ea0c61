package dev.harmovela.harness;

import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription wants done when it falls behind (§6): {@code lag {max_events, max_bytes, max_age_ms, on_lag}} in
 * its request.
 *
 * <p>{@code gap} (the default) drops the oldest and says so with the next delivery, {@code park} hands out nothing
 * more until the consumer attaches again and then lets it catch up, {@code end} ends the subscription. Each names the
 * bound that was passed.
 *
 * @param maxEvents events that wait for it
 * @param maxBytes bytes of the log behind its position, whoever they belong to: what it keeps from being let go
 * @param maxAgeMillis age of the oldest that waits
 */
record LagPolicy(long maxEvents, long maxBytes, long maxAgeMillis, Action action) {

    enum Action {
        GAP,
        PARK,
        END;

        String wire() {
            return WORDS.get(ordinal());
        }
    }

    /** What can be passed. */
    enum Bound {
        EVENTS,
        BYTES,
        AGE;

        /** The reason that is told. */
        String reason() {
            return "lag_" + name().toLowerCase(Locale.ROOT);
        }
    }

    /** How far a subscription lies behind. */
    record Behind(long events, long bytes, long millis) {
        static final Behind NOTHING = new Behind(0, 0, 0);

        Json.Obj toJson() {
            return Json.Obj.builder()
                    .put("events", events)
                    .put("bytes", bytes)
                    .put("age_ms", millis)
                    .build();
        }
    }

    private static final List<String> WORDS = List.of("gap", "park", "end");
    private static final List<String> BOUNDS = List.of("max_events", "max_bytes", "max_age_ms");

    /** The first bound that is passed, or null. */
    @Nullable Bound exceeded(Behind behind) {
        if (behind.events() > maxEvents) {
            return Bound.EVENTS;
        }
        if (behind.bytes() > maxBytes) {
            return Bound.BYTES;
        }
        return behind.millis() > maxAgeMillis ? Bound.AGE : null;
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
        String word = lag.string("on_lag");
        Action action = word == null ? Action.GAP : Action.values()[WORDS.indexOf(word)];
        return new LagPolicy(bound(lag, 0), bound(lag, 1), bound(lag, 2), action);
    }

    private static long bound(Json.Obj lag, int which) {
        Long value = lag.integer(BOUNDS.get(which));
        return value == null ? Long.MAX_VALUE : value;
    }
}
