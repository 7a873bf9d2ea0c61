package dev.harmovela.dimension.delegation;

/** What moves a delegation. */
enum DelegationEvent {
    REQUESTED("delegation.requested"),
    ACCEPTED("delegation.accepted"),
    REJECTED("delegation.rejected"),
    /** {@code delegation.rejected} by the one who delegated. */
    REVOKED("delegation.rejected by the delegator"),
    ESCALATED("delegation.escalated"),
    HANDED_OVER("delegation.handoff.completed"),
    /** Time passed. */
    LAPSED("time");

    private final String text;

    DelegationEvent(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
