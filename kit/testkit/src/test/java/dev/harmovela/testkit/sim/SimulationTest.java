package dev.harmovela.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Agents, a hub and its disk under one scheduler. A failure prints its seed and its last moves;
 * {@code -Dharmovela.seed=N} runs that seed alone, {@code -Dharmovela.moves=N} prints more moves,
 * {@code -Dharmovela.first.seed=N} begins elsewhere.
 */
class SimulationTest {

    private static final int FEW = 30;
    private static final int SABOTAGED = 60;

    @Test
    void a_few_seeds_break_no_promise_and_touch_everything() {
        Long chosen = Long.getLong("harmovela.seed");
        if (chosen != null) {
            Simulation.run(chosen, SimPlan.DEFAULT);
            return;
        }
        int starts = 0;
        int refusals = 0;
        int delivered = 0;
        long tasksEnded = 0;
        for (long seed = 1; seed <= FEW; seed++) {
            Simulation.Report report = Simulation.run(seed, SimPlan.DEFAULT);
            starts += report.starts();
            refusals += report.refusals();
            delivered += report.delivered();
            tasksEnded += report.tasksEnded();
        }
        assertThat(starts).as("hubs started").isGreaterThan(FEW * 3 / 2);
        assertThat(refusals).as("refusals").isGreaterThan(FEW);
        assertThat(delivered).as("copies").isGreaterThan(FEW * 10);
        assertThat(tasksEnded).as("tasks that ended").isGreaterThan(FEW / 3);
    }

    @Test
    @Tag("sim")
    void many_seeds_break_no_promise() throws InterruptedException {
        int seeds = Integer.getInteger("harmovela.seeds", FEW);
        long first = Long.getLong("harmovela.first.seed", 1);
        Seeds.run(first, seeds, seed -> Simulation.run(seed, SimPlan.DEFAULT));
    }

    /** Seeds that found defects of the hub, or of its judge, in groups, short histories, dead letters and recovery. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                4, 62, 122, 143, 144, 314, 400, 475, 492, 494, 638, 679, 680, 1218, 1388, 1570, 1880, 2031, 2078, 2234,
                2643, 2925, 3015, 3313, 3946, 4861, 5405, 5857, 6372
            })
    void seeds_that_once_broke_a_promise_break_none(long seed) {
        Simulation.run(seed, SimPlan.DEFAULT);
    }

    @Test
    void the_same_seed_is_the_same_run() {
        Simulation.Report first = Simulation.run(5, SimPlan.DEFAULT);

        assertThat(Simulation.run(5, SimPlan.DEFAULT)).isEqualTo(first);
        assertThat(Simulation.run(6, SimPlan.DEFAULT)).isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_FORCE", "NO_FORCE_DIRECTORY", "NO_BARRIER"})
    void a_hub_without_one_of_its_safeguards_is_found_out(Sabotage broken) {
        for (long seed = 1; seed <= SABOTAGED; seed++) {
            try {
                Simulation.run(seed, SimPlan.DEFAULT.with(broken));
            } catch (AssertionError found) {
                assertThat(found).hasMessageStartingWith("seed " + seed);
                return;
            }
        }
        fail(broken + " went unnoticed for " + SABOTAGED + " seeds");
    }
}
