package dev.harmovela.testkit.sim;

import java.io.IOException;

/** One run of everything from one seed. The same seed gives the same run, move by move. */
public final class Simulation {

    private Simulation() {}

    /**
     * What happened in a run that broke no promise.
     *
     * @param fingerprint equal for equal runs
     */
    public record Report(
            long fingerprint, int starts, int answers, int refusals, int delivered, long tasksEnded, long positions) {}

    /**
     * Runs a seed.
     *
     * @throws AssertionError when a promise was broken, with the seed and the last moves
     */
    public static Report run(long seed, SimPlan plan) {
        HubErrors.listen();
        World world = new World(seed, plan.sabotage());
        try {
            world.machine.disk().crashAtStep(plan.crashAtStep());
            world.boot();
            Chaos chaos = new Chaos(world, plan.crashAtStep() == 0);
            chaos.begin();
            for (int i = 0; i < plan.moves(); i++) {
                chaos.move();
            }
            chaos.makePeace();
            new Finale(world).play();
            return report(world);
        } catch (IOException | RuntimeException | AssertionError e) {
            throw failed(seed, plan, world, e);
        }
    }

    private static Report report(World world) {
        return new Report(
                world.script.fingerprint() * 31 + world.oracle.shownLsn(),
                world.machine.starts(),
                world.oracle.answers(),
                world.oracle.refusals(),
                world.oracle.copies.delivered(),
                world.oracle.tasks.ended(),
                world.oracle.shownLsn());
    }

    private static AssertionError failed(long seed, SimPlan plan, World world, Throwable cause) {
        StringBuilder text = new StringBuilder(1024);
        text.append("seed ").append(seed).append(", ").append(plan).append(": ").append(cause.getMessage());
        text.append("\nagain: -Dharmovela.seed=").append(seed).append("\nlast moves:");
        world.script.last().forEach(move -> text.append("\n  ").append(move));
        return new AssertionError(text.toString(), cause);
    }
}
