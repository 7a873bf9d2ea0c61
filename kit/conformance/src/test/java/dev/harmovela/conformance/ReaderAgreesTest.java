package dev.harmovela.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Limits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The suite and the reader of the contract agree on what is refused before any state is looked at. */
class ReaderAgreesTest {

    private static final Set<String> STATELESS = Set.of(
            "invalid_envelope", "invalid_event_type", "unknown_event_type", "unsupported_version", "invalid_payload");

    @Test
    @DisplayName("what the reader refuses the suite refuses by the same code, and the reader leaves the rest alone")
    void agree() {
        EventReader reader = new EventReader(EventRegistry.standard(), Limits.DEFAULT);
        List<String> differences = new ArrayList<>();
        int refused = 0;
        for (Suite.Fixture fixture : Suites.all()) {
            List<SentLine> lines = Suites.lines(fixture);
            for (LineExpectation expected : fixture.expect()) {
                String text = lines.get(expected.line() - 1).text();
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                boolean rejected = expected.verdict() == LineExpectation.Verdict.REJECTED;
                String place = fixture.file() + " line " + expected.line() + ": ";
                switch (reader.read(bytes, 0, bytes.length)) {
                    case EventReader.Read.Bad bad -> {
                        refused++;
                        String code = bad.first().code().wire();
                        if (!rejected || !expected.codes().contains(code)) {
                            differences.add(place + bad.first() + ", expected " + expected.raw());
                        } else if (!Wire.matches(expected.details(), bad.first().details())) {
                            differences.add(
                                    place + "details " + bad.first().details() + ", expected " + expected.raw());
                        }
                    }
                    case EventReader.Read.Ok _ -> {
                        boolean negotiated = "session.error".equals(expected.answer());
                        if (rejected
                                && !negotiated
                                && !expected.codes().isEmpty()
                                && STATELESS.containsAll(expected.codes())) {
                            differences.add(place + "taken, expected " + expected.raw());
                        }
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(refused).isGreaterThan(60);
    }
}
