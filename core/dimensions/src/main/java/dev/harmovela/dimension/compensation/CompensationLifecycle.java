package dev.harmovela.dimension.compensation;

import dev.harmovela.contract.lifecycle.Lifecycle;

/** The life of a compensation (§9): work is undone once at most. */
final class CompensationLifecycle {

    static final Lifecycle<CompensationState, CompensationEvent> TABLE = Lifecycle.named(
                    "compensation", CompensationState.class, CompensationEvent.class)
            .start(CompensationEvent.REGISTERED, CompensationState.REGISTERED)
            .add(CompensationState.REGISTERED, CompensationEvent.REQUESTED, CompensationState.REQUESTED)
            .add(CompensationState.REQUESTED, CompensationEvent.COMPLETED, CompensationState.COMPLETED)
            .add(CompensationState.REQUESTED, CompensationEvent.FAILED, CompensationState.FAILED)
            .terminal(CompensationState.COMPLETED, CompensationState.FAILED)
            .build();

    private CompensationLifecycle() {}
}
