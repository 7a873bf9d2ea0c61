package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.lifecycle.Lifecycle;

/** The life of a goal (§11). An update of a blocked goal unblocks it. */
final class GoalLifecycle {

    static final Lifecycle<GoalState, GoalEvent> TABLE = Lifecycle.named("goal", GoalState.class, GoalEvent.class)
            .start(GoalEvent.CREATED, GoalState.ACTIVE)
            .add(GoalState.ACTIVE, GoalEvent.UPDATED, GoalState.ACTIVE)
            .add(GoalState.ACTIVE, GoalEvent.BLOCKED, GoalState.BLOCKED)
            .add(GoalState.ACTIVE, GoalEvent.ACHIEVED, GoalState.ACHIEVED)
            .add(GoalState.ACTIVE, GoalEvent.ABANDONED, GoalState.ABANDONED)
            .add(GoalState.BLOCKED, GoalEvent.UPDATED, GoalState.ACTIVE)
            .add(GoalState.BLOCKED, GoalEvent.BLOCKED, GoalState.BLOCKED)
            .add(GoalState.BLOCKED, GoalEvent.ACHIEVED, GoalState.ACHIEVED)
            .add(GoalState.BLOCKED, GoalEvent.ABANDONED, GoalState.ABANDONED)
            .terminal(GoalState.ACHIEVED, GoalState.ABANDONED)
            .build();

    private GoalLifecycle() {}
}
