package dev.harmovela.conformance;

/**
 * How long a target may take.
 *
 * @param answerMillis for the answer to the heartbeat that closes a fixture
 * @param effectMillis for what a line of a fixture must lead to
 * @param settleMillis for answers that come behind the one to the closing heartbeat
 */
record Patience(long answerMillis, long effectMillis, long settleMillis) {

    static final Patience DEFAULT = new Patience(10_000, 3_000, 300);
}
