package dev.harmovela.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Agents that delegate, command, ask, spend, cancel and crash. {@code -Dharmovela.seed=N} runs one seed alone,
 * {@code -Dharmovela.moves=N} prints more moves.
 */
class TeamSimulationTest {

    private static final int FEW = 12;
    private static final int MOVES = 400;

    @Test
    void a_few_seeds_break_no_promise_and_touch_everything() {
        Long chosen = Long.getLong("harmovela.seed");
        if (chosen != null) {
            TeamSimulation.run(chosen, MOVES);
            return;
        }
        int starts = 0;
        int handovers = 0;
        int answers = 0;
        int cancelled = 0;
        int spendings = 0;
        for (long seed = 1; seed <= FEW; seed++) {
            TeamSimulation.Report report = TeamSimulation.run(seed, MOVES);
            starts += report.starts();
            handovers += report.handovers();
            answers += report.answers();
            cancelled += report.cancelled();
            spendings += report.spendings();
        }
        assertThat(starts).as("hubs started").isGreaterThan(3 * FEW / 2);
        assertThat(handovers).as("handovers").isGreaterThan(FEW / 2);
        assertThat(answers).as("answers").isGreaterThan(FEW);
        assertThat(cancelled).as("cancelled tasks").isGreaterThan(FEW);
        assertThat(spendings).as("spendings").isGreaterThan(FEW);
    }

    @Test
    void the_same_seed_is_the_same_run() {
        assertThat(TeamSimulation.run(3, MOVES)).isEqualTo(TeamSimulation.run(3, MOVES));
    }

    @Test
    @Tag("sim")
    void many_seeds_break_no_promise() throws InterruptedException {
        int seeds = Integer.getInteger("harmovela.seeds", FEW);
        long first = Long.getLong("harmovela.first.seed", 1);
        Seeds.run(first, seeds, seed -> TeamSimulation.run(seed, MOVES));
    }
}
