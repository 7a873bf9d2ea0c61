package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a port does that nobody has configured. */
class ConfigTest {

    @Test
    void theDefaultsAreTheDocumentedOnes() {
        assertThat(HttpConfig.DEFAULT)
                .isEqualTo(new HttpConfig(
                        "127.0.0.1",
                        8787,
                        List.of(),
                        List.of(),
                        new HttpLimits(20_000, 5_000, 10_000, 16_384, 8_388_608, 262_144, 4_194_304),
                        new HttpTimes(15_000, 60_000, 30_000, 30_000, 5_000, 10_000, 60_000)));
    }

    @Test
    void everyPartCanBeReplaced() {
        HttpLimits limits = new HttpLimits(1, 1, 1, 1024, 1024, 1024, 2048);
        HttpTimes times = new HttpTimes(1, 2, 3, 4, 5, 6, 7);

        assertThat(HttpConfig.DEFAULT
                        .at("0.0.0.0", 0)
                        .withOrigins(List.of("https://a.example"))
                        .withTrustedHosts(List.of("a.example"))
                        .withLimits(limits)
                        .withTimes(times))
                .isEqualTo(new HttpConfig(
                        "0.0.0.0", 0, List.of("https://a.example"), List.of("a.example"), limits, times));
    }

    @Test
    void senselessValuesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> HttpConfig.DEFAULT.at("127.0.0.1", 70_000));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HttpLimits(1, 1, 1, 1024, 1024, 4096, 4096))
                .withMessageContaining("hard cap");
        assertThatIllegalArgumentException().isThrownBy(() -> new HttpLimits(0, 1, 1, 1024, 1024, 1024, 4096));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HttpTimes(1, 1, 1, 1, 1, 15_001, 1))
                .withMessageContaining("15000");
        assertThatIllegalArgumentException().isThrownBy(() -> new HttpTimes(0, 1, 1, 1, 1, 1, 1));
    }
}
