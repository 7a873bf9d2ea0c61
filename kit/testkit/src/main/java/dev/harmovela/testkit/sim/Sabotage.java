package dev.harmovela.testkit.sim;

/** What is broken on purpose: a simulation that does not notice proves nothing. */
public enum Sabotage {
    NOTHING,
    /** Forcing a file does nothing. */
    NO_FORCE,
    /** Forcing the directory does nothing. */
    NO_FORCE_DIRECTORY,
    /** Outputs leave before what they depend on is durable. */
    NO_BARRIER
}
