package dev.harmovela.harness.delivery;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.routing.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The running half of a subscription: reads the log from the position on and hands events to whoever is attached.
 *
 * <p>A feed is live while everything up to the head of the log has been handed out; then an event goes out when it
 * is appended. Without room or without an outlet it falls behind, which costs nothing but its reading position, and
 * later reads on from memory or from the log: history and live are one reader. Sequence numbers are counted while
 * reading, so that an interrupted feed which starts again at the floor gives each event its old number. One owner,
 * not thread-safe.
 */
public final class Feed implements Route.Taker {

    private static final int SCAN_PER_PUMP = 4096;
    private static final long READ_AGAIN_MILLIS = 200;

    /** Why a feed that fell too far behind hands out nothing until its consumer attaches again. */
    public static final String PARKED = "parked";

    public static final String DETACHED = "detached";

    /** Why some wait although there is room: an earlier event of their task has not ended. */
    public static final String ORDERING = "ordering";

    /** Why nothing is handed out while the hub stops. */
    public static final String DRAINING = "draining";

    private static final String ENDED = "ended";

    private final Route route;
    private final Deliveries host;
    private final Flights flights;
    private final Resends resends = new Resends();
    private final Lanes lanes;
    private final Settling settling;
    private final Alarm alarm;
    private final Lookahead ahead;
    private final Outlets outlets = new Outlets();
    private final Replay replay;
    private final Losses losses;
    private boolean live;
    private @Nullable String paused;
    private long readLsn;
    private long readSeq;
    private long lastSeq;
    private long sentLsn;

    /** @param replayFrom position a replay was asked from, or -1 when the subscription starts with what is new */
    public Feed(Route route, Deliveries host, long replayFrom) {
        this.route = route;
        this.host = host;
        this.flights = new Flights(host.allowance(route.subscription().tenant()));
        this.replay = new Replay(replayFrom);
        this.ahead = new Lookahead(route, host);
        this.lanes = new Lanes(route.subscription().ordersTasks());
        this.settling = new Settling(this, host, flights, resends, lanes);
        this.alarm = new Alarm(this, host, flights, resends, lanes);
        this.losses = new Losses(this, host);
        rewind();
    }

    /** Up to here an earlier run of the hub may have handed events out: their numbers stay theirs. */
    public void sentBefore(long lsn) {
        sentLsn = lsn;
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

    /** Highest sequence given in this run, 0 before the first. */
    public long lastSequence() {
        return lastSeq;
    }

    /** What is handed out and not settled, by sequence. */
    public List<Held> held() {
        return flights.all().stream()
                .map(one -> new Held(one.seq, one.lsn, one.attempt, one.retry.maxAttempts(), one.deadline))
                .toList();
    }

    /** Why nothing is handed out although something waits, or null. */
    public @Nullable String stalled() {
        if (paused != null) {
            return paused;
        }
        if (outlets.isEmpty()) {
            return DETACHED;
        }
        boolean waits = lanes.waiting() > 0 && !flightsFull();
        return waits ? ORDERING : !live && windowFull() ? "window_full" : null;
    }

    // --- outlets

    /** Takes a further outlet; what is not settled goes out again if it was the first one. */
    public void attach(Outlet outlet) {
        boolean first = outlets.isEmpty();
        if (!outlets.add(outlet)) {
            return;
        }
        paused = PARKED.equals(paused) ? null : paused;
        if (first) {
            alarm.setForFailing();
        }
        pump();
    }

    /**
     * Forgets an outlet. What it held goes to the others; without others reading starts again at the floor later,
     * unless the hub
     * stops: then what it held may still be settled by other ways.
     */
    public void detach(Outlet outlet) {
        if (!outlets.remove(outlet)) {
            return;
        }
        if (outlets.isEmpty() && DRAINING.equals(paused)) {
            return;
        }
        if (outlets.isEmpty()) {
            rewind();
        } else {
            for (Flight flight : flights.of(outlet)) {
                flights.remove(flight);
                flights.await(flight.eventId, flight.seq, flight.outlet.holder());
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
        settling.flush();
        if (live && !route.subscription().lag().isEmpty()) {
            settling.advance();
        }
        flights.clear();
        resends.clear();
        lanes.clear();
        if (outlets.isEmpty()) {
            flights.clearEarly();
        }
        Position position = route.position();
        live = route.subscription().mode() == DeliveryMode.BEST_EFFORT;
        readLsn = position.floorLsn();
        readSeq = position.floorSeq();
        ahead.restart(readLsn);
        losses.retell();
    }

    /** What lies up to a position is lost: a reader that has not come there goes on behind it. */
    void goOnBehind(long lsn, long seq) {
        if (!live && readLsn < lsn) {
            readLsn = lsn;
            readSeq = seq;
            ahead.restart(lsn);
        }
    }

    /** Hands nothing out any more; what is in flight can still be settled. */
    public void pause(String reason) {
        paused = reason;
        if (live) {
            live = false;
            readLsn = host.headLsn();
            ahead.skipTo(readLsn);
        }
    }

    /** The subscription is gone: nothing is handed out any more, not even what is being read for it. */
    public void end() {
        pause(ENDED);
        outlets.clear();
        flights.giveBack();
        ahead.restart(readLsn);
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
        if (!takesNew()) {
            live = false;
            readLsn = lsn - 1;
            ahead.skipTo(readLsn);
            return;
        }
        hand(lsn, event);
    }

    @Override
    public void passing(Event event) {
        Outlet outlet = paused == null ? outlets.pick() : null;
        if (outlet != null && event.expiresAt() > host.now()) {
            host.send(
                    outlet,
                    new Delivery(id(), DeliveryMode.BEST_EFFORT, event, 0, 0, 1, null, RetryPolicy.DEFAULT),
                    Departure.UNWATCHED);
        }
    }

    /** Hands out whatever can be handed out now. */
    public void pump() {
        if (outlets.isEmpty()) {
            return;
        }
        resendDue();
        int scanned = 0;
        while (!live && (takesNew() || (flights.hasEarly() && isCatchingUp()))) {
            Deliveries.Read next = ahead.poll();
            if (next != null) {
                hand(next.lsn(), next.event());
            } else if (ahead.lsn() >= host.headLsn()) {
                becomeLive();
            } else if (host.ring().holds(ahead.lsn() + 1)) {
                if (++scanned > SCAN_PER_PUMP) {
                    host.wake(this, host.now());
                    return;
                }
                ahead.scan(host.ring());
            } else {
                readAhead();
                return;
            }
        }
    }

    /** What goes out again goes first, even when it has to be fetched. */
    private boolean takesNew() {
        return resends.isEmpty() && ready() && !windowFull();
    }

    /** Whether some of what was sent before has not been looked at again yet. */
    boolean isCatchingUp() {
        return !live && ahead.isBefore(sentLsn);
    }

    private void readAhead() {
        if (!ahead.isReading() && ahead.lsn() + 1 < host.firstLsn()) {
            skipGap();
        }
        ahead.read(progress -> {
            if (progress) {
                pump();
            } else {
                host.wake(this, host.now() + READ_AGAIN_MILLIS);
            }
        });
    }

    /** What retention took before it was read is gone; say so with the next delivery. */
    private void skipGap() {
        long from = ahead.lsn() + 1;
        readLsn = host.firstLsn() - 1;
        ahead.skipTo(readLsn);
        losses.taken(from, readLsn, readSeq);
    }

    /** What this subscription loses to bounds of the log or of its own. */
    public Losses losses() {
        return losses;
    }

    /** Whether the subscription is gone. */
    boolean isEnded() {
        return ENDED.equals(paused);
    }

    private void becomeLive() {
        live = true;
        flights.clearEarly();
        settling.balance();
        Outlet outlet = outlets.first();
        if (replay.finish()) {
            host.announceReplayed(outlet, id(), replay.fromLsn(), ahead.lsn(), replay.events());
        }
    }

    /**
     * Numbers one match and sends it unless it is settled, failing, expired or withdrawn. What may have been sent
     * before keeps its number even if it is over by now; anything else that is over takes none.
     */
    private void hand(long lsn, Event event) {
        Position position = route.position();
        String early = lsn <= sentLsn ? settling.earlyBy(event.id()) : null;
        readLsn = lsn;
        if (position.isSkipped(lsn) || bestEffort(event)) {
            return;
        }
        boolean failing = position.isFailing(readSeq + 1);
        boolean used = position.isSettled(readSeq + 1) || failing;
        boolean expired = event.expiresAt() <= host.now();
        boolean over = !used && (expired || host.withdrawn(route, event));
        if (over && lsn > sentLsn) {
            host.record(new RecoveryFact.Skipped(id(), lsn, expired ? Outcome.EXPIRED : Outcome.DISCARDED));
            return;
        }
        readSeq++;
        lastSeq = Math.max(lastSeq, readSeq);
        replay.count();
        sentLsn = Math.max(sentLsn, lsn);
        if (flights.isHeld(readSeq)) {
            return;
        }
        if (over) {
            settling.settle(readSeq, expired ? Outcome.EXPIRED : Outcome.DISCARDED);
        } else if (early != null && !position.isSettled(readSeq)) {
            settling.acknowledged(readSeq, lsn, early);
        } else if (failing || !used) {
            open(lsn, event, failing);
        }
    }

    private void open(long lsn, Event event, boolean failing) {
        boolean mayGo = lanes.enter(event.taskId(), readSeq, lsn);
        if (mayGo && !failing) {
            send(new Resend(readSeq, lsn, 1), event);
            return;
        }
        flights.await(event.id(), readSeq, null);
        if (mayGo) {
            alarm.setForFailing();
        }
    }

    /** Hands one out, or keeps it when there is no room or one before it still has to be fetched. */
    private void send(Resend which, Event event) {
        boolean mustWait = flightsFull() || paused != null || resends.firstSeq() < which.seq();
        Outlet outlet = mustWait ? null : outlets.pick();
        if (outlet == null) {
            flights.await(event.id(), which.seq(), null);
            resends.add(which.seq(), which.lsn());
            return;
        }
        RetryPolicy retry = Delivery.retry(route, event);
        Delivery delivery = new Delivery(
                id(),
                Delivery.mode(route, event),
                event,
                which.lsn(),
                which.seq(),
                which.attempt(),
                losses.toTell(),
                retry);
        losses.told();
        if (which.attempt() > 1) {
            host.announceRedelivery(outlet, delivery);
        }
        Flight flight = new Flight(delivery, AskKey.of(event), outlet);
        flights.add(flight);
        outlet.reserved();
        host.send(outlet, delivery, flight);
        arm(flight.lookAt(host.now()));
    }

    private void resendDue() {
        while (!resends.isEmpty() && ready() && !flightsFull()) {
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
            settling.settle(seq, Outcome.EXPIRED);
        } else {
            send(new Resend(seq, lsn, failing == null ? 1 : failing.attempts() + 1), event);
        }
    }

    private void fetchFirst() {
        if (resends.fetching()) {
            return;
        }
        int asked = ahead.generation();
        long lsn = resends.fetchFirst();
        host.fetch(lsn, event -> {
            if (asked == ahead.generation()) {
                long lost = resends.fetched(lsn, event);
                if (lost > 0) {
                    settling.settle(lost, Outcome.DISCARDED);
                }
                pump();
            }
        });
    }

    // --- settlements

    /** Takes what the consumer says about its deliveries. */
    public Settling settling() {
        return settling;
    }

    /** Sequence of the last match that was numbered. */
    long readSeq() {
        return readSeq;
    }

    /** Position below which nothing is waiting to be read or handed out for the first time. */
    long handedLsn() {
        return live ? host.headLsn() : ahead.isEmpty() ? ahead.lsn() : readLsn;
    }

    // --- time

    /** Times out what was not acknowledged and sends again what is due. */
    public void tick() {
        alarm.ring();
        pump();
    }

    void arm(long at) {
        alarm.set(at);
    }

    // --- small questions

    private boolean ready() {
        return paused == null && !losses.isCounting() && outlets.ready();
    }

    private boolean flightsFull() {
        return flights.isFull(route.subscription().maxInFlight(), host.windowBytes());
    }

    /** Failing ones count once they were looked at: those ahead must not keep the reader from reaching them. */
    private boolean windowFull() {
        long room = 4L * route.subscription().maxInFlight() - flights.count() - lanes.waiting();
        return flightsFull()
                || room <= 0
                || (route.position().failingCount() >= room
                        && route.position().failing().headMap(readSeq + 1).size() >= room);
    }

    private boolean bestEffort(Event event) {
        return Delivery.mode(route, event) == DeliveryMode.BEST_EFFORT;
    }
}
