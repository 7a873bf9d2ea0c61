package dev.harmovela.harness;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.recovery.Departed;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.harness.delivery.Feed;

/**
 * What became of deliveries, summed up (D33). One delivery is one event for one subscription; best effort is not
 * counted, and the total is always the sum of what ended and what is pending.
 */
final class Counts {

    private final long[] ended = new long[Outcome.values().length];
    private long pending;
    private long inFlight;
    private long redelivered;
    private long sequences;
    private long acknowledgedLsn;

    /** The counts of one subscription. */
    static Counts of(Feed feed) {
        Counts counts = new Counts();
        counts.add(feed);
        return counts;
    }

    void add(Feed feed) {
        if (feed.route().subscription().mode() == DeliveryMode.BEST_EFFORT) {
            return;
        }
        Position position = feed.route().position();
        for (Outcome outcome : Outcome.values()) {
            ended[outcome.ordinal()] += position.ended(outcome);
        }
        // matches from before the subscription began are counted only once they have all been read
        pending += Math.max(position.pending(), feed.inFlight());
        inFlight += feed.inFlight();
        redelivered += position.redelivered();
        sequences += Math.max(position.lastSequence(), feed.lastSequence());
        if (position.ended(Outcome.ACKNOWLEDGED) > 0) {
            acknowledgedLsn = Math.max(acknowledgedLsn, position.floorLsn());
        }
    }

    void add(Departed departed) {
        for (Outcome outcome : Outcome.values()) {
            ended[outcome.ordinal()] += departed.ended(outcome);
        }
        redelivered += departed.redelivered();
        sequences += departed.sequences();
        acknowledgedLsn = Math.max(acknowledgedLsn, departed.acknowledgedLsn());
    }

    long ended(Outcome outcome) {
        return ended[outcome.ordinal()];
    }

    long pending() {
        return pending;
    }

    long inFlight() {
        return inFlight;
    }

    long redelivered() {
        return redelivered;
    }

    /** Sequence numbers given so far. */
    long sequences() {
        return sequences;
    }

    /** Highest position below which a subscription has settled everything, 0 before the first acknowledgement. */
    long acknowledgedLsn() {
        return acknowledgedLsn;
    }

    long total() {
        long sum = pending;
        for (long count : ended) {
            sum += count;
        }
        return sum;
    }

    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("total", total())
                .put("pending", pending)
                .put("in_flight", inFlight)
                .put("acknowledged", ended(Outcome.ACKNOWLEDGED))
                .put("deadLettered", ended(Outcome.DEAD_LETTERED))
                .put("expired", ended(Outcome.EXPIRED))
                .put("discarded", ended(Outcome.DISCARDED))
                .put("redelivered", redelivered)
                .build();
    }
}
