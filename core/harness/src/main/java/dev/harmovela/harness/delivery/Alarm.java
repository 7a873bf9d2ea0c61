package dev.harmovela.harness.delivery;

import dev.harmovela.dimension.recovery.RecoveryFact;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** When a feed has to look at its deliveries again, and what it does then. One owner, not thread-safe. */
final class Alarm {

    private final Feed feed;
    private final Deliveries host;
    private final Flights flights;
    private final Resends resends;
    private final Lanes lanes;
    private long armedAt = Long.MAX_VALUE;

    Alarm(Feed feed, Deliveries host, Flights flights, Resends resends, Lanes lanes) {
        this.feed = feed;
        this.host = host;
        this.flights = flights;
        this.resends = resends;
        this.lanes = lanes;
    }

    /**
     * Times out what was not acknowledged and sets free what is due again. Does nothing before its time: it may have
     * been set to a later one first, and each ring that counts sets the next one only once.
     */
    void ring() {
        long now = host.now();
        if (now < armedAt) {
            return;
        }
        armedAt = Long.MAX_VALUE;
        for (Flight flight : flights.overdue(now)) {
            feed.settling().fail(flight, Failure.ackTimeout(flight.retry.ackTimeoutMs()));
        }
        if (feed.isAttached()) {
            setFree(now);
        }
        if (flights.count() > 0) {
            set(flights.nextLook(now));
        }
    }

    private void setFree(long now) {
        Map<Long, RecoveryFact.Failing> failing = feed.route().position().failing();
        Set<Long> open = failing.isEmpty() ? Set.of() : flights.open();
        long next = Long.MAX_VALUE;
        for (Map.Entry<Long, RecoveryFact.Failing> entry : List.copyOf(failing.entrySet())) {
            long seq = entry.getKey();
            if (seq > feed.readSeq() || open.contains(seq) || lanes.isWaiting(seq)) {
                continue;
            }
            if (entry.getValue().notBefore() <= now) {
                resends.add(seq, entry.getValue().lsn());
            } else {
                next = Math.min(next, entry.getValue().notBefore());
            }
        }
        set(next);
    }

    /** Sets itself for everything that waits for its next attempt. */
    void setForFailing() {
        long next = Long.MAX_VALUE;
        for (RecoveryFact.Failing failing : feed.route().position().failing().values()) {
            next = Math.min(next, failing.notBefore());
        }
        set(next);
    }

    void set(long at) {
        if (at < armedAt) {
            armedAt = at;
            host.wake(feed, at);
        }
    }
}
