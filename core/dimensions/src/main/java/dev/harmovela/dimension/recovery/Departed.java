package dev.harmovela.dimension.recovery;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;

/** What became of the deliveries of subscriptions that are gone, so that the sums of a hub never fall (D33). */
public final class Departed {

    private final long[] ended = new long[Outcome.values().length];
    private long redelivered;
    private long sequences;
    private long acknowledgedLsn;

    Departed() {}

    /** How many deliveries ended like this. */
    public long ended(Outcome outcome) {
        return ended[outcome.ordinal()];
    }

    /** Failures that led to another attempt. */
    public long redelivered() {
        return redelivered;
    }

    /** Sequence numbers that were given. */
    public long sequences() {
        return sequences;
    }

    /** Highest floor of a subscription that had acknowledged something, 0 for none. */
    public long acknowledgedLsn() {
        return acknowledgedLsn;
    }

    void add(Position position) {
        for (Outcome outcome : Outcome.values()) {
            ended[outcome.ordinal()] += position.ended(outcome);
        }
        redelivered += position.redelivered();
        sequences += position.lastSequence();
        if (position.ended(Outcome.ACKNOWLEDGED) > 0) {
            acknowledgedLsn = Math.max(acknowledgedLsn, position.floorLsn());
        }
    }

    void write(Out out) {
        for (long count : ended) {
            out.varint(count);
        }
        out.varint(redelivered).varint(sequences).varint(acknowledgedLsn);
    }

    void read(In in) {
        for (int i = 0; i < ended.length; i++) {
            ended[i] = in.varint();
        }
        redelivered = in.varint();
        sequences = in.varint();
        acknowledgedLsn = in.varint();
    }
}
