package dev.harmovela.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Waits between attempts (TRN-06). */
class BackoffTest {

    @Test
    void theBoundDoublesUpToTheCap() {
        Backoff backoff = new Backoff(500, 30_000);

        assertThat(IntStream.range(0, 9).mapToLong(backoff::boundMillis).toArray())
                .containsExactly(500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000);
        assertThat(backoff.boundMillis(Integer.MAX_VALUE)).isEqualTo(30_000);
    }

    /** 5 000 clients: no second sees more than a fifth of them, neither the first time nor once the cap is reached. */
    @Test
    void clientsDoNotComeBackTogether() {
        Backoff backoff = new Backoff(10_000, 30_000);
        Random random = new Random(7);

        for (int attempt : new int[] {0, 50}) {
            int n = attempt;
            int[] perSecond = new int[31];
            IntStream.range(0, 5000).forEach(i -> perSecond[(int) (backoff.delayMillis(n, random) / 1000)]++);
            assertThat(IntStream.of(perSecond).max().orElseThrow()).isLessThan(1000);
        }
    }

    @Test
    void theFirstWaitIsSpreadOverItsWholeBound() {
        Random random = new Random(3);

        assertThat(IntStream.range(0, 1000)
                        .mapToLong(i -> Backoff.DEFAULT.delayMillis(0, random))
                        .summaryStatistics())
                .satisfies(waits -> {
                    assertThat(waits.getMin()).isLessThan(20);
                    assertThat(waits.getMax()).isBetween(480L, 500L);
                });
    }

    @Test
    void senselessBoundsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Backoff(0, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> new Backoff(10, 9));
    }
}
