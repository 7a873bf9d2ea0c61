package dev.harmovela.harness.delivery;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.harness.routing.Route;
import org.jspecify.annotations.Nullable;

/**
 * One copy of one event on its way to one outlet.
 *
 * @param mode what this copy promises; best-effort copies have neither sequence nor position
 * @param lsn log position, 0 for best effort
 * @param seq number within the subscription, 0 for best effort
 * @param attempt 1 for the first
 * @param gap what was lost just before this copy, or null
 * @param retry policy in force for this copy
 */
public record Delivery(
        String subscription,
        DeliveryMode mode,
        Event event,
        long lsn,
        long seq,
        int attempt,
        @Nullable Gap gap,
        RetryPolicy retry) {

    /** What a copy for a subscription promises: the weaker of what event and subscription ask for (D21). */
    static DeliveryMode mode(Route route, Event event) {
        return event.delivery().modeOrDefault().weaker(route.subscription().mode());
    }

    /** The policy in force: the event's, else the subscription's, which already holds the hub's. */
    public static RetryPolicy retry(Route route, Event event) {
        RetryPolicy.Partial own = event.delivery().retry();
        RetryPolicy base = route.subscription().retry();
        return own == null ? base : own.orElse(base);
    }
}
