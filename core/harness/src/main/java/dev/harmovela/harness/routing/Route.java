package dev.harmovela.harness.routing;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.Position;
import org.jspecify.annotations.Nullable;

/** A subscription as routing sees it: its filter, its position and, while the hub runs, who takes its events. */
public final class Route {

    private final SubscriptionFilter filter;
    private final Position position;
    private Subscription subscription;
    private @Nullable Taker taker;
    long visited;

    public Route(Subscription subscription, SubscriptionFilter filter, Position position) {
        this.subscription = subscription;
        this.filter = filter;
        this.position = position;
    }

    /** Takes the events of one subscription. */
    public interface Taker {
        /** A stored event at {@code lsn}. */
        void stored(long lsn, Event event);

        /** An event that is not stored. */
        void passing(Event event);
    }

    public Subscription subscription() {
        return subscription;
    }

    /** The same subscription in other hands. */
    public void subscription(Subscription adopted) {
        subscription = adopted;
    }

    /** Whether a stored event is for this subscription. */
    public boolean takes(Event event) {
        DeliveryAsk.Again again = event.delivery().again();
        return again == null ? filter.matches(event) : again.subscription().equals(subscription.id());
    }

    public SubscriptionFilter filter() {
        return filter;
    }

    public Position position() {
        return position;
    }

    public @Nullable Taker taker() {
        return taker;
    }

    public void taker(@Nullable Taker next) {
        taker = next;
    }
}
