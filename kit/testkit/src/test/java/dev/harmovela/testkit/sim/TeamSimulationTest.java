package dev.harmovela.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Agents that delegate, command, ask, spend, cancel and crash. {@code -Dharmovela.seed=N} runs one seed alone,
 * {@code -Dharmovela.moves=N} prints more moves.
 */
class TeamSimulationTest {

    private static final int FEW = 25;
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
        assertThat(starts).as("hubs started").isGreaterThan(2 * FEW);
        assertThat(handovers).as("handovers").isGreaterThan(FEW);
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
    void many_seeds_break_no_promise() {
        int seeds = Integer.getInteger("harmovela.seeds", FEW);
        long first = Long.getLong("harmovela.first.seed", 1);
        List<String> broken = new ArrayList<>();
        for (long seed = first; seed < first + seeds; seed++) {
            try {
                TeamSimulation.run(seed, MOVES);
            } catch (AssertionError e) {
                broken.add(String.valueOf(e.getMessage()));
            }
        }
        if (!broken.isEmpty()) {
            broken.forEach(one -> System.err.println(one.lines().findFirst().orElse("")));
            fail(broken.size() + " of " + seeds + " seeds broke a promise; the first:\n" + broken.getFirst());
        }
    }
}
