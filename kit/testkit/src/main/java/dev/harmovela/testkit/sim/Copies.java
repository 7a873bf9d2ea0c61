package dev.harmovela.testkit.sim;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What each subscription was promised and what it was sent, seen from outside the hub. */
final class Copies {

    private final World world;
    private final Map<String, Subscribed> subscriptions = new LinkedHashMap<>();
    /** Every stored event that somebody was sent, by id, with its position. */
    private final Map<String, Copy> witnessed = new LinkedHashMap<>();

    /** Event ids that a session dealt with in all its subscriptions, also in those it has not heard of yet. */
    private final Map<String, Set<String>> everywhere = new HashMap<>();

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
            Json.Obj lag = payload.object("lag");
            String onLag = lag == null ? null : lag.string("on_lag");
            made.ending = payload.string("expires_at") != null || "end".equals(onLag);
            made.mayLose = lag != null && (onLag == null || "gap".equals(onLag));
            made.parks = "park".equals(onLag);
            Json.Obj retry = payload.object("retry");
            Long attempts = retry == null ? null : retry.integer("max_attempts");
            made.maxAttempts = attempts == null ? Integer.MAX_VALUE : attempts.intValue();
            made.dealtWith.addAll(everywhere.getOrDefault(session, Set.of()));
            subscriptions.put(id, made);
            known = made;
        } else if (known.ended && !known.untold) {
            throw new Violation("subscription " + id + " has ended and is confirmed again");
        }
        String group = payload.string("consumer_group");
        if (group != null) {
            known.join(group, session);
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
        if (one != null && one.group != null) {
            one.leave(session);
        } else if (one != null && session.equals(one.session)) {
            one.ending = true;
        }
    }

    /**
     * A confirmed end; for a subscription of another session it means nothing, since that one looks like none at
     * all.
     */
    void cancelled(String session, String id) {
        Subscribed one = subscriptions.get(id);
        if (one != null && one.group != null) {
            one.members.remove(session);
        } else if (one != null && session.equals(one.session)) {
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
            one.leaving.add(session);
        }
    }

    void sessionEnded(String session) {
        for (Subscribed one : subscriptions.values()) {
            one.members.remove(session);
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
        if (to.ended && !to.untold) {
            throw new Violation("subscription " + id + " has ended and is still served: " + event.id());
        }
        boolean replayed = delivery.has("replayed_from");
        if (!to.isFor(wire.agent.identity, sessions) && !joinsUntold(wire, to, event) && !isGuess(wire, to, event)) {
            throw new Violation("a copy for " + id + " of session " + to.session + " went to " + wire);
        }
        if (!replayed && !to.filter.matches(event) && !isGuess(wire, to, event)) {
            throw new Violation(id + " did not ask for " + event.id() + " of type " + event.type());
        }
        if (event.expiresAt() <= world.machine.calmTime()) {
            throw new Violation(event.id() + " was sent to " + id + " although it had expired");
        }
        delivered++;
        Long seq = delivery.integer("sequence");
        if (seq == null) {
            bestEffort(to, delivery, event);
            return;
        }
        Json.Obj gap = delivery.object("gap");
        if (gap != null) {
            long upTo = world.oracle.shown(Oracle.string(gap, "to_cursor"));
            to.gaps.add(new Subscribed.Gap(world.oracle.shown(Oracle.string(gap, "from_cursor")), upTo));
        }
        if (replayed && !world.letters.wasPutBack(event.id()) && !isAssignedAgain(to, delivery, event)) {
            throw new Violation(event.id() + " is said to be put back, yet nobody asked for that");
        }
        Copy before = to.bySeq.get(seq);
        Copy copy = before != null ? before : first(to, seq, delivery, event);
        again(wire, copy, delivery, event);
        copy.sessions.addAll(sessions);
        copy.holder = wire;
    }

    /**
     * Whether the hub sends the assignment of a task once more, since the log lets go of its place. That comes before
     * the loss itself, so that a power cut between the two loses no task: the gap is told later, or never when the
     * receiver gets past that place meanwhile. What was settled for sure must not come again.
     */
    private boolean isAssignedAgain(Subscribed to, Json.Obj delivery, Event event) {
        if (!to.inbox || !event.type().name().equals("task.submitted")) {
            return false;
        }
        long from = world.oracle.shown(Oracle.string(delivery, "replayed_from"));
        Copy before = to.byEvent.get(event.id());
        boolean open = before == null || before.lsn != from || !before.fenced;
        return to.lost(from) || (world.forgets() && open);
    }

    /** Whether all that is known of a subscription is that somebody on this wire asked for something like it. */
    private boolean isGuess(AgentWire wire, Subscribed to, Event event) {
        return to.untold && asked(wire, event) != null;
    }

    /** Whether a session is in a group, or has asked to be and may not have heard the answer. */
    private boolean mayBeMember(String session, Subscribed group) {
        return group.group != null
                && (group.members.contains(session)
                        || asked.getOrDefault(session, List.of()).stream()
                                .anyMatch(filter -> group.group.equals(filter.string("consumer_group"))));
    }

    /** A member of a group that was never told that it is one. */
    private boolean joinsUntold(AgentWire wire, Subscribed to, Event event) {
        for (String session : wire.agent.sessionsOn(wire)) {
            for (Json.Obj filter : asked.getOrDefault(session, List.of())) {
                boolean same = to.group != null && to.group.equals(filter.string("consumer_group"));
                if (same && SubscriptionFilter.of(filter).matches(event)) {
                    to.members.add(session);
                    return true;
                }
            }
        }
        return false;
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
        if (found.group != null) {
            made.join(found.group, Objects.requireNonNull(found.session));
        }
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
                    Subscribed guess =
                            new Subscribed("", wire.agent.identity, session, read, DeliveryMode.AT_LEAST_ONCE, 0);
                    guess.group = filter.string("consumer_group");
                    return guess;
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
        boolean replayed = delivery.has("replayed_from");
        Copy twin = to.byEvent.get(event.id());
        if (twin != null && replayed) {
            to.twins.add(event.id());
        } else if (twin != null && !world.machine.forgot(twin.lsn)) {
            throw new Violation(to.id + ": " + event.id() + " has number " + seq + " although it had " + twin.seq);
        }
        long missing = seq - to.lastSeq - 1;
        if (missing > 0 && missing > excused(to, to.lastLsn, lsn) && !to.shared) {
            throw new Violation(to.id + ": " + seq + " follows " + to.lastSeq + " (" + event.id() + ")");
        }
        Copy copy = new Copy(to, seq, lsn, event);
        to.lastSeq = Math.max(to.lastSeq, seq);
        to.lastLsn = Math.max(to.lastLsn, lsn);
        to.bySeq.put(seq, copy);
        to.byEvent.put(event.id(), copy);
        if (replayed) {
            return copy;
        }
        Copy elsewhere = witnessed.get(event.id());
        if (elsewhere == null || world.machine.forgot(elsewhere.lsn)) {
            witnessed.put(event.id(), copy);
        } else if (elsewhere.lsn != lsn) {
            throw new Violation(event.id() + " is at " + lsn + " and at " + elsewhere.lsn);
        }
        return copy;
    }

    /**
     * Matches between two positions that may have taken a number without being sent: expired, withdrawn,
     * acknowledged, or lost and said to be.
     */
    long excused(Subscribed to, long after, long before) {
        long count = to.lostBetween(after, before) + world.letters.unsent(to);
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
        handedOver(wire, copy, attempt == null ? 0 : attempt);
        if (attempt == null
                || attempt < 1
                || attempt > mostAttempts(copy)
                || (attempt < copy.attempt && copy.run == world.machine.starts())) {
            throw new Violation(copy.eventId + " has attempt " + attempt + " after " + copy.attempt);
        }
        Integer announced = wire.announced.remove(copy.subscription.id + " " + copy.eventId);
        if (attempt > 1 && (announced == null || announced != attempt.intValue())) {
            throw new Violation(copy.eventId + " comes with attempt " + attempt + " and was announced as " + announced);
        }
        copy.attempt = attempt.intValue();
        copy.run = world.machine.starts();
    }

    private int mostAttempts(Copy copy) {
        Publish original = world.published(copy.eventId);
        RetryPolicy.Partial own =
                original == null ? null : original.event.delivery().retry();
        if (own == null || copy.subscription.maxAttempts == Integer.MAX_VALUE) {
            return copy.subscription.maxAttempts;
        }
        return own.orElse(new RetryPolicy(copy.subscription.maxAttempts, 1, 1, 1, 1, 0))
                .maxAttempts();
    }

    /** In a group one member holds an event: another one gets it only after a failure, or when the first is gone. */
    private void handedOver(AgentWire wire, Copy copy, long attempt) {
        AgentWire before = copy.holder;
        Subscribed group = copy.subscription;
        if (group.group == null || before == null || before == wire || world.heartbeatMillis() > 0) {
            return;
        }
        Set<String> sessions = before.agent.sessionsOn(before);
        boolean stays = !before.isGone()
                && !before.isClosedByHub()
                && !before.agent.isReplaced(before)
                && sessions.stream().allMatch(one -> group.members.contains(one) && !group.leaving.contains(one));
        boolean same = wire.agent.sessionsOn(wire).stream().anyMatch(sessions::contains);
        if (stays && !same && attempt == copy.attempt) {
            throw new Violation(copy.eventId + " is with " + before + " and goes to " + wire + " as well");
        }
    }

    /** What a settlement of one event by a session means, judged by what that session was sent. */
    List<Copy> settledBy(String session, String eventId, @Nullable String subscription) {
        List<Copy> settled = new ArrayList<>();
        if (subscription == null) {
            everywhere.computeIfAbsent(session, _ -> new HashSet<>()).add(eventId);
        }
        for (Subscribed one : subscriptions.values()) {
            if (subscription == null || subscription.equals(one.id)) {
                Copy copy = one.byEvent.get(eventId);
                one.dealtWith.add(eventId);
                boolean sure = !one.twins.contains(eventId) && (one.group == null || subscription != null);
                if (copy != null && sure && copy.sessions.contains(session)) {
                    settled.add(copy);
                }
                boolean holder = one.inbox || mayBeMember(session, one) || session.equals(one.session);
                if (subscription == null && holder) {
                    one.acknowledgedEverywhere.add(eventId);
                }
            }
        }
        return settled;
    }
}
