package dev.harmovela.dimension.interruption;

/** Where an interruption is. The order is part of the stored form. */
enum InterruptionState {
    REQUESTED,
    ACKNOWLEDGED,
    SAVED,
    RESUMED,
    CANCELLED
}
