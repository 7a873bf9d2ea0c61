package dev.harmovela.dimension.recovery;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.dimension.recovery.RecoveryFact.Failing;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far one subscription has come: a floor below which all is settled, what is settled above it, and the few that
 * fail (§6). This is all a slow or absent consumer costs. Moved by {@link Positions#apply} only.
 */
public final class Position {

    private final String subscription;
    private final RangeSet settled = new RangeSet();
    private final RangeSet skipped = new RangeSet();
    private final TreeMap<Long, Failing> failing = new TreeMap<>();
    private final long[] ended = new long[Outcome.values().length];
    private long startLsn;
    private long floorLsn;
    private long floorSeq;
    private long matched;
    private long redelivered;
    private long gapFrom;
    private long gapTo;
    private long gapSeq;
    private String gapReason = "";

    Position(String subscription, long startLsn) {
        this.subscription = subscription;
        this.startLsn = startLsn;
        this.floorLsn = startLsn;
    }

    public String subscription() {
        return subscription;
    }

    /** Nothing at or before this belongs to the subscription. */
    public long startLsn() {
        return startLsn;
    }

    /** Everything that matches up to here is settled. */
    public long floorLsn() {
        return floorLsn;
    }

    /** Sequence of the last match at or before the floor. */
    public long floorSeq() {
        return floorSeq;
    }

    /** Stored events that matched since the start, and of those before it what has ended already. */
    public long matched() {
        return matched + Math.max(0, -balance());
    }

    /** Failures that led to another attempt. */
    public long redelivered() {
        return redelivered;
    }

    /** Settled sequences above the floor. */
    public long settledAboveFloor() {
        return settled.size();
    }

    /** How many deliveries ended like this. */
    public long ended(Outcome outcome) {
        return ended[outcome.ordinal()];
    }

    /** Matches that are neither settled nor given up. */
    public long pending() {
        return Math.max(0, balance());
    }

    /** Matches less what has ended; negative while history from before the subscription is being read. */
    public long balance() {
        long rest = matched;
        for (long count : ended) {
            rest -= count;
        }
        return rest;
    }

    /** Highest sequence that the log knows of: settled or failing. */
    public long lastSequence() {
        long last = Math.max(floorSeq, failing.isEmpty() ? 0 : failing.lastKey());
        return settled.isEmpty() ? last : Math.max(last, settled.to(settled.ranges() - 1));
    }

    /** First position of the newest loss that the consumer may not have heard of, 0 when there is none. */
    public long gapFrom() {
        return gapFrom;
    }

    /** Last position of that loss, 0 when there is none. */
    public long gapTo() {
        return gapTo;
    }

    /** Why it was lost, empty when there is none. */
    public String gapReason() {
        return gapReason;
    }

    public boolean isSettled(long seq) {
        return seq <= floorSeq || settled.contains(seq);
    }

    public boolean isSkipped(long lsn) {
        return skipped.contains(lsn);
    }

    /** Deliveries between two attempts by sequence; a read-only view. */
    public SortedMap<Long, Failing> failing() {
        return Collections.unmodifiableSortedMap(failing);
    }

    /** Whether a delivery is between two attempts. */
    public boolean isFailing(long seq) {
        return !failing.isEmpty() && failing.containsKey(seq);
    }

    /** How many deliveries are between two attempts. */
    public int failingCount() {
        return failing.size();
    }

    /** Counts one stored match; derived from the events of the log, not from a fact. */
    public void countMatch() {
        matched++;
    }

    void settle(RecoveryFact.Settled fact) {
        long fresh = 0;
        for (int i = 0; i < fact.ranges().length; i += 2) {
            long from = Math.max(fact.ranges()[i], floorSeq + 1);
            long to = fact.ranges()[i + 1];
            if (from <= to) {
                fresh += settled.add(from, to);
                failing.subMap(from, true, to, true).clear();
            }
        }
        ended[fact.outcome().ordinal()] += fresh;
        raiseFloor(fact.floorLsn(), fact.floorSeq());
    }

    void fail(long seq, Failing next) {
        failing.put(seq, next);
        redelivered++;
    }

    void skip(long lsn, Outcome outcome) {
        if (lsn > floorLsn && skipped.add(lsn)) {
            ended[outcome.ordinal()]++;
        }
    }

    void gap(RecoveryFact.Gap fact) {
        long lost = fact.floorSeq() - floorSeq - settled.sizeUpTo(fact.floorSeq());
        ended[Outcome.DISCARDED.ordinal()] += Math.max(0, lost);
        failing.headMap(fact.floorSeq(), true).clear();
        long from = gapFrom > 0 ? gapFrom : fact.fromLsn();
        raiseFloor(fact.toLsn(), fact.floorSeq());
        restoreGap(from, fact.toLsn(), Math.max(fact.floorSeq(), fact.handedSeq()), fact.reason());
    }

    /** Keeps a loss until something handed out after it is settled: only then the consumer has heard of it for sure. */
    private void restoreGap(long from, long to, long seq, String reason) {
        gapFrom = from;
        gapTo = to;
        gapSeq = seq;
        gapReason = reason;
    }

    void balance(long history, long lost) {
        matched += history;
        ended[Outcome.DISCARDED.ordinal()] += lost;
    }

    /** The subscription ends: what is still open ends like this. */
    void end(Outcome rest) {
        ended[rest.ordinal()] += pending();
    }

    void move(long lsn) {
        startLsn = lsn;
        floorLsn = lsn;
        settled.clear();
        skipped.clear();
        failing.clear();
        matched = 0;
        Arrays.fill(ended, 0);
        restoreGap(0, 0, 0, "");
    }

    private void raiseFloor(long lsn, long seq) {
        floorLsn = Math.max(floorLsn, lsn);
        floorSeq = Math.max(floorSeq, seq);
        settled.removeUpTo(floorSeq);
        skipped.removeUpTo(floorLsn);
        if (gapFrom > 0 && floorSeq > gapSeq) {
            restoreGap(0, 0, 0, "");
        }
    }

    void write(Out out) {
        out.string(subscription);
        out.varint(startLsn);
        out.varint(floorLsn);
        out.varint(floorSeq);
        out.varint(matched);
        out.varint(redelivered);
        for (long count : ended) {
            out.varint(count);
        }
        writeRanges(out, settled);
        writeRanges(out, skipped);
        out.varint(failing.size());
        failing.forEach((seq, one) -> {
            out.varint(seq);
            one.write(out);
        });
    }

    static Position read(In in) {
        Position position = new Position(in.string(), in.varint());
        position.floorLsn = in.varint();
        position.floorSeq = in.varint();
        position.matched = in.varint();
        position.redelivered = in.varint();
        for (int i = 0; i < position.ended.length; i++) {
            position.ended[i] = in.varint();
        }
        readRanges(in, position.settled);
        readRanges(in, position.skipped);
        for (long n = in.varint(); n > 0; n--) {
            position.failing.put(in.varint(), Failing.read(in));
        }
        return position;
    }

    void writeGap(Out out) {
        out.varint(gapFrom);
        out.varint(gapTo);
        out.varint(gapSeq);
        out.string(gapReason);
    }

    void readGap(In in) {
        restoreGap(in.varint(), in.varint(), in.varint(), in.string());
    }

    private static void writeRanges(Out out, RangeSet ranges) {
        out.varint(ranges.ranges());
        for (int i = 0; i < ranges.ranges(); i++) {
            out.varint(ranges.from(i));
            out.varint(ranges.to(i));
        }
    }

    private static void readRanges(In in, RangeSet ranges) {
        for (long n = in.varint(); n > 0; n--) {
            ranges.add(in.varint(), in.varint());
        }
    }
}
