package dev.harmovela.testkit.sim;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What each subscription was promised and what it was sent, seen from outside the hub. */
final class Copies {

    /** One event for one subscription under its number. */
    static final class Copy {
        final Subscribed subscription;
        final long seq;
        final String eventId;
        final long lsn;
        final Event event;
        final Set<String> sessions = new HashSet<>();
        int attempt;
        int run;
        /** Settled for sure: a later heartbeat was answered. */
        boolean fenced;

        Copy(Subscribed subscription, long seq, long lsn, Event event) {
            this.subscription = subscription;
            this.seq = seq;
            this.lsn = lsn;
            this.event = event;
            this.eventId = event.id();
        }
    }

    /** A subscription that a client knows of. */
    static final class Subscribed {
        final String id;
        final String identity;
        final SubscriptionFilter filter;
        final DeliveryMode mode;
        final long start;
        final boolean inbox;
        final TreeMap<Long, Copy> bySeq = new TreeMap<>();
        final Map<String, Copy> byEvent = new HashMap<>();
        /** Events acknowledged without naming a subscription. */
        final Set<String> acknowledgedEverywhere = new HashSet<>();
        /** The session that holds it; null for an inbox. */
        @Nullable String session;
        /** Ended by its holder or by time; the hub has said so or will. */
        boolean ending;
        /** The hub has confirmed the end. */
        boolean ended;

        boolean sawGap;
        /** The hub never told its id: the filter is a guess. */
        boolean untold;
        /** Its copies are shared out between connections, so that their order is nobody's. */
        boolean shared;

        long lastSeq;
        long lastLsn;

        Subscribed(
                String id,
                String identity,
                @Nullable String session,
                SubscriptionFilter filter,
                DeliveryMode mode,
                long start) {
            this.id = id;
            this.identity = identity;
            this.session = session;
            this.inbox = session == null;
            this.filter = filter;
            this.mode = mode;
            this.start = start;
            this.lastLsn = inbox ? 0 : start;
        }
    }

    private final World world;
    private final Map<String, Subscribed> subscriptions = new LinkedHashMap<>();
    /** Every stored event that somebody was sent, by id, with its position. */
    private final Map<String, Copy> witnessed = new LinkedHashMap<>();

    /** Filters that a session asked for. */
    private final Map<String, List<Json.Obj>> asked = new HashMap<>();

    private int delivered;

    Copies(World world) {
        this.world = world;
    }

    int delivered() {
        return delivered;
    }

    Collection<Subscribed> subscriptions() {
        return subscriptions.values();
    }

    @Nullable Subscribed find(String id) {
        return subscriptions.get(id);
    }

    Collection<Copy> witnessed() {
        return witnessed.values();
    }

    // --- beginnings and ends

    void created(AgentWire wire, String session, Json.Obj payload, long start) {
        String id = Oracle.string(payload, "subscription_id");
        Json.Obj filter = payload.object("filter");
        DeliveryMode mode = DeliveryMode.of(Oracle.string(payload, "delivery_mode"));
        if (filter == null || mode == null) {
            throw new Violation("a subscription without filter or mode: " + payload);
        }
        Subscribed known = subscriptions.get(id);
        if (known == null) {
            Subscribed made =
                    new Subscribed(id, wire.agent.identity, session, SubscriptionFilter.of(filter), mode, start);
            made.ending = payload.string("expires_at") != null;
            subscriptions.put(id, made);
        } else if (known.ended) {
            throw new Violation("subscription " + id + " has ended and is confirmed again");
        }
    }

    /** A session asks for a subscription; whether it will hear of it is open. */
    void asked(String session, Json.Obj filter) {
        asked.computeIfAbsent(session, _ -> new ArrayList<>()).add(filter);
    }

    void inbox(String identity, long start) {
        String id = "inbox:" + identity;
        if (!subscriptions.containsKey(id)) {
            Json.Obj filter =
                    Json.Obj.builder().put("target", List.of(identity)).build();
            subscriptions.put(
                    id,
                    new Subscribed(
                            id, identity, null, SubscriptionFilter.of(filter), DeliveryMode.AT_LEAST_ONCE, start));
        }
    }

    /** Several connections take what is meant for a session or an identity. */
    void shared(@Nullable String session, String identity) {
        for (Subscribed one : subscriptions.values()) {
            one.shared |=
                    one.inbox ? one.identity.equals(identity) : one.session != null && one.session.equals(session);
        }
    }

    void cancelling(String session, String id) {
        Subscribed one = subscriptions.get(id);
        if (one != null && session.equals(one.session)) {
            one.ending = true;
        }
    }

    /**
     * A confirmed end; for a subscription of another session it means nothing, since that one looks like none at
     * all.
     */
    void cancelled(String session, String id) {
        Subscribed one = subscriptions.get(id);
        if (one != null && session.equals(one.session)) {
            ended(id);
        }
    }

    void ended(String id) {
        Subscribed one = subscriptions.get(id);
        if (one != null) {
            one.ending = true;
            one.ended = true;
        }
    }

    void sessionEnding(String session) {
        for (Subscribed one : subscriptions.values()) {
            one.ending |= session.equals(one.session);
        }
    }

    void sessionEnded(String session) {
        for (Subscribed one : subscriptions.values()) {
            if (session.equals(one.session)) {
                one.ending = true;
                one.ended = true;
            }
        }
    }

    /** A new session takes over what an earlier one of the same identity left behind, if it was still there (D27). */
    void adopted(String from, String to) {
        for (Subscribed one : subscriptions.values()) {
            if (from.equals(one.session) && !one.ended) {
                one.session = to;
                one.ending = true;
            }
        }
        asked.computeIfAbsent(to, _ -> new ArrayList<>()).addAll(asked.getOrDefault(from, List.of()));
    }

    // --- copies

    /** A copy leaves the hub. */
    void sent(AgentWire wire, Json.Obj delivery, Event event) {
        String id = Oracle.string(delivery, "subscription_id");
        Set<String> sessions = wire.agent.sessionsOn(wire);
        Subscribed known = subscriptions.get(id);
        Subscribed to = known != null ? known : untold(wire, id, event);
        if (to.ended) {
            throw new Violation("subscription " + id + " has ended and is still served: " + event.id());
        }
        boolean own = to.inbox ? to.identity.equals(wire.agent.identity) : sessions.contains(to.session);
        if (!own) {
            throw new Violation("a copy for " + id + " of session " + to.session + " went to " + wire);
        }
        if (!to.filter.matches(event) && !(to.untold && asked(wire, event) != null)) {
            throw new Violation(id + " did not ask for " + event.id() + " of type " + event.type());
        }
        delivered++;
        Long seq = delivery.integer("sequence");
        if (seq == null) {
            bestEffort(to, delivery, event);
            return;
        }
        to.sawGap |= delivery.has("gap");
        Copy before = to.bySeq.get(seq);
        Copy copy = before != null ? before : first(to, seq, delivery, event);
        again(wire, copy, delivery, event);
        copy.sessions.addAll(sessions);
    }

    /** A subscription whose confirmation was lost: its session asked for it, but does not know its id. */
    private Subscribed untold(AgentWire wire, String id, Event event) {
        Subscribed found = asked(wire, event);
        if (found == null) {
            throw new Violation("a copy for subscription " + id + ", which nobody asked for: " + event.id());
        }
        Subscribed made = new Subscribed(id, found.identity, found.session, found.filter, found.mode, 0);
        made.ending = true;
        made.untold = true;
        made.shared = true;
        subscriptions.put(id, made);
        return made;
    }

    /** What a session of the wire asked for that matches the event, without its id; null when there is nothing. */
    private @Nullable Subscribed asked(AgentWire wire, Event event) {
        for (String session : wire.agent.sessionsOn(wire)) {
            for (Json.Obj filter : asked.getOrDefault(session, List.of())) {
                SubscriptionFilter read = SubscriptionFilter.of(filter);
                if (read.matches(event)) {
                    return new Subscribed("", wire.agent.identity, session, read, DeliveryMode.AT_LEAST_ONCE, 0);
                }
            }
        }
        return null;
    }

    private static void bestEffort(Subscribed to, Json.Obj delivery, Event event) {
        boolean may = to.mode == DeliveryMode.BEST_EFFORT || event.delivery().mode() == DeliveryMode.BEST_EFFORT;
        boolean bare = !delivery.has("cursor") && !delivery.has("attempt");
        boolean named = "best_effort".equals(delivery.string("mode"))
                || event.delivery().mode() == null;
        if (!bare || !(may || named)) {
            throw new Violation("a copy without a number that is not best effort: " + delivery);
        }
    }

    private Copy first(Subscribed to, long seq, Json.Obj delivery, Event event) {
        long lsn = world.oracle.shown(Oracle.string(delivery, "cursor"));
        Map.Entry<Long, Copy> before = to.bySeq.lowerEntry(seq);
        Map.Entry<Long, Copy> after = to.bySeq.higherEntry(seq);
        if ((before != null && before.getValue().lsn >= lsn) || (after != null && after.getValue().lsn <= lsn)) {
            throw new Violation(to.id + ": number " + seq + " is at " + lsn + ", its neighbours are at "
                    + (before == null ? 0 : before.getValue().lsn) + " and "
                    + (after == null ? 0 : after.getValue().lsn));
        }
        if (seq <= to.lastSeq && !to.shared) {
            throw new Violation(to.id + ": " + seq + " comes for the first time after " + to.lastSeq);
        }
        Copy twin = to.byEvent.get(event.id());
        if (twin != null) {
            throw new Violation(to.id + ": " + event.id() + " has number " + seq + " although it had " + twin.seq);
        }
        long missing = seq - to.lastSeq - 1;
        if (missing > 0 && missing > excused(to, to.lastLsn, lsn) && !to.sawGap && !to.shared) {
            throw new Violation(to.id + ": " + seq + " follows " + to.lastSeq + " (" + event.id() + ")");
        }
        Copy copy = new Copy(to, seq, lsn, event);
        to.lastSeq = Math.max(to.lastSeq, seq);
        to.lastLsn = Math.max(to.lastLsn, lsn);
        to.bySeq.put(seq, copy);
        to.byEvent.put(event.id(), copy);
        Copy elsewhere = witnessed.putIfAbsent(event.id(), copy);
        if (elsewhere != null && elsewhere.lsn != lsn) {
            throw new Violation(event.id() + " is at " + lsn + " and at " + elsewhere.lsn);
        }
        return copy;
    }

    /**
     * Matches between two positions that may have taken a number without being sent: expired, withdrawn,
     * acknowledged.
     */
    long excused(Subscribed to, long after, long before) {
        long count = 0;
        for (Publish one : world.published()) {
            boolean there = one.isStored() && (one.lsn == 0 || (one.lsn > after && one.lsn < before));
            if (there && isExcused(to, one.event)) {
                count++;
            }
        }
        for (Copy one : witnessed.values()) {
            boolean byHub = world.published(one.eventId) == null;
            if (byHub && one.lsn > after && one.lsn < before && isExcused(to, one.event)) {
                count++;
            }
        }
        return count;
    }

    private boolean isExcused(Subscribed to, Event event) {
        return !to.byEvent.containsKey(event.id()) && to.filter.matches(event) && mayBeUnsent(to, event);
    }

    /** Whether an event may never reach a subscription although it matches. */
    boolean mayBeUnsent(Subscribed to, Event event) {
        return event.expiresAt() <= world.machine.latest()
                || (to.inbox && event.type().name().equals("task.submitted"))
                || to.acknowledgedEverywhere.contains(event.id());
    }

    private void again(AgentWire wire, Copy copy, Json.Obj delivery, Event event) {
        Long attempt = delivery.integer("attempt");
        long lsn = world.oracle.shown(Oracle.string(delivery, "cursor"));
        if (!copy.eventId.equals(event.id()) || copy.lsn != lsn) {
            throw new Violation(copy.subscription.id + ": number " + copy.seq + " was " + copy.eventId + " at "
                    + copy.lsn + " and is now " + event.id() + " at " + lsn);
        }
        if (copy.fenced) {
            throw new Violation(copy.subscription.id + ": " + copy.seq + " (" + copy.eventId
                    + ") comes again although it was settled and a later heartbeat was answered");
        }
        if (attempt == null || attempt < 1 || (attempt < copy.attempt && copy.run == world.machine.starts())) {
            throw new Violation(copy.eventId + " has attempt " + attempt + " after " + copy.attempt);
        }
        Integer announced = wire.announced.remove(copy.subscription.id + " " + copy.eventId);
        if (attempt > 1 && (announced == null || announced != attempt.intValue())) {
            throw new Violation(copy.eventId + " comes with attempt " + attempt + " and was announced as " + announced);
        }
        copy.attempt = attempt.intValue();
        copy.run = world.machine.starts();
    }

    /** What a settlement of one event by a session means, judged by what that session was sent. */
    List<Copy> settledBy(String session, String eventId, @Nullable String subscription) {
        List<Copy> settled = new ArrayList<>();
        for (Subscribed one : subscriptions.values()) {
            if (subscription == null || subscription.equals(one.id)) {
                Copy copy = one.byEvent.get(eventId);
                if (copy != null && copy.sessions.contains(session)) {
                    settled.add(copy);
                }
                boolean holder = one.inbox || session.equals(one.session);
                if (subscription == null && holder) {
                    one.acknowledgedEverywhere.add(eventId);
                }
            }
        }
        return settled;
    }
}
