package dev.harmovela.conformance.a2a;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.conformance.UsageException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which profile is run, and what is refused before anything is sent (CLI_06). */
class SelectionRulesTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, false, -, false, official-a2a-v1.0",
                "-, true, -, false, official-a2a-v1.0",
                "-, false, 1.0, false, official-a2a-v1.0",
                "-, false, 1.2, true, experimental-a2a-v1.2",
                "legacy-a2amesh, false, 1.0, false, legacy-a2amesh",
                "official-a2a-v1.0, true, 1.0, true, official-a2a-v1.0",
                "experimental-a2a-v1.2, false, -, true, experimental-a2a-v1.2"
            })
    void whatIsAskedForLeadsToAProfile(
            String profile, boolean strict, String version, boolean experimental, String expected) {
        assertThat(new Selection(profile, strict, version, experimental)
                        .resolve()
                        .id())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "no-such, false, -, false, no profile no-such",
                "-, false, 1.1, false, no protocol version 1.1",
                "-, false, 1.2, false, --experimental-profiles",
                "experimental-a2a-v1.2, false, -, false, --experimental-profiles",
                "legacy-a2amesh, true, -, false, not strict",
                "experimental-a2a-v1.2, true, -, true, not strict",
                "official-a2a-v1.0, false, 1.2, true, is about version 1.0",
                "-, true, 1.2, true, is about version 1.0"
            })
    void whatContradictsItselfIsRefused(
            String profile, boolean strict, String version, boolean experimental, String reason) {
        assertThatThrownBy(() -> new Selection(profile, strict, version, experimental).resolve())
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void theRowsAreThoseOfTheReference() {
        assertThat(Profiles.all()).extracting(one -> one.rows().size()).containsExactly(13, 3, 14);
        assertThat(Profiles.named(Profiles.EXPERIMENTAL).rows())
                .containsAll(Profiles.named(Profiles.OFFICIAL).rows());
    }

    @Test
    void anAddressThatIsNoneIsRefused() {
        for (String address : new String[] {"ftp://x", "http://user:secret-word@x/", "stdio:cat"}) {
            assertThatThrownBy(() -> new ConformanceSuite().run(SuiteOptions.of(URI.create(address))))
                    .isInstanceOf(UsageException.class)
                    .hasMessageNotContaining("secret-word");
        }
    }

    @Test
    void knownGapsNameRowsThatExist() {
        assertThatThrownBy(() -> KnownGaps.parse("{\"no.such-row\":{}}")).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> KnownGaps.parse("[]")).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> KnownGaps.parse("{\"binding.grpc\":{\"status\":\"fine\"}}"))
                .isInstanceOf(UsageException.class);
    }
}
