package dev.harmovela.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fault: the wall clock is set while the hub runs. */
@Tag("faults")
class SteadyClockTest {

    private long wall = 1_000_000;
    private long millis = 77;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> millis * 1_000_000);

    private void pass(long time) {
        wall += time;
        millis += time;
    }

    @Test
    void it_is_the_wall_clock_as_long_as_nobody_sets_that() {
        assertThat(clock.getAsLong()).isEqualTo(1_000_000);
        pass(250);
        assertThat(clock.getAsLong()).isEqualTo(1_000_250);
    }

    @Test
    void it_goes_on_when_the_wall_clock_is_set_back() {
        assertThat(clock.getAsLong()).isEqualTo(1_000_000);
        wall -= 3_600_000;
        assertThat(clock.getAsLong()).isEqualTo(1_000_000);
        pass(10);
        assertThat(clock.getAsLong()).isEqualTo(1_000_010);
    }

    @Test
    void it_follows_the_wall_clock_forward_and_does_not_gain_by_turns() {
        assertThat(clock.getAsLong()).isEqualTo(1_000_000);
        for (int i = 0; i < 10; i++) {
            wall += 3_600_000;
            assertThat(clock.getAsLong()).isEqualTo(4_600_000);
            wall -= 3_600_000;
            assertThat(clock.getAsLong()).isEqualTo(4_600_000);
        }
    }
}
