package dev.harmovela.harness.delivery;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.dimension.recovery.RecoveryFact;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the deliveries of one feed end: acknowledged, refused, timed out, given up.
 *
 * <p>What is settled takes effect at once and becomes a fact with the next batch ({@link #flush}). One owner, not
 * thread-safe.
 */
public final class Settling {

    private final Feed feed;
    private final Deliveries host;
    private final Flights flights;
    private final Resends resends;
    private final Lanes lanes;
    private final Acknowledged acknowledged = new Acknowledged();

    Settling(Feed feed, Deliveries host, Flights flights, Resends resends, Lanes lanes) {
        this.feed = feed;
        this.host = host;
        this.flights = flights;
        this.resends = resends;
        this.lanes = lanes;
    }

    // --- what consumers say

    /**
     * Takes an acknowledgement, also a late one between two attempts or for an event that is still being read again;
     * false when this event is not with the one who says so.
     *
     * @param holder session that acknowledges, null for a caller without one
     * @param principal identity behind it, for the audit
     */
    public boolean acknowledge(String eventId, @Nullable String holder, String principal) {
        Flight flight = flights.byEvent(eventId);
        if (flight != null) {
            boolean may = maySettle(flight.outlet.holder(), holder);
            if (may) {
                turnTo(principal);
                flights.remove(flight);
                acknowledged(flight.seq, flight.lsn, principal);
            }
            return may;
        }
        Flights.Waiting waiting = flights.waiting(eventId);
        if (waiting == null) {
            return acknowledgeEarly(eventId, principal);
        }
        if (!maySettle(waiting.holder(), holder)) {
            return false;
        }
        turnTo(principal);
        flights.forgetWaiting(eventId);
        RecoveryFact.Failing before = failing(waiting.seq());
        acknowledged(waiting.seq(), before == null ? untried(waiting.seq()) : before.lsn(), principal);
        return true;
    }

    /** Takes one out of those that go out when there is room or their task allows it; its position, 0 if unknown. */
    private long untried(long seq) {
        long lsn = resends.remove(seq);
        return lsn > 0 ? lsn : lanes.lsnOf(seq);
    }

    void acknowledged(long seq, long lsn, String principal) {
        host.acknowledged(feed, seq, lsn);
        acknowledged.add(seq, lsn, principal);
        settle(seq, Outcome.ACKNOWLEDGED);
    }

    /** A fact speaks of one principal; what another one settled is written while this delivery is still open. */
    private void turnTo(String principal) {
        if (!acknowledged.isBy(principal)) {
            flush();
        }
    }

    /** Who acknowledged an event before it was read again, or null. Asked before the event is numbered. */
    @Nullable String earlyBy(String eventId) {
        String principal = flights.acknowledgedEarlyBy(eventId);
        if (principal != null) {
            turnTo(principal);
        }
        return principal;
    }

    /** In a group only the member that holds a delivery settles it; elsewhere there is one holder anyway. */
    private boolean maySettle(@Nullable String has, @Nullable String holder) {
        return feed.route().subscription().kind() != Subscription.Kind.GROUP || Objects.equals(has, holder);
    }

    /** Remembers an acknowledgement for an event that is still being read again; bounded. */
    private boolean acknowledgeEarly(String eventId, String principal) {
        boolean taken = feed.isCatchingUp() && flights.acknowledgeEarly(eventId, principal);
        if (taken) {
            feed.pump();
        }
        return taken;
    }

    /** Whether a settlement was taken that is no fact yet, because its event is still being read. */
    public boolean isLate() {
        if (!feed.isCatchingUp()) {
            flights.clearEarly();
        }
        return flights.hasEarly() || flights.hasHeld();
    }

    /** Settles the request a receiver answers with its own event (D32). */
    public boolean answered(String askKey, String principal) {
        Flight flight = flights.byAsk(askKey);
        return flight != null && acknowledge(flight.eventId, flight.outlet.holder(), principal);
    }

    /** Work on a request goes on: its deadline is pushed (DEL-09). */
    public void worked(String askKey) {
        extend(flights.byAsk(askKey));
    }

    /** Pushes the deadline of an event in flight (D32). */
    public void extendEvent(String eventId) {
        extend(flights.byEvent(eventId));
    }

    private void extend(@Nullable Flight flight) {
        if (flight != null) {
            flight.deadline = host.now() + flight.retry.ackTimeoutMs();
        }
    }

    /** Takes a refusal; false when this event is neither in flight here nor waiting for its next attempt. */
    public boolean refuse(String eventId, @Nullable String holder, Failure failure) {
        Flight flight = flights.byEvent(eventId);
        if (flight == null) {
            return refuseWaiting(eventId, holder, failure);
        }
        if (!maySettle(flight.outlet.holder(), holder)) {
            return false;
        }
        fail(flight, failure);
        feed.pump();
        return true;
    }

    /** A consumer's last word on a delivery that waits for its next attempt. */
    private boolean refuseWaiting(String eventId, @Nullable String holder, Failure failure) {
        Flights.Waiting waiting = flights.waiting(eventId);
        if (waiting == null || !maySettle(waiting.holder(), holder)) {
            return false;
        }
        if (!failure.retryable()) {
            flights.forgetWaiting(eventId);
            RecoveryFact.Failing before = failing(waiting.seq());
            long waitingLsn = untried(waiting.seq());
            long lsn = before == null ? waitingLsn : before.lsn();
            int attempts = before == null ? 1 : before.attempts();
            giveUp(waiting.seq(), failed(before, lsn, attempts, 0, failure), failure.principal());
        }
        return true;
    }

    // --- failures

    private RecoveryFact.@Nullable Failing failing(long seq) {
        return feed.route().position().failing().get(seq);
    }

    private RecoveryFact.Failing failed(
            RecoveryFact.@Nullable Failing before, long lsn, int attempts, long notBefore, Failure failure) {
        long first = before == null ? host.now() : before.firstFailedAt();
        return new RecoveryFact.Failing(
                lsn,
                attempts,
                notBefore,
                first,
                failure.error(),
                Attempts.add(before == null ? null : before.history(), attempts, host.now(), failure.error()));
    }

    void fail(Flight flight, Failure failure) {
        flights.remove(flight);
        RecoveryFact.Failing before = failing(flight.seq);
        int attempts = before == null ? 1 : before.attempts() + 1;
        if (!failure.retryable() || attempts >= flight.retry.maxAttempts()) {
            giveUp(flight.seq, failed(before, flight.lsn, attempts, 0, failure), failure.principal());
            return;
        }
        long wait = failure.retryAfterMillis() > 0 ? failure.retryAfterMillis() : pause(flight.retry, attempts);
        RecoveryFact.Failing next = failed(before, flight.lsn, attempts, host.now() + wait, failure);
        host.record(new RecoveryFact.Failed(feed.id(), flight.seq, next, failure.principal()));
        flights.await(flight.eventId, flight.seq, flight.outlet.holder());
        feed.arm(next.notBefore());
    }

    private long pause(RetryPolicy retry, int attempts) {
        return retry.jitter() == 0 ? retry.delayMs(attempts) : retry.delayMs(attempts, host.chance());
    }

    private void giveUp(long seq, RecoveryFact.Failing last, String principal) {
        flights.hold(seq, last.lsn());
        letNextGo(seq);
        host.fetch(last.lsn(), event -> {
            if (!feed.isEnded()) {
                end(seq, event, last, principal);
                flights.unhold(seq);
                feed.pump();
            }
        });
    }

    /** Nobody gets it any more, whatever became of its wires; what was lost and told so has ended already. */
    private void end(long seq, @Nullable Event event, RecoveryFact.Failing last, String principal) {
        if (feed.route().position().isSettled(seq)) {
            return;
        }
        if (event == null) {
            settle(seq, Outcome.DISCARDED);
        } else if (event.expiresAt() <= host.now()) {
            settle(seq, Outcome.EXPIRED);
        } else {
            host.giveUp(feed, seq, event, last, principal);
        }
    }

    // --- losses

    /** Everything up to a sequence has ended as lost; what lies behind stays with whoever holds it. */
    void forgetUpTo(long seq) {
        flights.forgetUpTo(seq);
        resends.removeUpTo(seq);
        lanes.upTo(seq).forEach(this::letNextGo);
    }

    // --- facts

    void settle(long seq, Outcome outcome) {
        if (!flights.hasSettling()) {
            host.settlesWaiting(feed);
        }
        flights.settle(seq, outcome);
        letNextGo(seq);
    }

    /** The next event of the same task goes out where they are kept in order; at its time if it failed before. */
    private void letNextGo(long seq) {
        Resend next = lanes.ended(seq);
        if (next != null) {
            RecoveryFact.Failing before = failing(next.seq());
            if (before == null) {
                resends.add(next.seq(), next.lsn());
            } else {
                feed.arm(before.notBefore());
            }
        }
    }

    /** At the head of the log every match has either ended or is open; what does not add up was history or was lost. */
    void balance() {
        Position position = feed.route().position();
        long open = feed.readSeq() - position.floorSeq() - position.settledAboveFloor() - flights.settlingCount();
        long rest = position.balance() - flights.settlingCount() - open;
        if (rest != 0) {
            host.record(new RecoveryFact.Balanced(feed.id(), Math.max(0, -rest), Math.max(0, rest)));
        }
    }

    /** The fact that ends one delivery now, floor included, by the last word of a principal or, empty, of the hub. */
    public RecoveryFact.Settled settled(long seq, Outcome outcome, String principal, long lsn) {
        return settled(seq, outcome).by(principal, lsn);
    }

    /** The fact by which the hub ends one delivery now, floor included. */
    public RecoveryFact.Settled settled(long seq, Outcome outcome) {
        // still held while the others are written, so that their floor does not pass it
        flush();
        flights.unhold(seq);
        flights.settle(seq, outcome);
        RecoveryFact.Settled fact = fact(outcome, new long[] {seq, seq});
        flights.unsettle(seq, outcome);
        return fact;
    }

    /**
     * Turns what was settled since the last call into facts; only the last one lifts the floor, so that each counts
     * its own.
     */
    public void flush() {
        if (!flights.hasSettling()) {
            return;
        }
        Position position = feed.route().position();
        Iterator<Map.Entry<Outcome, long[]>> open =
                flights.settling().entrySet().iterator();
        List<RecoveryFact> facts = new ArrayList<>();
        while (open.hasNext()) {
            Map.Entry<Outcome, long[]> one = open.next();
            RecoveryFact.Settled fact = open.hasNext()
                    ? new RecoveryFact.Settled(
                            feed.id(), one.getKey(), one.getValue(), position.floorLsn(), position.floorSeq())
                    : fact(one.getKey(), one.getValue());
            facts.add(one.getKey() == Outcome.ACKNOWLEDGED ? acknowledged.sign(fact) : fact);
        }
        flights.clearSettling();
        acknowledged.clear();
        facts.forEach(host::record);
    }

    /** Lifts the floor as far as nothing is open. */
    public void advance() {
        host.record(fact(Outcome.ACKNOWLEDGED, new long[0]));
    }

    RecoveryFact.Settled fact(Outcome outcome, long[] ranges) {
        // while it is read again, what was not reached yet is open too
        long floorSeq = Math.min(feed.readSeq(), firstOpenSeq() - 1);
        return new RecoveryFact.Settled(feed.id(), outcome, ranges, floorLsn(), floorSeq);
    }

    private long firstOpenSeq() {
        long first = Math.min(lanes.firstSeq(), Math.min(flights.firstSeq(), resends.firstSeq()));
        for (Long seq : feed.route().position().failing().keySet()) {
            if (!flights.isSettling(seq)) {
                return Math.min(first, seq);
            }
        }
        return first;
    }

    /** Position below which nothing is open; behind it the log is no longer needed for this subscription. */
    public long floorLsn() {
        long lsn = Math.min(lanes.firstLsn(), Math.min(flights.firstLsn(), resends.firstLsn()));
        for (Map.Entry<Long, RecoveryFact.Failing> entry :
                feed.route().position().failing().entrySet()) {
            if (!flights.isSettling(entry.getKey())) {
                lsn = Math.min(lsn, entry.getValue().lsn());
            }
        }
        return Math.min(lsn - 1, feed.handedLsn());
    }
}
