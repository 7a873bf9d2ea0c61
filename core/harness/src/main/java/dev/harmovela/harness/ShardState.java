package dev.harmovela.harness;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.dimension.event.SessionFact;
import dev.harmovela.dimension.event.Sessions;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.event.SubscriptionFact;
import dev.harmovela.dimension.event.Subscriptions;
import dev.harmovela.dimension.governance.GovernanceFact;
import dev.harmovela.dimension.recovery.LetterFact;
import dev.harmovela.dimension.recovery.Letters;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.dimension.recovery.Positions;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.harness.frame.AsSent;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.HubStarted;
import dev.harmovela.harness.frame.Trimmed;
import dev.harmovela.harness.routing.Route;
import dev.harmovela.harness.routing.SubscriptionIndex;
import dev.harmovela.spi.Caller;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything durable of a shard: a fold over the facts of its log.
 *
 * <p>Live traffic, recovery, snapshots and simulation move it by the same {@link #apply} and {@link #matched};
 * nothing here reads a clock, a configuration or anything else that is not in the log. One owner, not thread-safe.
 */
final class ShardState {

    private static final int SNAPSHOT_FORMAT = 4;
    /** The format in which tasks were the only dimension that decides. */
    private static final int TASKS_ONLY_FORMAT = 3;
    /** The format that counted for the hub as a whole, when it had one tenant, and kept no untold losses. */
    private static final int ONE_TENANT_FORMAT = 2;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int ENDED_SESSIONS = 100_000;

    final Sessions sessions = new Sessions(ENDED_SESSIONS);
    final Subscriptions subscriptions = new Subscriptions();
    final Positions positions = new Positions();
    final Letters letters = new Letters();
    final Dimensions dimensions;
    final Tasks tasks;
    final SubscriptionIndex index = new SubscriptionIndex();

    /** Derived from the log and no part of a snapshot. */
    final StoredTimes times = new StoredTimes();

    private final Map<String, Route> routes = new LinkedHashMap<>();
    private long epoch;
    private long lastLsn;
    private long lastNow;
    private long trimmedLsn;
    private final Map<String, long[]> published = new TreeMap<>();

    ShardState(TaskPolicy policy) {
        dimensions = new Dimensions(policy);
        tasks = dimensions.tasks;
    }

    long epoch() {
        return epoch;
    }

    long lastLsn() {
        return lastLsn;
    }

    /** Latest time in the log. */
    long lastNow() {
        return lastNow;
    }

    /** Events that were ever stored; what was stored again, put back or carried on, counts once (D33). */
    long published() {
        return published.values().stream().mapToLong(count -> count[0]).sum();
    }

    /** The same of one tenant. */
    long published(String tenant) {
        long[] count = published.get(tenant);
        return count == null ? 0 : count[0];
    }

    /** Everything before this may be gone from the log. */
    long trimmedLsn() {
        return trimmedLsn;
    }

    @Nullable Route route(String subscriptionId) {
        return routes.get(subscriptionId);
    }

    Iterable<Route> routes() {
        return routes.values();
    }

    /** Applies a whole frame; {@code stored} sees each event with its position afterwards. */
    void fold(Frame frame, StoredEvent stored) {
        for (Fact fact : frame.facts()) {
            apply(fact);
        }
        for (int i = 0; i < frame.events().size(); i++) {
            Event event = frame.events().get(i);
            long lsn = frame.firstLsn() + i;
            matched(frame.header().tenant(), event, _ -> {});
            stored.at(lsn, frame, event);
        }
        ended(frame.lastLsn(), frame.header().now());
        times.mark(frame.lastLsn(), frame.header().now() * NANOS_PER_MILLI);
    }

    /** Sees stored events during a fold. */
    @FunctionalInterface
    interface StoredEvent {
        void at(long lsn, Frame frame, Event event);
    }

    /** Marks how far the log was applied. */
    void ended(long lsn, long now) {
        lastLsn = lsn;
        lastNow = Math.max(lastNow, now);
    }

    /** Counts a stored event for each subscription it belongs to and names them. */
    void matched(String tenant, Event event, Consumer<Route> found) {
        DeliveryAsk.Again again = event.delivery().again();
        if (again != null) {
            Route only = routes.get(again.subscription());
            if (only != null) {
                only.position().countMatch();
                found.accept(only);
            }
            return;
        }
        published.computeIfAbsent(tenant, _ -> new long[1])[0]++;
        index.match(tenant, event, route -> {
            if (route.subscription().mode() != DeliveryMode.BEST_EFFORT) {
                route.position().countMatch();
            }
            found.accept(route);
        });
    }

    /** The only place where durable state moves. */
    void apply(Fact fact) {
        switch (fact) {
            case HubStarted started -> {
                epoch = started.epoch();
                dimensions.started(started.now());
            }
            case Trimmed trimmed -> trimmedLsn = Math.max(trimmedLsn, trimmed.lsn());
            case SessionFact session -> sessions.apply(session);
            case SubscriptionFact subscription -> {
                subscriptions.apply(subscription);
                followSubscription(subscription);
            }
            case RecoveryFact recovery -> positions.apply(recovery);
            case LetterFact letter -> letters.apply(letter);
            case AsSent _, GovernanceFact _ -> {
                // duplicates and the audit read it, no state depends on it
            }
            default -> dimensions.apply(fact);
        }
    }

    private void followSubscription(SubscriptionFact fact) {
        switch (fact) {
            case SubscriptionFact.Created created -> addRoute(created.subscription());
            case SubscriptionFact.Removed removed -> {
                Route route = routes.remove(removed.subscriptionId());
                if (route != null) {
                    index.remove(route);
                    positions.end(removed.subscriptionId(), route.subscription().tenant(), restOf(removed.reason()));
                }
            }
            case SubscriptionFact.Joined _, SubscriptionFact.Left _ -> {
                // membership is no matter of routing
            }
            case SubscriptionFact.Adopted adopted -> {
                Route route = routes.get(adopted.subscriptionId());
                Subscription now = subscriptions.find(adopted.subscriptionId());
                if (route != null && now != null) {
                    route.subscription(now);
                }
            }
        }
    }

    /** What the end of a subscription makes of its open deliveries: expired with it, or given up with it (D27). */
    private static Outcome restOf(String reason) {
        return switch (reason) {
            case SubscriptionFact.EXPIRED, SubscriptionFact.WINDOW_PASSED -> Outcome.EXPIRED;
            default -> Outcome.DISCARDED;
        };
    }

    private void addRoute(Subscription subscription) {
        Position position = positions.find(subscription.id());
        if (position == null) {
            positions.apply(new RecoveryFact.Started(subscription.id(), subscription.startLsn()));
            position = positions.find(subscription.id());
        }
        if (position == null) {
            throw new IllegalStateException("no position for " + subscription.id());
        }
        SubscriptionFilter filter = SubscriptionFilter.of(subscription.filter());
        Route route = new Route(subscription, filter, position);
        routes.put(subscription.id(), route);
        index.add(route);
    }

    /** All durable state as bytes; equal states give equal bytes, so they serve as the state's hash too. */
    byte[] snapshot() {
        Out out = new Out(64 * 1024);
        out.varint(SNAPSHOT_FORMAT);
        out.varint(epoch).varint(lastLsn).varint(lastNow);
        sessions.snapshot(out);
        positions.snapshot(out);
        letters.snapshot(out);
        subscriptions.snapshot(out);
        tasks.snapshot(out);
        out.varint(published.size());
        published.forEach((tenant, count) -> out.string(tenant).varint(count[0]));
        positions.snapshotDeparted(out);
        positions.snapshotGaps(out);
        out.varint(trimmedLsn);
        dimensions.snapshotOthers(out);
        return out.toByteArray();
    }

    /** Takes the state of a snapshot; only on a fresh object. */
    void restore(byte[] bytes) {
        In in = new In(bytes);
        long format = in.varint();
        if (format > SNAPSHOT_FORMAT || format < ONE_TENANT_FORMAT) {
            throw new IllegalArgumentException("snapshot format " + format);
        }
        epoch = in.varint();
        lastLsn = in.varint();
        lastNow = in.varint();
        sessions.restore(in);
        positions.restore(in);
        letters.restore(in);
        subscriptions.restore(in);
        tasks.restore(in);
        if (format == ONE_TENANT_FORMAT) {
            published.put(Caller.DEFAULT_TENANT, new long[] {in.varint()});
            positions.restoreDeparted(Caller.DEFAULT_TENANT, in);
        } else {
            for (long n = in.varint(); n > 0; n--) {
                published.put(in.string(), new long[] {in.varint()});
            }
            positions.restoreDeparted(in);
            positions.restoreGaps(in);
            trimmedLsn = in.varint();
        }
        if (format > TASKS_ONLY_FORMAT) {
            dimensions.restoreOthers(in);
        }
        times.mark(lastLsn, lastNow * NANOS_PER_MILLI);
        subscriptions.all().forEach(this::addRoute);
    }
}
