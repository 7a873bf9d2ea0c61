package dev.harmovela.dimension.interruption;

import dev.harmovela.contract.lifecycle.Lifecycle;

/** The life of an interruption (§9). Who saves at once has acknowledged; a task can be interrupted again and again. */
final class InterruptionLifecycle {

    static final Lifecycle<InterruptionState, InterruptionEvent> TABLE = Lifecycle.named(
                    "interruption", InterruptionState.class, InterruptionEvent.class)
            .start(InterruptionEvent.REQUESTED, InterruptionState.REQUESTED)
            .add(InterruptionState.REQUESTED, InterruptionEvent.ACKNOWLEDGED, InterruptionState.ACKNOWLEDGED)
            .add(InterruptionState.REQUESTED, InterruptionEvent.SAVED, InterruptionState.SAVED)
            .add(InterruptionState.REQUESTED, InterruptionEvent.CANCELLED, InterruptionState.CANCELLED)
            .add(InterruptionState.ACKNOWLEDGED, InterruptionEvent.SAVED, InterruptionState.SAVED)
            .add(InterruptionState.ACKNOWLEDGED, InterruptionEvent.CANCELLED, InterruptionState.CANCELLED)
            .add(InterruptionState.SAVED, InterruptionEvent.RESUMED, InterruptionState.RESUMED)
            .add(InterruptionState.SAVED, InterruptionEvent.CANCELLED, InterruptionState.CANCELLED)
            .terminal(InterruptionState.RESUMED, InterruptionState.CANCELLED)
            .build();

    private InterruptionLifecycle() {}
}
