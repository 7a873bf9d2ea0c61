package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;

/**
 * What a live task has consumed, for the outcome that is told when it ends.
 *
 * @param goalId the goal it serves, empty for none
 * @param cost in thousandths of a US cent
 */
record Consumed(String taskId, String goalId, double cost, long actions) {

    Consumed plus(double moreCost, long moreActions) {
        return new Consumed(taskId, goalId, cost + moreCost, actions + moreActions);
    }

    void write(Out out) {
        out.string(taskId).string(goalId).f64(cost).varint(actions);
    }

    static Consumed read(In in) {
        return new Consumed(in.string(), in.string(), in.f64(), in.varint());
    }
}
