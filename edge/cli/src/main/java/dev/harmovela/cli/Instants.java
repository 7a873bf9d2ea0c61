package dev.harmovela.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock as events show it. */
final class Instants {

    private Instants() {}

    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
