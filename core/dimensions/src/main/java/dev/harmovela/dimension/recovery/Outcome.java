package dev.harmovela.dimension.recovery;

/** How a delivery ended. The ordinal is written to the log: only append. */
public enum Outcome {
    ACKNOWLEDGED,
    DEAD_LETTERED,
    EXPIRED,
    DISCARDED
}
