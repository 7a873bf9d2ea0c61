package dev.harmovela.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Something the hub has to reach in comparison with its peers.
 *
 * @param value as measured, NaN when a figure is missing
 * @param bound whether it is a least or a most
 */
record Goal(String what, double value, Bound bound, double limit) {

    enum Bound {
        AT_LEAST("≥"),
        AT_MOST("≤");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }

        String sign() {
            return sign;
        }
    }

    private static final List<Row> BUSY = List.of(Row.PUBLISH_W1024, Row.CONSUME1_W1024, Row.CONSUME4_W1024);
    private static final double REDIS_FORCED = 2;
    private static final double NATS_FORCED = 8;
    private static final double UNFORCED = 1.25;
    private static final double CPU_SHARE = 0.5;
    private static final double LATENCY = 1.1;
    private static final double MEGABYTES = 350;

    boolean known() {
        return !Double.isNaN(value);
    }

    boolean met() {
        return bound == Bound.AT_LEAST ? value >= limit : value <= limit;
    }

    /** In a word: met, missed or not known. */
    String verdict() {
        return known() ? met() ? "met" : "missed" : "not run";
    }

    /** The goals of the rows that were run. */
    static List<Goal> of(Results results) {
        List<Goal> goals = new ArrayList<>();
        for (Row row : BUSY) {
            if (results.contests().containsKey(row)) {
                busy(results, row, goals);
            }
        }
        if (results.contests().containsKey(Row.CONSUME1_W1)) {
            goals.add(new Goal(
                    Row.CONSUME1_W1.title() + ": p50 of the better forced peer",
                    latency(results),
                    Bound.AT_MOST,
                    LATENCY));
        }
        return goals;
    }

    private static void busy(Results results, Row row, List<Goal> goals) {
        String title = row.title() + ": ";
        double better =
                Math.min(results.ratio(row, Contender.REDIS_EVERYSEC), results.ratio(row, Contender.NATS_DEFAULT));
        goals.add(least(title + "rate of Redis always", results.ratio(row, Contender.REDIS_ALWAYS), REDIS_FORCED));
        goals.add(least(title + "rate of JetStream always", results.ratio(row, Contender.NATS_ALWAYS), NATS_FORCED));
        goals.add(least(title + "rate of the better unforced peer", better, UNFORCED));
        Run ours = results.run(row, Contender.HUB);
        Run theirs = results.run(row, Contender.NATS_DEFAULT);
        double cpu = ours == null || theirs == null ? Double.NaN : ours.cpuMicros() / theirs.cpuMicros();
        goals.add(new Goal(title + "processor time of JetStream default", cpu, Bound.AT_MOST, CPU_SHARE));
        double memory = ours == null ? Double.NaN : ours.peakMegabytes();
        goals.add(new Goal(title + "MB resident at most", memory, Bound.AT_MOST, MEGABYTES));
    }

    private static Goal least(String what, double value, double limit) {
        return new Goal(what, value, Bound.AT_LEAST, limit);
    }

    private static double latency(Results results) {
        Map<Contender, Outcome> row = results.contests().getOrDefault(Row.CONSUME1_W1, Map.of());
        double better = Double.NaN;
        double ours = Double.NaN;
        for (Contender contender : row.keySet()) {
            Run run = results.run(Row.CONSUME1_W1, contender);
            if (run != null && contender == Contender.HUB) {
                ours = run.p50Micros();
            } else if (run != null && contender.forced()) {
                better = Double.isNaN(better) ? run.p50Micros() : Math.min(better, run.p50Micros());
            }
        }
        return ours / better;
    }
}
