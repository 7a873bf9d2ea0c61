package dev.harmovela.harness.delivery;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.routing.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The running half of a subscription: reads the log from the position on and hands events to whoever is attached.
 *
 * <p>A feed is live while everything up to the head of the log has been handed out; then an event goes out when it is appended.
 * Without room or without an outlet it falls behind, which costs nothing but its reading position, and later reads on from
 * memory or from the log: history and live are one reader. Sequence numbers are counted while reading, so that an interrupted
 * feed which starts again at the floor gives each event its old number. One owner, not thread-safe.
 */
public final class Feed implements Route.Taker {

    private static final int SCAN_PER_PUMP = 4096;
    private static final int READ_AHEAD = 256;
    private static final long READ_AGAIN_MILLIS = 200;

    /** Why a feed that fell too far behind hands out nothing until its consumer attaches again. */
    public static final String PARKED = "parked";

    private final Route route;
    private final Deliveries host;
    private final Flights flights = new Flights();
    private final Resends resends = new Resends();
    private final ArrayDeque<Deliveries.Read> ahead = new ArrayDeque<>();
    private final List<Outlet> outlets = new ArrayList<>();
    private final Replay replay;
    private boolean live;
    private @Nullable String paused;
    private boolean reading;
    private long readLsn;
    private long readSeq;
    private long aheadLsn;
    private int generation;
    private int turn;
    private long gapFrom;
    private long gapTo;
    private long armedAt = Long.MAX_VALUE;

    /** @param replayFrom position a replay was asked from, or -1 when the subscription starts with what is new */
    public Feed(Route route, Deliveries host, long replayFrom) {
        this.route = route;
        this.host = host;
        this.replay = new Replay(replayFrom);
        rewind();
    }

    public Route route() {
        return route;
    }

    public String id() {
        return route.subscription().id();
    }

    public boolean isAttached() {
        return !outlets.isEmpty();
    }

    public boolean isLive() {
        return live;
    }

    /** Handed out and not settled. */
    public int inFlight() {
        return flights.count();
    }

    /** Why nothing is handed out although something waits, or null. */
    public @Nullable String stalled() {
        if (paused != null) {
            return paused;
        }
        if (live || outlets.isEmpty()) {
            return outlets.isEmpty() ? "detached" : null;
        }
        return windowFull() ? "window_full" : null;
    }

    // --- outlets

    /** Takes a further outlet; what is not settled goes out again if it was the first one. */
    public void attach(Outlet outlet) {
        if (outlets.contains(outlet)) {
            return;
        }
        boolean first = outlets.isEmpty();
        outlets.add(outlet);
        paused = PARKED.equals(paused) ? null : paused;
        if (first) {
            armFailing();
        }
        pump();
    }

    /** Forgets an outlet. What it held goes to the others; without others reading starts again at the floor later. */
    public void detach(Outlet outlet) {
        if (!outlets.remove(outlet)) {
            return;
        }
        if (outlets.isEmpty()) {
            rewind();
        } else {
            for (Flight flight : flights.of(outlet)) {
                flights.remove(flight);
                resends.add(flight.seq, flight.lsn);
            }
            pump();
        }
    }

    /** Forgets an outlet but leaves what it holds in flight: its holder may settle it by other ways (a long poll). */
    public void release(Outlet outlet) {
        outlets.remove(outlet);
    }

    /** Starts again at the floor: everything unsettled is handed out again under its old number. */
    public void rewind() {
        flush();
        flights.clear();
        resends.clear();
        ahead.clear();
        generation++;
        reading = false;
        Position position = route.position();
        live = route.subscription().mode() == DeliveryMode.BEST_EFFORT;
        readLsn = position.floorLsn();
        readSeq = position.floorSeq();
        aheadLsn = readLsn;
    }

    /** Hands nothing out any more; what is in flight can still be settled. */
    public void pause(String reason) {
        paused = reason;
        live = false;
    }

    // --- events

    @Override
    public void stored(long lsn, Event event) {
        if (!live) {
            return;
        }
        if (bestEffort(event)) {
            if (ready()) {
                passing(event);
            }
            return;
        }
        if (!ready() || windowFull() || !resends.isEmpty()) {
            live = false;
            readLsn = lsn - 1;
            aheadLsn = readLsn;
            return;
        }
        hand(lsn, event);
    }

    @Override
    public void passing(Event event) {
        Outlet outlet = pick();
        if (outlet != null && event.expiresAt() > host.now()) {
            host.send(outlet, new Delivery(id(), DeliveryMode.BEST_EFFORT, event, 0, 0, 1, 0, 0, RetryPolicy.DEFAULT));
        }
    }

    /** Hands out whatever can be handed out now. */
    public void pump() {
        if (outlets.isEmpty()) {
            return;
        }
        resendDue();
        int scanned = 0;
        while (!live && ready() && !windowFull()) {
            Deliveries.Read next = ahead.poll();
            if (next != null) {
                hand(next.lsn(), next.event());
            } else if (aheadLsn >= host.headLsn()) {
                becomeLive();
            } else if (host.ring().holds(aheadLsn + 1)) {
                if (++scanned > SCAN_PER_PUMP) {
                    host.wake(this, host.now());
                    return;
                }
                scanRing();
            } else {
                readAhead();
                return;
            }
        }
    }

    private void scanRing() {
        aheadLsn++;
        Event event = host.ring().at(aheadLsn);
        if (event != null
                && route.subscription().tenant().equals(host.ring().tenantAt(aheadLsn))
                && route.takes(event)) {
            ahead.add(new Deliveries.Read(aheadLsn, event));
        }
    }

    private void readAhead() {
        if (reading) {
            return;
        }
        if (aheadLsn + 1 < host.firstLsn()) {
            skipGap();
        }
        reading = true;
        int asked = generation;
        host.read(route, aheadLsn, READ_AHEAD, chunk -> {
            if (asked != generation) {
                return;
            }
            reading = false;
            ahead.addAll(chunk.reads());
            boolean progress = chunk.scannedTo() > aheadLsn;
            aheadLsn = Math.max(aheadLsn, chunk.scannedTo());
            if (progress) {
                pump();
            } else {
                host.wake(this, host.now() + READ_AGAIN_MILLIS);
            }
        });
    }

    /** What retention took before it was read is gone; say so with the next delivery. */
    private void skipGap() {
        gapFrom = aheadLsn + 1;
        gapTo = host.firstLsn() - 1;
        aheadLsn = gapTo;
        readLsn = gapTo;
        if (route.position().floorLsn() < gapTo) {
            host.record(new RecoveryFact.Gap(id(), gapFrom, gapTo, readSeq, "retention"));
        }
    }

    /** The log lets go of what this subscription still wanted: it goes on behind {@code lsn} and is told so. */
    public void loseUpTo(long lsn, String reason) {
        if (lsn <= route.position().floorLsn()) {
            return;
        }
        rewind();
        gapFrom = route.position().floorLsn() + 1;
        gapTo = lsn;
        host.record(new RecoveryFact.Gap(id(), gapFrom, lsn, readSeq, reason));
        rewind();
        pump();
    }

    /** Lifts the floor of a feed that has nothing open to the head of the log. */
    public void advance() {
        host.record(fact(Outcome.ACKNOWLEDGED, new long[0]));
    }

    private void becomeLive() {
        live = true;
        flights.clearEarly();
        balance();
        Outlet outlet = outlets.get(0);
        if (replay.finish()) {
            host.announceReplayed(outlet, id(), replay.fromLsn(), aheadLsn, replay.events());
        }
    }

    /** At the head of the log every match has either ended or is open; what does not add up was history or was lost. */
    private void balance() {
        Position position = route.position();
        long open = readSeq - position.floorSeq() - position.settledAboveFloor() - flights.settlingCount();
        long rest = position.balance() - flights.settlingCount() - open;
        if (rest != 0) {
            host.record(new RecoveryFact.Balanced(id(), Math.max(0, -rest), Math.max(0, rest)));
        }
    }

    /** Numbers one match and sends it unless it is settled, failing, expired or withdrawn. */
    private void hand(long lsn, Event event) {
        Position position = route.position();
        readLsn = lsn;
        if (position.isSkipped(lsn) || bestEffort(event)) {
            return;
        }
        boolean failing = position.failing().containsKey(readSeq + 1);
        boolean used = position.isSettled(readSeq + 1) || failing;
        if (!used && (event.expiresAt() <= host.now() || host.withdrawn(route, event))) {
            host.record(new RecoveryFact.Skipped(
                    id(), lsn, event.expiresAt() <= host.now() ? Outcome.EXPIRED : Outcome.DISCARDED));
            return;
        }
        readSeq++;
        replay.count();
        if (!used) {
            send(new Resend(readSeq, lsn, 1), event);
        } else if (failing) {
            armFailing();
        }
    }

    private void send(Resend which, Event event) {
        Outlet outlet = pick();
        if (outlet == null) {
            resends.add(which.seq(), which.lsn());
            return;
        }
        if (flights.wasAcknowledgedEarly(event.id())) {
            settle(which.seq(), Outcome.ACKNOWLEDGED);
            return;
        }
        RetryPolicy retry = retryFor(event);
        Delivery delivery = new Delivery(
                id(), mode(event), event, which.lsn(), which.seq(), which.attempt(), gapFrom, gapTo, retry);
        gapFrom = 0;
        gapTo = 0;
        if (which.attempt() > 1) {
            host.announceRedelivery(outlet, delivery);
        }
        Flight flight = new Flight(delivery, AskKey.of(event), outlet, host.now());
        flights.add(flight);
        outlet.reserved();
        host.send(outlet, delivery);
        arm(flight.deadline);
    }

    /** A delivery that goes out again, or for the first time with attempt 1. */
    record Resend(long seq, long lsn, int attempt) {}

    private void resendDue() {
        while (!resends.isEmpty() && ready()) {
            long seq = resends.firstSeq();
            if (route.position().isSettled(seq) || flights.isSettling(seq)) {
                resends.removeFirst();
                continue;
            }
            Event event = resends.eventOfFirst(host.ring());
            if (event == null) {
                fetchFirst();
                return;
            }
            long lsn = resends.removeFirst();
            resend(seq, lsn, event);
        }
    }

    private void resend(long seq, long lsn, Event event) {
        RecoveryFact.Failing failing = route.position().failing().get(seq);
        if (event.expiresAt() <= host.now()) {
            settle(seq, Outcome.EXPIRED);
        } else {
            send(new Resend(seq, lsn, failing == null ? 1 : failing.attempts() + 1), event);
        }
    }

    private void fetchFirst() {
        if (resends.fetching()) {
            return;
        }
        int asked = generation;
        long lsn = resends.fetchFirst();
        host.fetch(lsn, event -> {
            if (asked == generation) {
                long lost = resends.fetched(lsn, event);
                if (lost > 0) {
                    settle(lost, Outcome.DISCARDED);
                }
                pump();
            }
        });
    }

    // --- settlements

    /**
     * Takes an acknowledgement, also a late one between two attempts; false when this event is not with the one who says so.
     *
     * @param holder session that acknowledges, null for a caller without one
     */
    public boolean acknowledge(String eventId, @Nullable String holder) {
        Flight flight = flights.byEvent(eventId);
        flight = flight == null ? flights.waiting(eventId) : flight;
        if (flight == null || !maySettle(flight, holder)) {
            return false;
        }
        flights.remove(flight);
        flights.forgetWaiting(eventId);
        settle(flight.seq, Outcome.ACKNOWLEDGED);
        return true;
    }

    /** In a group only the member that holds a delivery settles it; elsewhere there is one holder anyway. */
    private boolean maySettle(Flight flight, @Nullable String holder) {
        return route.subscription().kind() != Subscription.Kind.GROUP || Objects.equals(flight.outlet.holder(), holder);
    }

    private void settle(long seq, Outcome outcome) {
        flights.settle(seq, outcome);
        host.settlesWaiting(this);
    }

    /** Remembers an acknowledgement for an event that will be handed out again; bounded. */
    public boolean acknowledgeEarly(String eventId) {
        return !live && flights.acknowledgeEarly(eventId);
    }

    /** Settles the request a receiver answers with its own event (D32). */
    public boolean answered(String askKey) {
        Flight flight = flights.byAsk(askKey);
        return flight != null && acknowledge(flight.eventId, flight.outlet.holder());
    }

    /** Holder of an event in flight here, or null. */
    public @Nullable Outlet holderOf(String eventId) {
        Flight flight = flights.byEvent(eventId);
        return flight == null ? null : flight.outlet;
    }

    /** Work on a request goes on: its deadline is pushed (DEL-09). */
    public void worked(String askKey) {
        Flight flight = flights.byAsk(askKey);
        if (flight != null) {
            flight.deadline = host.now() + flight.retry.ackTimeoutMs();
        }
    }

    /** Pushes the deadline of an event in flight. */
    public boolean extend(String eventId) {
        Flight flight = flights.byEvent(eventId);
        if (flight != null) {
            flight.deadline = host.now() + flight.retry.ackTimeoutMs();
        }
        return flight != null;
    }

    /** Takes a refusal; false when this event is neither in flight here nor waiting for its next attempt. */
    public boolean refuse(String eventId, @Nullable String holder, Failure failure) {
        Flight flight = flights.byEvent(eventId);
        if (flight == null || !maySettle(flight, holder)) {
            return flight == null && flights.waiting(eventId) != null;
        }
        fail(flight, failure);
        pump();
        return true;
    }

    private void fail(Flight flight, Failure failure) {
        flights.remove(flight);
        Map<Long, RecoveryFact.Failing> known = route.position().failing();
        RecoveryFact.Failing before = known.get(flight.seq);
        int attempts = before == null ? 1 : before.attempts() + 1;
        long first = before == null ? host.now() : before.firstFailedAt();
        Json.Arr history =
                Attempts.add(before == null ? null : before.history(), attempts, host.now(), failure.error());
        if (!failure.retryable() || attempts >= flight.retry.maxAttempts()) {
            RecoveryFact.Failing last =
                    new RecoveryFact.Failing(flight.lsn, attempts, 0, first, failure.error(), history);
            giveUp(flight.seq, last);
            return;
        }
        long wait = failure.retryAfterMillis() > 0 ? failure.retryAfterMillis() : flight.retry.delayMs(attempts);
        RecoveryFact.Failing next =
                new RecoveryFact.Failing(flight.lsn, attempts, host.now() + wait, first, failure.error(), history);
        host.record(new RecoveryFact.Failed(id(), flight.seq, next));
        flights.await(flight);
        arm(next.notBefore());
    }

    private void giveUp(long seq, RecoveryFact.Failing last) {
        flights.hold(seq, last.lsn());
        int asked = generation;
        host.fetch(last.lsn(), event -> {
            if (asked == generation) {
                flights.unhold(seq);
                if (event == null) {
                    settle(seq, Outcome.DISCARDED);
                } else if (event.expiresAt() <= host.now()) {
                    settle(seq, Outcome.EXPIRED);
                } else {
                    host.giveUp(this, seq, event, last);
                }
                pump();
            }
        });
    }

    /** The fact that ends one delivery now, floor included. */
    public RecoveryFact.Settled settled(long seq, Outcome outcome) {
        flush();
        flights.settle(seq, outcome);
        RecoveryFact.Settled fact = fact(outcome, new long[] {seq, seq});
        flights.unsettle(seq, outcome);
        return fact;
    }

    /** Turns what was settled since the last call into facts; only the last one lifts the floor, so that each counts its own. */
    public void flush() {
        if (!flights.hasSettling()) {
            return;
        }
        Position position = route.position();
        Iterator<Map.Entry<Outcome, long[]>> open =
                flights.settling().entrySet().iterator();
        List<RecoveryFact> facts = new ArrayList<>();
        while (open.hasNext()) {
            Map.Entry<Outcome, long[]> one = open.next();
            facts.add(
                    open.hasNext()
                            ? new RecoveryFact.Settled(
                                    id(), one.getKey(), one.getValue(), position.floorLsn(), position.floorSeq())
                            : fact(one.getKey(), one.getValue()));
        }
        flights.clearSettling();
        facts.forEach(host::record);
    }

    private RecoveryFact.Settled fact(Outcome outcome, long[] ranges) {
        long firstOpen = firstOpenSeq();
        long floorSeq = firstOpen == Long.MAX_VALUE ? readSeq : firstOpen - 1;
        return new RecoveryFact.Settled(id(), outcome, ranges, floorLsn(), floorSeq);
    }

    private long firstOpenSeq() {
        long first = Math.min(flights.firstSeq(), resends.isEmpty() ? Long.MAX_VALUE : resends.firstSeq());
        Map<Long, RecoveryFact.Failing> failing = route.position().failing();
        for (Long seq : failing.keySet()) {
            if (!flights.isSettling(seq)) {
                return Math.min(first, seq);
            }
        }
        return first;
    }

    /** Position below which nothing is open; behind it the log is no longer needed for this subscription. */
    public long floorLsn() {
        long lsn = Math.min(flights.firstLsn(), resends.isEmpty() ? Long.MAX_VALUE : resends.firstLsn());
        for (Map.Entry<Long, RecoveryFact.Failing> entry :
                route.position().failing().entrySet()) {
            if (!flights.isSettling(entry.getKey())) {
                lsn = Math.min(lsn, entry.getValue().lsn());
            }
        }
        if (lsn != Long.MAX_VALUE) {
            return lsn - 1;
        }
        return live ? host.headLsn() : ahead.isEmpty() ? aheadLsn : readLsn;
    }

    // --- time

    /** Times out what was not acknowledged and sends again what is due. */
    public void tick() {
        armedAt = Long.MAX_VALUE;
        long now = host.now();
        for (Flight flight : flights.overdue(now)) {
            fail(flight, Failure.ackTimeout(flight.retry.ackTimeoutMs()));
        }
        for (Map.Entry<Long, RecoveryFact.Failing> entry :
                List.copyOf(route.position().failing().entrySet())) {
            boolean waiting = entry.getKey() <= readSeq && !flights.holds(entry.getKey());
            if (waiting && isAttached() && entry.getValue().notBefore() <= now) {
                resends.add(entry.getKey(), entry.getValue().lsn());
            } else if (waiting && isAttached()) {
                arm(entry.getValue().notBefore());
            }
        }
        if (flights.nextDeadline() != Long.MAX_VALUE) {
            arm(flights.nextDeadline());
        }
        pump();
    }

    private void armFailing() {
        for (RecoveryFact.Failing failing : route.position().failing().values()) {
            arm(failing.notBefore());
        }
    }

    private void arm(long at) {
        if (at < armedAt) {
            armedAt = at;
            host.wake(this, at);
        }
    }

    // --- small questions

    private boolean ready() {
        if (paused != null) {
            return false;
        }
        for (Outlet outlet : outlets) {
            if (outlet.hasRoom()) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Outlet pick() {
        for (int i = 0; i < outlets.size(); i++) {
            Outlet outlet = outlets.get((turn + i) % outlets.size());
            if (outlet.hasRoom()) {
                turn = (turn + i + 1) % outlets.size();
                return outlet;
            }
        }
        return null;
    }

    private boolean windowFull() {
        int window = route.subscription().maxInFlight();
        return flights.count() >= window
                || flights.bytes() >= host.windowBytes()
                || flights.count() + route.position().failing().size() >= 4L * window;
    }

    private boolean bestEffort(Event event) {
        return mode(event) == DeliveryMode.BEST_EFFORT;
    }

    private DeliveryMode mode(Event event) {
        DeliveryMode asked = event.delivery().mode();
        return (asked == null ? DeliveryMode.AT_LEAST_ONCE : asked)
                .weaker(route.subscription().mode());
    }

    /** The policy in force: the event's, else the subscription's, which already holds the hub's. */
    public RetryPolicy retryFor(Event event) {
        RetryPolicy.Partial own = event.delivery().retry();
        RetryPolicy base = route.subscription().retry();
        return own == null ? base : own.orElse(base);
    }
}
