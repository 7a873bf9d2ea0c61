package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.delivery.Delivery;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.delivery.Outlet;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Hub.Pulled;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries to callers of the HTTP API: long polls, and streams of one subscription (D34).
 *
 * <p>What a poll handed out stays in flight after the answer, until the caller acknowledges it or its time runs out.
 */
final class Pulls {

    private final Shard shard;
    private final Map<Puller, Feed> open = new LinkedHashMap<>();
    private final Map<Conn, Streaming> streams = new LinkedHashMap<>();

    Pulls(Shard shard) {
        this.shard = shard;
    }

    private record Streaming(Feed feed, Conn.SessionOutlet outlet) {}

    /** Name under which a caller without a session holds subscriptions. */
    static String owner(Caller caller) {
        return caller.identity() == null ? "agent:api" : caller.identity();
    }

    /** Whether a caller may use a subscription: its own, its inbox, or one of a session of its identity. */
    boolean owns(Caller caller, Subscription subscription) {
        if (!subscription.tenant().equals(caller.tenant())) {
            return false;
        }
        if (caller.trust() != Caller.Trust.VERIFIED || subscription.owner().equals(owner(caller))) {
            return true;
        }
        return switch (subscription.kind()) {
            case GROUP -> Policy.covers(rights(caller), subscription);
            case INBOX, API -> Policy.speaksFor(caller, subscription.owner());
            case SESSION -> {
                Session session = shard.state.sessions.live(subscription.owner());
                yield session != null && Policy.owns(caller, session);
            }
        };
    }

    /** Whether a caller may know of a subscription: its own, or any of the tenant by right. */
    boolean sees(Caller caller, Subscription subscription) {
        return owns(caller, subscription)
                || subscription.tenant().equals(caller.tenant())
                        && rights(caller).holds(Actions.SESSION_READ);
    }

    private Rights rights(Caller caller) {
        return shard.hub.callers().policy().rights(caller);
    }

    private @Nullable Feed find(Caller caller, String subscriptionId) {
        Feed feed = shard.feeds.get(subscriptionId);
        return feed != null && owns(caller, feed.route().subscription()) ? feed : null;
    }

    /** The caller's own subscription may have outlived the right to it. */
    private @Nullable ProtocolError uncovered(Caller caller, Feed feed) {
        Subscription subscription = feed.route().subscription();
        return Policy.covers(rights(caller), subscription)
                ? null
                : Policy.subscribing(SubscriptionFilter.of(subscription.filter()), rights(caller));
    }

    static ProtocolError missing(String subscriptionId) {
        return ProtocolError.because(ErrorCode.SUBSCRIPTION_ERROR, "not_found", "no such subscription")
                .with("subscription_id", subscriptionId);
    }

    void pull(Caller caller, String subscriptionId, int limit, long timeoutMillis, Consumer<Pulled> done) {
        Feed feed = find(caller, subscriptionId);
        if (feed == null) {
            done.accept(new Pulled.Refused(missing(subscriptionId)));
            return;
        }
        ProtocolError uncovered = uncovered(caller, feed);
        if (uncovered != null) {
            done.accept(new Pulled.Refused(uncovered));
            return;
        }
        if (shard.isDraining()) {
            done.accept(new Pulled.Refused(Replies.goingAway()));
            return;
        }
        Puller puller = new Puller(caller, limit, done);
        open.put(puller, feed);
        shard.timers.at(shard.now() + timeoutMillis, () -> finish(puller));
        feed.attach(puller);
    }

    private void finish(Puller puller) {
        Feed feed = open.remove(puller);
        if (feed != null) {
            feed.release(puller);
        }
        puller.complete();
    }

    /** Answers the polls of callers whose credential is none any more, or grants something else. */
    void rejudged(Function<Caller, @Nullable Caller> again) {
        for (Puller puller : List.copyOf(open.keySet())) {
            if (!puller.caller.equals(again.apply(puller.caller))) {
                finish(puller);
            }
        }
    }

    void dropped(Feed feed) {
        List<Puller> waiting = open.entrySet().stream()
                .filter(entry -> entry.getValue() == feed)
                .map(Map.Entry::getKey)
                .toList();
        waiting.forEach(this::finish);
    }

    /** Answers every poll with what it has, and ends the streams: what they hold is acknowledged by other requests. */
    void drain() {
        List.copyOf(open.keySet()).forEach(this::finish);
        for (Conn conn : streams.keySet()) {
            shard.later(() -> conn.close(CloseReason.GOING_AWAY, Shard.DRAINING));
        }
    }

    /** Lets a wire take the deliveries of one subscription; null when the caller has no such subscription. */
    @Nullable ProtocolError stream(Conn conn, String subscriptionId) {
        Feed feed = find(conn.caller(), subscriptionId);
        if (feed == null) {
            return missing(subscriptionId);
        }
        ProtocolError uncovered = uncovered(conn.caller(), feed);
        if (uncovered != null) {
            return uncovered;
        }
        Conn.SessionOutlet outlet = new Conn.SessionOutlet(conn, subscriptionId);
        streams.put(conn, new Streaming(feed, outlet));
        if (!feed.isAttached()) {
            feed.rewind();
        }
        feed.attach(outlet);
        return null;
    }

    /** Whether the stream of a wire, if it has one, may go on. */
    boolean mayGoOn(Conn conn) {
        Streaming streaming = streams.get(conn);
        return streaming == null || uncovered(conn.caller(), streaming.feed()) == null;
    }

    void pump(Conn conn) {
        Streaming streaming = streams.get(conn);
        if (streaming != null) {
            streaming.feed().pump();
        }
    }

    void closed(Conn conn) {
        Streaming streaming = streams.remove(conn);
        if (streaming != null) {
            streaming.feed().release(streaming.outlet());
        }
    }

    /** The outlet of one long poll. */
    final class Puller implements Outlet {
        private final Caller caller;
        private final int limit;
        private final Consumer<Pulled> done;
        private final List<byte[]> events = new ArrayList<>();
        private int reserved;
        private boolean complete;

        Puller(Caller caller, int limit, Consumer<Pulled> done) {
            this.caller = caller;
            this.limit = limit;
            this.done = done;
        }

        @Override
        public boolean hasRoom() {
            return !complete && reserved < limit;
        }

        @Override
        public @Nullable String holder() {
            return null;
        }

        @Override
        public void reserved() {
            reserved++;
        }

        /**
         * Takes one delivery that has left the barrier; the poll is answered when the others that are ready have
         * too.
         */
        void take(Delivery delivery) {
            events.add(shard.replies.delivery(delivery, caller, rights(caller)).toByteArray());
            if (events.size() == 1) {
                shard.hub.afterRelease(() -> finish(this));
            }
        }

        private void complete() {
            if (!complete) {
                complete = true;
                done.accept(new Pulled.Events(
                        events, events.isEmpty() ? null : shard.replies.cursor(shard.journal.durableLsn())));
            }
        }
    }
}
