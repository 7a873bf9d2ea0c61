package dev.harmovela.harness.delivery;

/**
 * A delivery that was handed out and waits for its receiver's word.
 *
 * @param attempt counted from 1
 * @param deadline epoch milliseconds at which silence counts as a failure
 */
public record Held(long seq, long lsn, int attempt, int maxAttempts, long deadline) {}
