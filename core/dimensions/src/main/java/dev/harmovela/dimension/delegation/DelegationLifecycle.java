package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.lifecycle.Lifecycle;

/** The life of a delegation (§10). Work that changed hands can be taken back or passed up; both are the end of it. */
final class DelegationLifecycle {

    static final Lifecycle<DelegationState, DelegationEvent> TABLE = table();

    private DelegationLifecycle() {}

    private static Lifecycle<DelegationState, DelegationEvent> table() {
        Lifecycle.Builder<DelegationState, DelegationEvent> table = Lifecycle.named(
                        "delegation", DelegationState.class, DelegationEvent.class)
                .start(DelegationEvent.REQUESTED, DelegationState.REQUESTED)
                .add(DelegationState.ACCEPTED, DelegationEvent.HANDED_OVER, DelegationState.COMPLETED)
                .add(DelegationState.COMPLETED, DelegationEvent.ESCALATED, DelegationState.ESCALATED)
                .add(DelegationState.COMPLETED, DelegationEvent.REVOKED, DelegationState.REVOKED)
                .add(DelegationState.REQUESTED, DelegationEvent.ACCEPTED, DelegationState.ACCEPTED)
                .add(DelegationState.ESCALATED, DelegationEvent.ACCEPTED, DelegationState.ACCEPTED);
        for (DelegationState open : DelegationState.values()) {
            if (open.open()) {
                table.add(open, DelegationEvent.REJECTED, DelegationState.REJECTED)
                        .add(open, DelegationEvent.REVOKED, DelegationState.REVOKED)
                        .add(open, DelegationEvent.LAPSED, DelegationState.LAPSED)
                        .add(open, DelegationEvent.ESCALATED, DelegationState.ESCALATED);
            }
        }
        return table.terminal(DelegationState.REJECTED, DelegationState.REVOKED, DelegationState.LAPSED)
                .build();
    }
}
