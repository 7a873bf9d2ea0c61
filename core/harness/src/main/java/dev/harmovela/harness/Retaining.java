package dev.harmovela.harness;

import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.Trimmed;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets old history go, in the order that keeps every promise: past retention, below every floor or given up with a
 * gap that is told, behind two snapshots; only then files are deleted.
 */
final class Retaining implements Carrying.Done {

    private final Shard shard;
    private final Snapshots snapshots;
    private final Carrying carrying;
    private @Nullable Edges run;
    /** Parked and not within their bounds since. */
    private final Set<Feed> parked = new HashSet<>();

    private boolean carriesNow;
    /** Where the run before began to store bodies again. */
    private long carriedFrom = Long.MAX_VALUE;
    /** A snapshot has to lie at or behind this position before anything is deleted. */
    private long coveredBy;

    Retaining(Shard shard, Snapshots snapshots) {
        this.shard = shard;
        this.snapshots = snapshots;
        this.carrying = new Carrying(shard);
    }

    /** Deals with subscriptions that fell further behind than they wanted. */
    void enforceLag() {
        parked.retainAll(shard.feeds.values());
        for (Feed feed : List.copyOf(shard.feeds.values())) {
            LagPolicy policy = LagPolicy.of(feed.route().subscription());
            LagPolicy.Bound exceeded = policy == null ? null : policy.exceeded(behind(shard, feed));
            if (policy != null && exceeded != null) {
                enforce(feed, policy, exceeded);
            } else {
                parked.remove(feed);
            }
        }
    }

    private void enforce(Feed feed, LagPolicy policy, LagPolicy.Bound exceeded) {
        switch (policy.action()) {
            case END -> {
                shard.tally.lagged(policy.action());
                shard.subscriptions.end(feed.route().subscription(), exceeded.reason());
            }
            case PARK -> {
                if (!Feed.PARKED.equals(feed.stalled()) && !catchesUp(feed)) {
                    parked.add(feed);
                    shard.tally.lagged(policy.action());
                    feed.pause(Feed.PARKED);
                }
            }
            case GAP -> {
                if (!feed.losses().isCounting()) {
                    shard.tally.lagged(policy.action());
                    lose(feed, policy, exceeded);
                }
            }
        }
    }

    /** A consumer that came back to a parked subscription is given the time to get within its bounds. */
    private boolean catchesUp(Feed feed) {
        return parked.contains(feed) && !Feed.DETACHED.equals(feed.stalled());
    }

    /** How far a subscription lies behind: nothing at all when nothing waits for it. */
    static LagPolicy.Behind behind(Shard shard, Feed feed) {
        Position position = feed.route().position();
        if (position.pending() == 0) {
            return LagPolicy.Behind.NOTHING;
        }
        long floor = Math.max(position.floorLsn(), feed.settling().floorLsn());
        return new LagPolicy.Behind(
                position.pending(), shard.marks.bytesBehind(floor), shard.marks.ageBehind(floor, shard.now()));
    }

    private void lose(Feed feed, LagPolicy policy, LagPolicy.Bound exceeded) {
        long now = shard.now();
        switch (exceeded) {
            case EVENTS ->
                feed.losses().loseOldest(feed.route().position().pending() - policy.maxEvents(), exceeded.reason());
            case BYTES -> feed.losses().loseUpTo(shard.marks.keepsBytes(policy.maxBytes()) - 1, exceeded.reason());
            case AGE -> feed.losses().loseUpTo(shard.marks.lastBefore(now - policy.maxAgeMillis()), exceeded.reason());
        }
    }

    /** What one run lets go: all before {@code wanted}, and of those who lag all before {@code forced}. */
    private record Edges(long wanted, long forced, long begunAt) {}

    /**
     * Goes on to let history go; called after a snapshot was stored. Each call does the first step that is not done
     * yet, and every step may be repeated after a crash: bodies that are still needed are stored again, positions
     * move out of the way, a snapshot is taken behind all that, the trimming is made durable, files are deleted.
     */
    void trim() {
        if (carriesNow) {
            return;
        }
        Edges edges = run == null ? edges() : run;
        run = edges;
        if (edges.wanted() <= shard.journal.firstLsn()) {
            run = null;
        } else if (carrying.carry(edges.wanted(), edges.forced(), this)) {
            carriesNow = true;
        } else {
            letGo(edges);
        }
    }

    private Edges edges() {
        long wanted = Math.min(beyond(shard.config.bounds().retention()), shard.journal.durableLsn());
        long forced = beyond(shard.config.bounds().lag());
        Edges edges = new Edges(Math.min(wanted, carriedFrom), forced, shard.journal.lastLsn() + 1);
        carriedFrom = Long.MAX_VALUE;
        return edges;
    }

    /** What was stored again in one run is not stored again in the next: bodies alone never keep the log busy. */
    @Override
    public void carried() {
        carriesNow = false;
        carriedFrom = run == null ? Long.MAX_VALUE : run.begunAt();
        coveredBy = shard.tag();
        shard.batchEnd();
        shard.later(this::trim);
    }

    @Override
    public void failed(IOException cause) {
        carriesNow = false;
        run = null;
        shard.hub.readFailed(cause);
    }

    private void letGo(Edges edges) {
        long floor = carrying.floorLsn();
        for (Feed feed : List.copyOf(shard.feeds.values())) {
            floor = Math.min(floor, settleUpTo(feed, edges.wanted(), edges.forced()));
        }
        long target = Math.min(edges.wanted(), floor);
        if (target > shard.journal.firstLsn() && snapshots.storedLsn() < coveredBy) {
            shard.batchEnd();
            shard.later(() -> snapshots.takeUnlessRunning(this::trim));
            return;
        }
        run = null;
        try {
            long upTo = Math.min(target, shard.journal.snapshots().oldestKeptLsn());
            if (upTo > shard.journal.firstLsn()) {
                shard.record("", new Trimmed(upTo));
                shard.marks.forget(upTo);
                shard.batchEnd();
                shard.later(this::delete);
            }
        } catch (IOException e) {
            shard.hub.readFailed(e);
        }
    }

    /** Deletes what was let go, also what an earlier run of the hub did not come to. */
    void delete() {
        long upTo = shard.state.trimmedLsn();
        if (upTo > shard.journal.firstLsn()) {
            long now = shard.now();
            shard.hub.reading().execute(() -> delete(upTo, now));
        }
    }

    private void delete(long upTo, long now) {
        try {
            shard.journal.trim(upTo);
            HubConfig.Kept kept = shard.config.bounds().audit();
            long from = shard.journal.firstAuditLsn();
            long young = LogTimes.firstSince(shard, from, shard.journal.firstLsn(), now - kept.millis());
            shard.journal.trimAudit(young, kept.bytes());
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
        long byAge = Math.max(first, shard.marks.lastBefore(shard.now() - bound.millis()));
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
            coveredBy = shard.tag();
        }
        return position.floorLsn() + 1;
    }
}
