package dev.harmovela.harness.delivery;

/**
 * Told when a copy leaves the hub: from then on its consumer has time to acknowledge it, not while it waits for the
 * disk.
 */
@FunctionalInterface
public interface Departure {

    /** Nobody wants to know. */
    Departure UNWATCHED = _ -> {};

    void left(long now);
}
