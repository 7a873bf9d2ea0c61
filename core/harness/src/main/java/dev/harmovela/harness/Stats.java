package dev.harmovela.harness;

import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.recovery.Departed;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.harness.HubFigures.Reading;
import dev.harmovela.harness.delivery.Feed;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The statistics of delivery: of the hub, of one subscription (D33), and as plain figures. */
final class Stats {

    private final Shard shard;

    Stats(Shard shard) {
        this.shard = shard;
    }

    /** Everything of a tenant together; settlements that wait for their batch must have been flushed. */
    Json.Obj tenant(String tenant) {
        if (shard.tracker != null) {
            return shard.tracker.stats();
        }
        Counts counts = new Counts();
        for (Feed feed : shard.feeds.values()) {
            if (feed.route().subscription().tenant().equals(tenant)) {
                counts.add(feed);
            }
        }
        Departed gone = shard.state.positions.departed().get(tenant);
        if (gone != null) {
            counts.add(gone);
        }
        return of(Json.Obj.builder(), shard.state.published(tenant), counts, shard.latencies.tenantJson(tenant))
                .build();
    }

    /** Adds the figures of one subscription to what is told about it. */
    Json.Builder describe(Json.Builder row, Feed feed) {
        Counts counts = Counts.of(feed);
        return of(row, counts.total(), counts, shard.latencies.json(feed));
    }

    private Json.Builder of(Json.Builder into, long published, Counts counts, Json.Obj latency) {
        long acknowledged = counts.acknowledgedLsn();
        return into.put("events_published", published)
                .put("deliveries", counts.toJson())
                .put("totalSequences", counts.sequences())
                .put("lastAckCursor", acknowledged > 0 ? Json.of(shard.replies.cursor(acknowledged)) : Json.Null.NULL)
                .put("latency_ms", latency);
    }

    private Counts counts() {
        Counts counts = new Counts();
        shard.feeds.values().forEach(counts::add);
        shard.state.positions.departed().values().forEach(counts::add);
        return counts;
    }

    HubFigures figures(int spaces) {
        Counts counts = counts();
        HubFigures.Deliveries deliveries = new HubFigures.Deliveries(
                counts.pending(),
                counts.inFlight(),
                counts.ended(Outcome.ACKNOWLEDGED),
                counts.ended(Outcome.DEAD_LETTERED),
                counts.ended(Outcome.EXPIRED),
                counts.ended(Outcome.DISCARDED),
                counts.redelivered());
        return new HubFigures(
                shard.state.published(),
                shard.tally.bestEffort(),
                deliveries,
                shard.latencies.hub(),
                shard.tally.refusals(),
                shard.tally.gaps(),
                shard.tally.lagged(),
                shard.tally.sessionTimeouts(),
                new HubFigures.Population(
                        sessions(), subscriptions(), connections(), shard.state.letters.count(), spaces),
                log());
    }

    private Map<Boolean, Long> sessions() {
        Map<Boolean, Long> byAttached = new HashMap<>(Map.of(true, 0L, false, 0L));
        for (SessionHandle handle : shard.handles.values()) {
            byAttached.merge(handle.isAttached(), 1L, Long::sum);
        }
        return byAttached;
    }

    private Map<Reading, Long> subscriptions() {
        Map<Reading, Long> byReading = new EnumMap<>(Reading.class);
        for (Reading reading : Reading.values()) {
            byReading.put(reading, 0L);
        }
        for (Feed feed : shard.feeds.values()) {
            byReading.merge(readingOf(feed), 1L, Long::sum);
        }
        return byReading;
    }

    private static Reading readingOf(Feed feed) {
        String stalled = feed.stalled();
        if (Feed.PARKED.equals(stalled)) {
            return Reading.PARKED;
        }
        if (!feed.isAttached()) {
            return Reading.DETACHED;
        }
        if (feed.isLive()) {
            return Reading.LIVE;
        }
        return stalled == null ? Reading.BEHIND : Reading.STALLED;
    }

    private Map<String, Long> connections() {
        Map<String, Long> byTransport = new TreeMap<>();
        for (Conn conn : shard.conns()) {
            byTransport.merge(conn.info.transport(), 1L, Long::sum);
        }
        return byTransport;
    }

    private HubFigures.Log log() {
        return new HubFigures.Log(
                shard.journal.sizeBytes(),
                shard.journal.lastLsn(),
                shard.journal.durableLsn(),
                shard.journal.firstLsn(),
                shard.outputs.waiting(),
                shard.forces.times());
    }
}
