package dev.harmovela.harness.delivery;

import dev.harmovela.contract.RetryPolicy;
import org.jspecify.annotations.Nullable;

/** A delivery that was handed out and not settled yet. Volatile: a restart forgets it and delivers again. */
final class Flight implements Departure {
    final long seq;
    final long lsn;
    final String eventId;
    final @Nullable String askKey;
    final int attempt;
    final int bytes;
    final Outlet outlet;
    final RetryPolicy retry;
    /** When its acknowledgement is due; {@link Long#MAX_VALUE} as long as it has not left the hub. */
    long deadline = Long.MAX_VALUE;

    boolean inFlight;
    /** Neighbours by sequence among those in flight. */
    @Nullable Flight before;

    @Nullable Flight after;

    Flight(Delivery delivery, @Nullable String askKey, Outlet outlet) {
        this.seq = delivery.seq();
        this.lsn = delivery.lsn();
        this.eventId = delivery.event().id();
        this.askKey = askKey;
        this.attempt = delivery.attempt();
        this.bytes = delivery.event().bytes().length;
        this.outlet = outlet;
        this.retry = delivery.retry();
    }

    @Override
    public void left(long now) {
        deadline = now + retry.ackTimeoutMs();
    }

    /** When to look at it next. */
    long lookAt(long now) {
        return deadline == Long.MAX_VALUE ? now + retry.ackTimeoutMs() : deadline;
    }
}
