package dev.harmovela.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** When positions were stored: exact while young, close while old, bounded always (D33). */
class StoredTimesTest {

    private static final long START = 1_783_677_600_000L * 1_000_000;
    private static final long MICROS = 1_000;

    private final StoredTimes times = new StoredTimes();

    @Test
    void the_newest_frames_are_known_exactly() {
        for (long lsn = 1; lsn <= 10_000; lsn++) {
            times.mark(lsn, START + lsn * 3 * MICROS);
        }
        for (long lsn = 10_000 - 4_000; lsn <= 10_000; lsn++) {
            assertThat(times.at(lsn)).isEqualTo(START + lsn * 3 * MICROS);
        }
    }

    @Test
    void an_old_position_is_known_to_within_a_per_cent_of_its_age() {
        long last = 2_000_000;
        long step = 10 * MICROS;
        for (long lsn = 1; lsn <= last; lsn++) {
            times.mark(lsn, START + lsn * step);
        }
        for (long lsn = 1_000; lsn <= last; lsn += 997) {
            long age = (last - lsn) * step;
            assertThat(times.at(lsn)).isCloseTo(START + lsn * step, Offset.offset(Math.max(step, age / 100)));
        }
    }

    @Test
    void positions_inside_a_frame_have_the_time_of_the_frame() {
        times.mark(1, START);
        times.mark(5, START + 50);
        assertThat(times.at(3)).isEqualTo(START + 50);
        assertThat(times.at(5)).isEqualTo(START + 50);
    }

    @Test
    void what_was_stored_before_anything_is_known_is_at_least_as_old_as_the_oldest() {
        assertThat(times.at(7)).isEqualTo(Long.MIN_VALUE);
        times.mark(100, START);
        times.mark(101, START + 5_000_000);
        assertThat(times.at(7)).isEqualTo(START);
    }

    @Test
    void a_clock_that_falls_back_is_not_followed() {
        times.mark(1, START + 1_000);
        times.mark(2, START);
        assertThat(times.at(2)).isEqualTo(START + 1_000);
    }
}
