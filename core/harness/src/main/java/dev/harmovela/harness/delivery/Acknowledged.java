package dev.harmovela.harness.delivery;

import dev.harmovela.dimension.recovery.RecoveryFact;
import java.util.Arrays;

/** What one principal acknowledged since the last fact: sequences and where their events are in the log. */
final class Acknowledged {

    private long[] seqs = new long[16];
    private long[] lsns = new long[16];
    private int count;
    private String principal = "";

    /** Whether what is noted, if anything, was acknowledged by this one. */
    boolean isBy(String who) {
        return count == 0 || principal.equals(who);
    }

    void add(long seq, long lsn, String who) {
        if (count == seqs.length) {
            seqs = Arrays.copyOf(seqs, 2 * count);
            lsns = Arrays.copyOf(lsns, 2 * count);
        }
        principal = who;
        int at = count++;
        // mostly they come in order
        while (at > 0 && seqs[at - 1] > seq) {
            seqs[at] = seqs[at - 1];
            lsns[at] = lsns[at - 1];
            at--;
        }
        seqs[at] = seq;
        lsns[at] = Math.max(0, lsn);
    }

    /** The same fact with who acknowledged and what. */
    RecoveryFact.Settled sign(RecoveryFact.Settled fact) {
        boolean whole = fact.count() == count;
        return new RecoveryFact.Settled(
                fact.subscription(),
                fact.outcome(),
                fact.ranges(),
                fact.floorLsn(),
                fact.floorSeq(),
                principal,
                whole ? Arrays.copyOf(lsns, count) : new long[0]);
    }

    void clear() {
        count = 0;
        if (seqs.length > 4096) {
            seqs = new long[16];
            lsns = new long[16];
        }
    }
}
