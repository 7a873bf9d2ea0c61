package dev.harmovela.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JournalCrashTest {

    private static final int FEW = 10;

    @Test
    void aFewSeedsSurviveACrashAtEveryStep() {
        survive(FEW);
    }

    @Test
    @Tag("sim")
    void manySeedsSurviveACrashAtEveryStep() {
        survive(Integer.getInteger("harmovela.seeds", FEW));
    }

    private static void survive(int seeds) {
        int runs = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            runs += JournalLives.crashEverywhere(seed, UnaryOperator.identity());
        }
        assertThat(runs).as("crashes tried").isGreaterThan(40 * seeds);
    }

    @Test
    void withoutForcingFilesTheLossIsFound() {
        mustBeFound(SimDisk::ignoreForce);
    }

    @Test
    void withoutForcingTheDirectoryTheLossIsFound() {
        mustBeFound(SimDisk::ignoreForceDirectory);
    }

    private static void mustBeFound(UnaryOperator<SimDisk> sabotage) {
        for (long seed = 1; seed <= FEW; seed++) {
            try {
                JournalLives.crashEverywhere(seed, sabotage);
            } catch (AssertionError e) {
                assertThat(e).hasMessageStartingWith("seed " + seed);
                return;
            }
        }
        fail("the sabotage went unnoticed for " + FEW + " seeds");
    }
}
