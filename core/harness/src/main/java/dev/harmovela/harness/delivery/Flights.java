package dev.harmovela.harness.delivery;

import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.RangeSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What one feed has handed out and not settled, and what was settled since the last flush. */
final class Flights {

    private static final int EARLY_LIMIT = 4096;

    /** A delivery between two attempts. */
    record Waiting(long seq, @Nullable String holder) {}

    private final Map<String, Flight> byEvent = new HashMap<>();
    private final Map<String, Flight> byAsk = new HashMap<>();
    private final Map<String, Waiting> waiting = new HashMap<>();
    private final TreeMap<Long, Long> held = new TreeMap<>();
    private final Map<Outcome, RangeSet> settling = new EnumMap<>(Outcome.class);
    private final Map<String, String> early = new LinkedHashMap<>();
    private @Nullable Flight first;
    private @Nullable Flight last;
    private Allowance allowance;
    private int count;
    private long bytes;

    /** @param allowance of the tenant, shared by all its feeds */
    Flights(Allowance allowance) {
        this.allowance = allowance;
    }

    /** The feed has ended: what it still had out counts no longer. */
    void giveBack() {
        Allowance shared = allowance;
        allowance = new Allowance(() -> {});
        shared.remove(count, bytes);
    }

    int count() {
        return count;
    }

    /** Whether as much is in flight as may be, by number or by bytes. */
    boolean isFull(int most, long mostBytes) {
        return count >= most || bytes >= mostBytes || allowance.isFull();
    }

    void add(Flight flight) {
        link(flight);
        flight.inFlight = true;
        count++;
        byEvent.put(flight.eventId, flight);
        forgetWaiting(flight.eventId);
        if (flight.askKey != null) {
            byAsk.put(flight.askKey, flight);
        }
        bytes += flight.bytes;
        allowance.add(flight.bytes);
    }

    /** What is handed out first is the newest, what is handed out again mostly the oldest: the ends are tried first. */
    private void link(Flight flight) {
        Flight before = first != null && flight.seq < first.seq ? null : last;
        while (before != null && before.seq > flight.seq) {
            before = before.before;
        }
        Flight after = before == null ? first : before.after;
        flight.before = before;
        flight.after = after;
        if (before == null) {
            first = flight;
        } else {
            before.after = flight;
        }
        if (after == null) {
            last = flight;
        } else {
            after.before = flight;
        }
    }

    void remove(Flight flight) {
        if (!flight.inFlight) {
            return;
        }
        unlink(flight);
        flight.inFlight = false;
        count--;
        byEvent.remove(flight.eventId, flight);
        if (flight.askKey != null) {
            byAsk.remove(flight.askKey, flight);
        }
        bytes -= flight.bytes;
        allowance.remove(1, flight.bytes);
    }

    private void unlink(Flight flight) {
        if (flight.before == null) {
            first = flight.after;
        } else {
            flight.before.after = flight.after;
        }
        if (flight.after == null) {
            last = flight.before;
        } else {
            flight.after.before = flight.before;
        }
        // or a chain of dead flights would keep young ones alive
        flight.before = null;
        flight.after = null;
    }

    /**
     * A delivery waits for its next attempt or for room; a late acknowledgement still settles it.
     *
     * @param holder session that had it last, null when nobody is known to
     */
    void await(String eventId, long seq, @Nullable String holder) {
        waiting.put(eventId, new Waiting(seq, holder));
    }

    /** A delivery that waits for its next attempt, or null. */
    @Nullable Waiting waiting(String eventId) {
        return waiting.get(eventId);
    }

    void forgetWaiting(String eventId) {
        if (!waiting.isEmpty()) {
            waiting.remove(eventId);
        }
    }

    /** Settled since the last flush. */
    long settlingCount() {
        long count = 0;
        for (RangeSet ranges : settling.values()) {
            count += ranges.size();
        }
        return count;
    }

    @Nullable Flight byEvent(String eventId) {
        return byEvent.get(eventId);
    }

    @Nullable Flight byAsk(String askKey) {
        return byAsk.get(askKey);
    }

    List<Flight> all() {
        return where(_ -> true);
    }

    List<Flight> of(Outlet outlet) {
        return where(flight -> flight.outlet == outlet);
    }

    List<Flight> overdue(long now) {
        return where(flight -> flight.deadline <= now);
    }

    /** By sequence. */
    private List<Flight> where(Predicate<Flight> wanted) {
        List<Flight> found = new ArrayList<>();
        for (Flight flight = first; flight != null; flight = flight.after) {
            if (wanted.test(flight)) {
                found.add(flight);
            }
        }
        return found;
    }

    /** When the next flight has to be looked at, {@link Long#MAX_VALUE} when there is none. */
    long nextLook(long now) {
        long next = Long.MAX_VALUE;
        for (Flight flight = first; flight != null; flight = flight.after) {
            next = Math.min(next, flight.lookAt(now));
        }
        return next;
    }

    /** Whether the dead letter of a sequence is being made. */
    boolean isHeld(long seq) {
        return !held.isEmpty() && held.containsKey(seq);
    }

    /** Keeps a sequence open while its dead letter is being made, also across a new reading. */
    void hold(long seq, long lsn) {
        held.put(seq, lsn);
    }

    boolean hasHeld() {
        return !held.isEmpty();
    }

    void unhold(long seq) {
        held.remove(seq);
    }

    /** Sequences that are in flight or being given up. */
    Set<Long> open() {
        Set<Long> open = new HashSet<>(held.keySet());
        for (Flight flight = first; flight != null; flight = flight.after) {
            open.add(flight.seq);
        }
        return open;
    }

    long firstSeq() {
        long given = held.isEmpty() ? Long.MAX_VALUE : held.firstKey();
        return first == null ? given : Math.min(given, first.seq);
    }

    long firstLsn() {
        long given = held.isEmpty() ? Long.MAX_VALUE : held.firstEntry().getValue();
        return first == null ? given : Math.min(given, first.lsn);
    }

    // --- settled, not yet a fact

    void settle(long seq, Outcome outcome) {
        settling.computeIfAbsent(outcome, _ -> new RangeSet()).add(seq);
    }

    boolean isSettling(long seq) {
        for (RangeSet ranges : settling.values()) {
            if (ranges.contains(seq)) {
                return true;
            }
        }
        return false;
    }

    boolean hasSettling() {
        return !settling.isEmpty();
    }

    /** Takes back one that became a fact by itself. */
    void unsettle(long seq, Outcome outcome) {
        RangeSet ranges = settling.get(outcome);
        if (ranges != null) {
            ranges.remove(seq);
            if (ranges.isEmpty()) {
                settling.remove(outcome);
            }
        }
    }

    /** Pairs of first and last settled sequence since the last flush, by outcome. */
    Map<Outcome, long[]> settling() {
        Map<Outcome, long[]> pairs = new EnumMap<>(Outcome.class);
        settling.forEach((outcome, ranges) -> pairs.put(outcome, ranges.pairs()));
        return pairs;
    }

    void clearSettling() {
        settling.clear();
    }

    // --- acknowledgements that arrive before their event is handed out again

    boolean acknowledgeEarly(String eventId, String principal) {
        return early.size() < EARLY_LIMIT && early.putIfAbsent(eventId, principal) == null;
    }

    boolean hasEarly() {
        return !early.isEmpty();
    }

    /** Who acknowledged it before it was read again, or null; forgets it. */
    @Nullable String acknowledgedEarlyBy(String eventId) {
        return early.isEmpty() ? null : early.remove(eventId);
    }

    void clearEarly() {
        early.clear();
    }

    /** Forgets what is in flight, or between two attempts, up to a sequence. */
    void forgetUpTo(long seq) {
        while (first != null && first.seq <= seq) {
            remove(first);
        }
        waiting.values().removeIf(one -> one.seq() <= seq);
    }

    /** Forgets what is in flight; what was settled or is being given up stays. */
    void clear() {
        allowance.remove(count, bytes);
        for (Flight flight = first; flight != null; flight = flight.after) {
            flight.inFlight = false;
        }
        first = null;
        last = null;
        count = 0;
        byEvent.clear();
        byAsk.clear();
        waiting.clear();
        bytes = 0;
    }
}
