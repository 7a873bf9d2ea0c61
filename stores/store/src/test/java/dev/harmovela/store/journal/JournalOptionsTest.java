package dev.harmovela.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JournalOptionsTest {

    @Test
    void theDefaultsAreThoseOfTheManual() {
        JournalOptions options = JournalOptions.DEFAULT;
        assertThat(options.segmentBytes()).isEqualTo(64 << 20);
        assertThat(options.reserveBytes()).isEqualTo(8 << 20);
        assertThat(options.batchBytes()).isEqualTo(4 << 20);
        assertThat(options.capacity()).isGreaterThan(FrameFormat.sizeOf(FrameFormat.MAX_BODY));
        assertThat(options.shard()).isZero();
        assertThat(options.idleMillis()).isEqualTo(1000);
        assertThat(options.retryMillis()).isEqualTo(1000);
        assertThat(options.backlogBytes()).isEqualTo(64 << 20);
        assertThat(options.random().getAsLong()).isNotEqualTo(options.random().getAsLong());
    }

    @Test
    void eachOptionCanBeReplaced() {
        JournalOptions options = JournalOptions.DEFAULT
                .withSegmentBytes(1 << 20)
                .withShard(4)
                .withBacklogBytes(5)
                .withRandom(() -> 6);
        assertThat(options.segmentBytes()).isEqualTo(1 << 20);
        assertThat(options.reserveBytes()).isEqualTo(128 << 10);
        assertThat(options.shard()).isEqualTo(4);
        assertThat(options.backlogBytes()).isEqualTo(5);
        assertThat(options.random().getAsLong()).isEqualTo(6);
    }

    @Test
    void sizesThatCannotWorkAreRefused() {
        for (int bytes : new int[] {0, 8192, 20_000, 1 << 31}) {
            assertThatThrownBy(() -> JournalOptions.DEFAULT.withSegmentBytes(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("4096");
        }
        assertThatThrownBy(() -> JournalOptions.DEFAULT.withBacklogBytes(0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
