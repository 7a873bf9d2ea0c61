package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.delivery.Allowance;
import dev.harmovela.harness.delivery.Deliveries;
import dev.harmovela.harness.delivery.Delivery;
import dev.harmovela.harness.delivery.Departure;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.delivery.Outlet;
import dev.harmovela.harness.frame.Ring;
import dev.harmovela.harness.routing.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The shard's services for its feeds: reading the log, sending copies, recording facts, dead letters. */
final class DeliveryDesk implements Deliveries {

    private final Shard shard;
    private final LogReader reader;
    private final Map<String, Allowance> allowances = new HashMap<>();

    DeliveryDesk(Shard shard) {
        this.shard = shard;
        this.reader = new LogReader(shard);
    }

    @Override
    public long now() {
        return shard.now();
    }

    @Override
    public double chance() {
        return shard.hub.ids().fraction();
    }

    @Override
    public long headLsn() {
        return shard.journal.lastLsn();
    }

    @Override
    public long firstLsn() {
        return shard.journal.firstLsn();
    }

    @Override
    public Ring ring() {
        return shard.ring;
    }

    @Override
    public long windowBytes() {
        return shard.config.bounds().windowBytes();
    }

    @Override
    public Allowance allowance(String tenant) {
        return allowances.computeIfAbsent(tenant, name -> {
            Allowance made = new Allowance(() -> shard.later(() -> pump(name)));
            limit(name, made);
            return made;
        });
    }

    private void pump(String tenant) {
        for (Feed feed : List.copyOf(shard.feeds.values())) {
            if (feed.route().subscription().tenant().equals(tenant)) {
                feed.pump();
            }
        }
    }

    /** Limits of tenants have changed. */
    void limitsChanged() {
        allowances.forEach(this::limit);
    }

    private void limit(String tenant, Allowance allowance) {
        if (shard.kind == Shard.Kind.NETWORK) {
            TenantPolicy.Limits limits = shard.hub.callers().quotas().of(tenant).limits();
            allowance.limit(limits.inFlight(), limits.inFlightBytes());
        }
    }

    @Override
    public void record(RecoveryFact fact) {
        Feed feed = shard.feeds.get(fact.subscription());
        shard.record(feed == null ? "" : feed.route().subscription().tenant(), fact);
    }

    @Override
    public void acknowledged(Feed feed, long seq, long lsn) {
        if (lsn <= 0) {
            return;
        }
        long stored = shard.state.times.at(lsn);
        if (stored != Long.MIN_VALUE) {
            shard.latencies.record(feed, shard.hub.nanos() - stored);
        }
        if (shard.tracking.wanted()) {
            shard.tracking.acknowledged(feed, seq, lsn);
        }
    }

    @Override
    public void send(Outlet outlet, Delivery delivery, Departure departure) {
        if (shard.tracking.wanted()) {
            shard.tracking.dispatched(delivery);
        }
        switch (outlet) {
            case Conn.SessionOutlet wire -> shard.replies.deliver(wire.conn, delivery, departure);
            case Pulls.Puller puller ->
                shard.later(() -> {
                    departure.left(shard.now());
                    puller.take(delivery);
                    shard.replies.handedOver(delivery);
                });
            default -> throw new IllegalStateException("unknown outlet " + outlet);
        }
    }

    @Override
    public void announceRedelivery(Outlet outlet, Delivery delivery) {
        Event notice = shard.replies
                .draft("event.redelivered")
                .sessionId(outlet.holder())
                .causationId(delivery.event().id())
                .payload(Json.Obj.builder()
                        .put("original_event_id", delivery.event().id())
                        .put("subscription_id", delivery.subscription())
                        .put("attempt", delivery.attempt())
                        .build())
                .member("traceparent", delivery.event().member("traceparent"))
                .build();
        tell(outlet, notice);
    }

    @Override
    public void announceReplayed(Outlet outlet, String subscription, long fromLsn, long toLsn, long events) {
        Event notice = shard.replies
                .draft("event.replayed")
                .sessionId(outlet.holder())
                .payload(Json.Obj.builder()
                        .put("subscription_id", subscription)
                        .put("from_cursor", shard.replies.cursor(fromLsn))
                        .put("to_cursor", shard.replies.cursor(toLsn))
                        .put("events_replayed", events)
                        .build())
                .build();
        tell(outlet, notice);
    }

    private void tell(Outlet outlet, Event notice) {
        if (outlet instanceof Conn.SessionOutlet wire) {
            shard.replies.tell(wire.conn, notice);
        }
    }

    @Override
    public void read(Route route, long afterLsn, int limit, Consumer<Chunk> done) {
        reader.read(route, afterLsn, limit, done);
    }

    @Override
    public void fetch(long lsn, Consumer<@Nullable Event> done) {
        if (shard.ring.holds(lsn)) {
            done.accept(shard.ring.at(lsn));
        } else {
            reader.fetch(lsn, done);
        }
    }

    /** A task that ended before its assignment was handed out is never dispatched (TSK-01). */
    @Override
    public boolean withdrawn(Route route, Event event) {
        String taskId = event.taskId();
        return taskId != null
                && route.subscription().kind() == Subscription.Kind.INBOX
                && event.type().name().equals("task.submitted")
                && shard.state.tasks.isEnded(route.subscription().tenant(), taskId);
    }

    @Override
    public void giveUp(Feed feed, long seq, Event event, RecoveryFact.Failing last, String principal) {
        shard.letters.giveUp(feed, seq, event, last, principal);
    }

    @Override
    public void settlesWaiting(Feed feed) {
        shard.settlesWaiting(feed);
    }

    @Override
    public void wake(Feed feed, long at) {
        shard.timers.at(at, () -> {
            if (shard.feeds.get(feed.id()) == feed) {
                feed.tick();
            }
        });
    }
}
