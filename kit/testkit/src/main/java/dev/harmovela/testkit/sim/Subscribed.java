package dev.harmovela.testkit.sim;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.SubscriptionFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A subscription that a client knows of, and what came of it. */
final class Subscribed {

    /** Positions that the hub said were lost: behind {@code after} up to {@code upTo}. */
    record Gap(long after, long upTo) {}

    final String id;
    final String identity;
    final SubscriptionFilter filter;
    final DeliveryMode mode;
    final long start;
    final boolean inbox;
    final TreeMap<Long, Copy> bySeq = new TreeMap<>();
    /** The newest copy of each event. */
    final Map<String, Copy> byEvent = new HashMap<>();
    /** Events that were put back, so that they came under a second number. */
    final Set<String> twins = new HashSet<>();
    /** Events acknowledged without naming a subscription. */
    final Set<String> acknowledgedEverywhere = new HashSet<>();
    /** Events that somebody said to have dealt with; one that is put back need not come again then. */
    final Set<String> dealtWith = new HashSet<>();
    /** Sessions that share it out among them, when it is a consumer group. */
    final Set<String> members = new HashSet<>();
    /** Members that asked to leave, or whose session is ending. */
    final Set<String> leaving = new HashSet<>();

    final List<Gap> gaps = new ArrayList<>();
    /** The session that holds it; null for an inbox and for a group. */
    @Nullable String session;
    /** Name of the consumer group, or null. */
    @Nullable String group;
    /** Ended by its holder or by time; the hub has said so or will. */
    boolean ending;
    /** The hub has confirmed the end. */
    boolean ended;
    /** Hands nothing out any more when it falls behind, until somebody attaches. */
    boolean parks;
    /** The hub never told its id: the filter is a guess. */
    boolean untold;
    /** Its copies are shared out between connections, so that their order is nobody's. */
    boolean shared;

    /** Drops the oldest when it falls behind, and says so with the next copy. */
    boolean mayLose;
    /** Events it was not sent and heard nothing of; there was no further copy that could have told. */
    int untoldLosses;
    /** How many the hub says it gave up, at the end. */
    long discarded;

    int maxAttempts = Integer.MAX_VALUE;
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
        this.inbox = id.startsWith("inbox:");
        this.filter = filter;
        this.mode = mode;
        this.start = start;
        this.lastLsn = inbox ? 0 : start;
    }

    /** Whether copies of it may go to sessions of an identity. */
    boolean isFor(String who, Set<String> sessions) {
        if (inbox) {
            return identity.equals(who);
        }
        return group == null ? sessions.contains(session) : sessions.stream().anyMatch(members::contains);
    }

    /** Whether a session holds it for sure, alone or as one of several. */
    boolean isHeldBy(String sessionId) {
        return group == null ? sessionId.equals(session) : members.contains(sessionId) && !leaving.contains(sessionId);
    }

    void join(String name, String sessionId) {
        group = name;
        session = null;
        shared = true;
        members.add(sessionId);
        leaving.remove(sessionId);
    }

    /** A member asks to leave: what it holds may go to others from now on. */
    void leave(String sessionId) {
        leaving.add(sessionId);
        for (Copy copy : bySeq.values()) {
            if (copy.holder != null && copy.holder.agent.sessionsOn(copy.holder).contains(sessionId)) {
                copy.holder = null;
            }
        }
    }

    /** Whether the hub said that this position is lost to it. */
    boolean lost(long lsn) {
        return gaps.stream().anyMatch(gap -> lsn > gap.after() && lsn <= gap.upTo());
    }

    /** How many positions between two others were said to be lost. */
    long lostBetween(long after, long before) {
        long count = 0;
        for (long lsn = after + 1; lsn < before && !gaps.isEmpty(); lsn++) {
            count += lost(lsn) ? 1 : 0;
        }
        return count;
    }
}
