package dev.harmovela.bench;

/** What a contender gave in a row. */
sealed interface Outcome {

    /** @param run the median of its runs */
    record Measured(Run run) implements Outcome {}

    /** @param reason why there is no figure */
    record NotRun(String reason) implements Outcome {}
}
