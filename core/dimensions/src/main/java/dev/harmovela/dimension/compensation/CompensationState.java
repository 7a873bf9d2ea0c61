package dev.harmovela.dimension.compensation;

/** Where a compensation is. The order is part of the stored form. */
enum CompensationState {
    REGISTERED,
    REQUESTED,
    COMPLETED,
    FAILED
}
