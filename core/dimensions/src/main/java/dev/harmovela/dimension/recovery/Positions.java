package dev.harmovela.dimension.recovery;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Every subscription's position: the durable half of delivery. One owner, not thread-safe. */
public final class Positions {

    private final TreeMap<String, Position> bySubscription = new TreeMap<>();
    private final TreeMap<String, Departed> departed = new TreeMap<>();

    public @Nullable Position find(String subscription) {
        return bySubscription.get(subscription);
    }

    /** All positions, ordered by subscription id. */
    public Collection<Position> all() {
        return bySubscription.values();
    }

    /** What became of the deliveries of subscriptions that are gone, by their tenants. */
    public Map<String, Departed> departed() {
        return Collections.unmodifiableMap(departed);
    }

    /** The only place where positions move; facts about an ended subscription are ignored. */
    public void apply(RecoveryFact fact) {
        if (fact instanceof RecoveryFact.Started started) {
            bySubscription.put(started.subscription(), new Position(started.subscription(), started.startLsn()));
            return;
        }
        Position position = bySubscription.get(fact.subscription());
        if (position == null) {
            return;
        }
        switch (fact) {
            case RecoveryFact.Started _ -> throw new IllegalStateException("handled above");
            case RecoveryFact.Ended _ -> end(fact.subscription(), "", Outcome.DISCARDED);
            case RecoveryFact.Settled settled -> position.settle(settled);
            case RecoveryFact.Failed failed -> position.fail(failed.seq(), failed.failing());
            case RecoveryFact.Skipped skipped -> position.skip(skipped.lsn(), skipped.outcome());
            case RecoveryFact.Gap gap -> position.gap(gap);
            case RecoveryFact.Moved moved -> position.move(moved.lsn());
            case RecoveryFact.Balanced balanced -> position.balance(balanced.history(), balanced.lost());
        }
    }

    /** A subscription ends: what it had not settled ends with {@code rest}, and its counts are kept (D27, D33). */
    public void end(String subscription, String tenant, Outcome rest) {
        Position position = bySubscription.remove(subscription);
        if (position != null) {
            position.end(rest);
            departed.computeIfAbsent(tenant, _ -> new Departed()).add(position);
        }
    }

    /** Writes the section of a snapshot; equal states write equal bytes. */
    public void snapshot(Out out) {
        out.varint(bySubscription.size());
        bySubscription.values().forEach(position -> position.write(out));
    }

    /** Writes the section of those that are gone. */
    public void snapshotDeparted(Out out) {
        out.varint(departed.size());
        departed.forEach((tenant, counts) -> {
            out.string(tenant);
            counts.write(out);
        });
    }

    public void restoreDeparted(In in) {
        departed.clear();
        for (long n = in.varint(); n > 0; n--) {
            restoreDeparted(in.string(), in);
        }
    }

    /** Reads the section of a snapshot that knew one tenant only. */
    public void restoreDeparted(String tenant, In in) {
        Departed counts = new Departed();
        counts.read(in);
        departed.put(tenant, counts);
    }

    /** Writes the section of losses that consumers may not have heard of. */
    public void snapshotGaps(Out out) {
        List<Position> untold = bySubscription.values().stream()
                .filter(position -> position.gapFrom() > 0)
                .toList();
        out.varint(untold.size());
        for (Position position : untold) {
            out.string(position.subscription());
            position.writeGap(out);
        }
    }

    /** Reads what {@link #snapshotGaps} wrote; the positions must be there already. */
    public void restoreGaps(In in) {
        for (long n = in.varint(); n > 0; n--) {
            Objects.requireNonNull(bySubscription.get(in.string())).readGap(in);
        }
    }

    public void restore(In in) {
        bySubscription.clear();
        for (long n = in.varint(); n > 0; n--) {
            Position position = Position.read(in);
            bySubscription.put(position.subscription(), position);
        }
    }
}
