package dev.harmovela.harness;

import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.harness.delivery.Feed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lets old history go, in the order that keeps every promise: past retention, below every floor or given up with a
 * gap that is told, behind two snapshots; only then files are deleted.
 */
final class Retaining {

    private static final long MARK_EVERY = 4096;
    private static final int CARRIED_AT_ONCE = 1000;

    private final Shard shard;
    private final TreeMap<Long, Long> timeByLsn = new TreeMap<>();

    Retaining(Shard shard) {
        this.shard = shard;
    }

    /** Notes now and then which position was reached when. */
    void mark() {
        long lsn = shard.journal.lastLsn();
        if (timeByLsn.isEmpty() || lsn - timeByLsn.lastKey() >= MARK_EVERY) {
            timeByLsn.put(lsn, shard.now());
        }
    }

    /** Deals with subscriptions that fell further behind than they wanted. */
    void enforceLag() {
        for (Feed feed : List.copyOf(shard.feeds.values())) {
            LagPolicy policy = LagPolicy.of(feed.route().subscription());
            Position position = feed.route().position();
            if (policy != null && position.pending() > 0 && isBehind(policy, position)) {
                switch (policy.action()) {
                    case END -> shard.subscriptions.end(feed.route().subscription(), "lag");
                    case PARK -> feed.pause(Feed.PARKED);
                    case GAP -> feed.losses().loseUpTo(firstKept(policy) - 1, "lag");
                }
            }
        }
    }

    private boolean isBehind(LagPolicy policy, Position position) {
        Map.Entry<Long, Long> next = timeByLsn.higherEntry(position.floorLsn());
        boolean tooOld = next != null && next.getValue() < shard.now() - policy.maxAgeMillis();
        return position.pending() > policy.maxEvents() || tooOld;
    }

    /** First position that is within both bounds of a policy. */
    private long firstKept(LagPolicy policy) {
        long last = shard.journal.lastLsn();
        long kept = policy.maxEvents() == Long.MAX_VALUE ? 1 : last - policy.maxEvents() + 1;
        if (policy.maxAgeMillis() != Long.MAX_VALUE) {
            for (Map.Entry<Long, Long> entry : timeByLsn.entrySet()) {
                if (entry.getValue() < shard.now() - policy.maxAgeMillis()) {
                    kept = Math.max(kept, entry.getKey());
                }
            }
        }
        return Math.max(1, kept);
    }

    /** Trims what may go now; called after a snapshot was stored. */
    void trim() {
        long wanted = beyond(shard.config.bounds().retention());
        long forced = beyond(shard.config.bounds().lag());
        long floor = Long.MAX_VALUE;
        for (Feed feed : List.copyOf(shard.feeds.values())) {
            floor = Math.min(floor, settleUpTo(feed, wanted, forced));
        }
        shard.letters.carry(wanted, CARRIED_AT_ONCE);
        long target = Math.min(wanted, Math.min(floor, shard.letters.floorLsn()));
        long oldestSnapshot;
        try {
            oldestSnapshot = shard.journal.snapshots().oldestKeptLsn();
        } catch (IOException e) {
            shard.hub.readFailed(e);
            return;
        }
        long upTo = Math.min(target, oldestSnapshot);
        if (upTo <= shard.journal.firstLsn()) {
            return;
        }
        shard.batchEnd();
        shard.later(() -> shard.hub.reading().execute(() -> delete(upTo)));
    }

    private void delete(long upTo) {
        try {
            shard.journal.trim(upTo);
        } catch (IOException e) {
            shard.hub.onOwner(() -> shard.hub.readFailed(e));
        }
    }

    /** First position that a bound still keeps. */
    private long beyond(HubConfig.Retention bound) {
        long first = shard.journal.firstLsn();
        long last = shard.journal.lastLsn();
        long byCount = last - bound.events() + 1;
        long held = Math.max(1, last - first + 1);
        double bytesEach = (double) shard.journal.sizeBytes() / held;
        long byBytes = last - (long) (bound.bytes() / Math.max(1, bytesEach)) + 1;
        Map.Entry<Long, Long> old = null;
        for (Map.Entry<Long, Long> entry : timeByLsn.entrySet()) {
            if (entry.getValue() >= shard.now() - bound.millis()) {
                break;
            }
            old = entry;
        }
        long byAge = old == null ? first : old.getKey();
        timeByLsn.headMap(byAge, false).clear();
        return Math.max(first, Math.max(byAge, Math.max(byCount, byBytes)));
    }

    /** Moves a position out of the way of {@code wanted}; returns the first position it still needs. */
    private long settleUpTo(Feed feed, long wanted, long forced) {
        Position position = feed.route().position();
        if (position.floorLsn() + 1 >= wanted) {
            return position.floorLsn() + 1;
        }
        long floor = feed.settling().floorLsn();
        if (floor > position.floorLsn() && feed.isLive()) {
            feed.settling().flush();
            feed.settling().advance();
        }
        if (position.floorLsn() + 1 < forced) {
            feed.losses().loseUpTo(forced - 1, "lag");
        }
        return position.floorLsn() + 1;
    }
}
