package dev.harmovela.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {

    private static final long LAST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();
    private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").toEpochMilli();

    @ParameterizedTest
    @CsvSource({
        "2026-07-10T10:00:00Z,2026-07-10T10:00:00Z",
        "2026-07-10t10:00:00z,2026-07-10T10:00:00Z",
        "2026-07-10T10:00:00.5Z,2026-07-10T10:00:00.500Z",
        "2026-07-10T10:00:00.123456789Z,2026-07-10T10:00:00.123Z",
        "2026-07-10T10:00:00+02:00,2026-07-10T08:00:00Z",
        "2026-07-10T10:00:00.25-05:30,2026-07-10T15:30:00.250Z",
        "2026-07-10T10:00:00-00:00,2026-07-10T10:00:00Z",
        "2016-12-31T23:59:60Z,2017-01-01T00:00:00Z",
        "2024-02-29T00:00:00Z,2024-02-29T00:00:00Z",
        "1969-12-31T23:59:59.999Z,1969-12-31T23:59:59.999Z"
    })
    void instantsAreRead(String text, Instant expected) {
        assertThat(Timestamps.parse(text)).isEqualTo(expected.toEpochMilli());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-07-10",
                "2026-07-10T10:00:00",
                "2026-07-10 10:00:00Z",
                "2026-07-10T10:00Z",
                "2026-7-10T10:00:00Z0",
                "2026-13-10T10:00:00Z",
                "2026-00-10T10:00:00Z",
                "2026-02-29T10:00:00Z",
                "1900-02-29T10:00:00Z",
                "2026-04-31T10:00:00Z",
                "2026-07-00T10:00:00Z",
                "2026-07-10T24:00:00Z",
                "2026-07-10T10:60:00Z",
                "2026-07-10T10:00:61Z",
                "2026-07-10T10:00:00.Z",
                "2026-07-10T10:00:00.5",
                "2026-07-10T10:00:00+2:00",
                "2026-07-10T10:00:00+24:00",
                "2026-07-10T10:00:00+02:60",
                "2026-07-10T10:00:00+0200",
                "2026-07-10T10:00:00ZZ",
                "+2026-07-10T10:00:00Z",
                "2026-07-10T10:00:00é",
                "20a6-07-10T10:00:00Z"
            })
    void everythingElseIsInvalid(String text) {
        assertThat(Timestamps.parse(text)).isEqualTo(Timestamps.INVALID);
    }

    @Test
    void readingAndWritingAgreeWithTheDateLibrary() {
        for (long seed = 1; seed <= 20_000; seed++) {
            Random random = new Random(seed);
            long millis = random.nextLong(FIRST, LAST + 1);
            Instant instant = Instant.ofEpochMilli(millis);
            String ours = Timestamps.format(millis);
            assertThat(Instant.parse(ours)).as("seed %d", seed).isEqualTo(instant);
            assertThat(Timestamps.parse(ours)).as("seed %d", seed).isEqualTo(millis);
            OffsetDateTime elsewhere = instant.atOffset(ZoneOffset.ofTotalSeconds(60 * random.nextInt(-1079, 1080)));
            if (elsewhere.getYear() >= 0 && elsewhere.getYear() <= 9999) {
                String text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(elsewhere.withSecond(7));
                assertThat(Timestamps.parse(text))
                        .as("seed %d: %s", seed, text)
                        .isEqualTo(elsewhere.withSecond(7).toInstant().toEpochMilli());
            }
        }
    }

    @Test
    void yearsOfFiveDigitsCannotBeWritten() {
        assertThat(Timestamps.format(LAST)).isEqualTo("9999-12-31T23:59:59.999Z");
        assertThatThrownBy(() -> Timestamps.format(LAST + 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Timestamps.format(FIRST - 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"PT5M", "PT90S", "P1DT12H", "P2D", "PT0.5S", "PT1H2M3.25S", "P10DT1S", "PT0S"})
    void durationsAgreeWithTheDateLibrary(String text) {
        assertThat(Durations.wellFormed(text)).isTrue();
        assertThat(Durations.millis(text)).isEqualTo(Duration.parse(text).toMillis());
    }

    @ParameterizedTest
    @CsvSource({"P1W,604800000", "P1M,2592000000", "P1Y,31536000000", "'PT0,5S',500"})
    void longerAndOlderFormsOfDurationsAreTaken(String text, long millis) {
        assertThat(Durations.millis(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "P", "PT", "5M", "P1", "PT1", "P1H", "-PT1S", "PT1S ", "P1DT", "PT1M1H", "PT1.S"})
    void otherTextsAreNoDurations(String text) {
        assertThat(Durations.wellFormed(text)).isFalse();
        assertThat(Durations.millis(text)).isEqualTo(-1);
    }
}
