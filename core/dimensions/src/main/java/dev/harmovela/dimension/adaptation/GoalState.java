package dev.harmovela.dimension.adaptation;

/** Where a goal is. The order is part of the stored form. */
enum GoalState {
    ACTIVE,
    BLOCKED,
    ACHIEVED,
    ABANDONED
}
