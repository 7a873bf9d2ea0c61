package dev.harmovela.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What ships as the suite is whole and says what it must. */
class SuiteDataTest {

    private static final int PUBLIC = 34;

    private static List<String> publicFixtures() throws IOException {
        try (InputStream in = SuiteDataTest.class.getResourceAsStream("/public-fixtures.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    @Test
    @DisplayName("the public suite stands first, fixture by fixture, with its levels, expectations, profiles and types")
    void publicSuite() throws IOException {
        List<Suite.Fixture> fixtures = Suites.main().content().fixtures();
        List<String> found = new ArrayList<>();
        for (Suite.Fixture fixture : fixtures.subList(0, PUBLIC)) {
            String types = String.join(",", fixture.expectedTypes());
            found.add(String.join(
                    " ",
                    fixture.path(),
                    fixture.level(),
                    fixture.expectation().name().toLowerCase(Locale.ROOT),
                    fixture.profile() == null ? "-" : fixture.profile(),
                    types.isEmpty() ? "-" : types));
        }
        assertThat(found).isEqualTo(publicFixtures()).hasSize(PUBLIC);
        assertThat(fixtures.subList(PUBLIC, fixtures.size()))
                .isNotEmpty()
                .allSatisfy(own -> assertThat(own.path()).startsWith("fixtures/own/"))
                .allSatisfy(own -> assertThat(own.profile()).isNull());
    }

    @Test
    @DisplayName("the lines of a fixture have the types it declares, in order")
    void types() {
        for (Suite.Fixture fixture : Suites.all()) {
            if (!fixture.expectedTypes().isEmpty()) {
                assertThat(Suites.lines(fixture))
                        .as(fixture.file())
                        .extracting(SentLine::type)
                        .isEqualTo(fixture.expectedTypes());
            }
        }
    }

    @Test
    @DisplayName("each line of each fixture has one expectation, and no refusal stands alone among several lines")
    void expectations() {
        assertThat(Suites.all()).hasSizeGreaterThan(90);
        for (Suite.Fixture fixture : Suites.all()) {
            List<LineExpectation> expect = fixture.expect();
            int lines = Suites.lines(fixture).size();
            assertThat(expect).as(fixture.file()).hasSize(lines);
            for (int i = 0; i < lines; i++) {
                assertThat(expect.get(i).line()).as(fixture.file()).isEqualTo(i + 1);
            }
            List<LineExpectation.Verdict> verdicts =
                    expect.stream().map(LineExpectation::verdict).toList();
            if (fixture.expectation() == Suite.Expectation.REJECT_SOME) {
                assertThat(verdicts).as(fixture.file()).contains(LineExpectation.Verdict.REJECTED);
                assertThat(lines == 1 || verdicts.contains(LineExpectation.Verdict.ACCEPTED))
                        .as(fixture.file())
                        .isTrue();
            } else if (fixture.expectation() != Suite.Expectation.ACCEPT_ALL) {
                assertThat(verdicts).as(fixture.file()).containsOnly(LineExpectation.Verdict.ACCEPTED);
            }
        }
    }

    @Test
    @DisplayName("every refusal of the suite proper has a code and the type that carries it")
    void refusals() {
        for (Suite.Fixture fixture : Suites.main().content().fixtures()) {
            for (LineExpectation one : fixture.expect()) {
                if (one.verdict() == LineExpectation.Verdict.REJECTED) {
                    assertThat(one.codes()).as(fixture.file()).isNotEmpty();
                    assertThat(one.answer()).as(fixture.file()).isNotNull();
                }
            }
        }
    }

    @Test
    @DisplayName("no two events share an id, but where that is what a fixture is about")
    void ids() {
        Map<String, String> owners = new HashMap<>();
        for (Suite.Fixture fixture : Suites.all()) {
            if (fixture.file().endsWith("own/event/duplicates.ndjson")) {
                continue;
            }
            for (SentLine line : Suites.lines(fixture)) {
                if (line.id() != null) {
                    assertThat(owners.put(line.id(), fixture.file()))
                            .as(line.id())
                            .isNull();
                }
            }
        }
    }

    @Test
    @DisplayName(
            "every profile of the contract has an entry and a manifest of its own, which lists what the suite lists")
    void profiles() {
        Map<String, List<String>> declared = Suites.main().content().profiles();
        assertThat(declared.keySet()).containsExactlyInAnyOrderElementsOf(Suites.PROFILES);
        assertThat(Suites.PROFILES.stream().map(Selection::fullIdentifier).toList())
                .containsExactlyInAnyOrderElementsOf(Profiles.ALL);
        List<String> paths = Suites.main().content().fixtures().stream()
                .map(Suite.Fixture::path)
                .toList();
        declared.forEach((name, listed) -> {
            assertThat(paths).as(name).containsAll(listed);
            assertThat(Suites.profile(name).content().fixtures())
                    .as(name)
                    .extracting(Suite.Fixture::file)
                    .containsAll(listed);
        });
        assertThat(declared.get("core"))
                .isEqualTo(Suites.main().content().fixtures().stream()
                        .filter(fixture -> fixture.profile() == null)
                        .map(Suite.Fixture::path)
                        .toList());
    }

    @Test
    @DisplayName("a fixture that a profile takes over from the suite is the same in both")
    void takenOver() {
        Map<String, Suite.Fixture> main = new HashMap<>();
        Suites.main().content().fixtures().forEach(fixture -> main.put(fixture.file(), fixture));
        for (String name : Suites.PROFILES) {
            for (Suite.Fixture fixture : Suites.profile(name).content().fixtures()) {
                Suite.Fixture original = main.get(fixture.file());
                if (original != null) {
                    Json.Obj withPath = original.raw().with("path", Json.of(fixture.path()));
                    assertThat(fixture.raw()).as(name + " " + fixture.path()).isEqualTo(withPath);
                }
            }
        }
    }
}
