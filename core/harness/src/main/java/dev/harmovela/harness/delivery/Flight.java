package dev.harmovela.harness.delivery;

import dev.harmovela.contract.RetryPolicy;
import org.jspecify.annotations.Nullable;

/** A delivery that was handed out and not settled yet. Volatile: a restart forgets it and delivers again. */
final class Flight {
    final long seq;
    final long lsn;
    final String eventId;
    final @Nullable String askKey;
    final int bytes;
    final Outlet outlet;
    final RetryPolicy retry;
    long deadline;

    Flight(Delivery delivery, @Nullable String askKey, Outlet outlet, long now) {
        this.seq = delivery.seq();
        this.lsn = delivery.lsn();
        this.eventId = delivery.event().id();
        this.askKey = askKey;
        this.bytes = delivery.event().bytes().length;
        this.outlet = outlet;
        this.retry = delivery.retry();
        this.deadline = now + retry.ackTimeoutMs();
    }
}
