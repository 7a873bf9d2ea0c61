package dev.harmovela.testkit.sim;

/**
 * How a simulation goes.
 *
 * @param moves random moves before everything comes to rest
 * @param sabotage what is broken on purpose
 * @param crashAtStep step of the disk at which the machine goes down in its first life, 0 for random crashes
 */
public record SimPlan(int moves, Sabotage sabotage, int crashAtStep) {

    public static final SimPlan DEFAULT = new SimPlan(400, Sabotage.NOTHING, 0);

    public SimPlan with(Sabotage broken) {
        return new SimPlan(moves, broken, crashAtStep);
    }

    public SimPlan withMoves(int count) {
        return new SimPlan(count, sabotage, crashAtStep);
    }

    public SimPlan withCrashAtStep(int step) {
        return new SimPlan(moves, sabotage, step);
    }
}
