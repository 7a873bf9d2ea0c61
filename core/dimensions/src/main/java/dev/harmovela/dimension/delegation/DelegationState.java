package dev.harmovela.dimension.delegation;

/** Where a delegation is. The order is part of the stored form. */
enum DelegationState {
    REQUESTED,
    ACCEPTED,
    /** Somebody else was asked by the one who was to do it. */
    ESCALATED,
    /** The work has changed hands. */
    COMPLETED,
    REJECTED,
    /** The one who handed the work over took it back. */
    REVOKED,
    /** Nobody answered in time. */
    LAPSED;

    /** Whether it can still lead to a handover. */
    boolean open() {
        return this == REQUESTED || this == ACCEPTED || this == ESCALATED;
    }
}
