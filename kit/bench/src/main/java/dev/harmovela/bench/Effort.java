package dev.harmovela.bench;

import java.time.Duration;

/**
 * How long and how much is measured.
 *
 * @param rounds runs of each contender, one after the other in turn
 * @param run length of a run
 * @param warmUp how long the hub works before its first run, so that its code is compiled; the peers need a tenth of it
 * @param sessions idle ones
 * @param backlog events that wait for an absent consumer
 */
record Effort(int rounds, Duration run, Duration warmUp, int sessions, int backlog) {

    static final Effort FULL = new Effort(3, Duration.ofSeconds(4), Duration.ofSeconds(15), 10_000, 1_000_000);
    static final Effort QUICK = new Effort(3, Duration.ofMillis(700), Duration.ofSeconds(4), 10_000, 200_000);

    Duration peerWarmUp() {
        return warmUp.dividedBy(10);
    }
}
