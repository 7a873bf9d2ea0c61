package dev.harmovela.harness.delivery;

/** A delivery that goes out again, or for the first time with attempt 1. */
record Resend(long seq, long lsn, int attempt) {}
