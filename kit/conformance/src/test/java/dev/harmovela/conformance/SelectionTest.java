package dev.harmovela.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SelectionTest {

    private static final Suite SUITE = Suites.main();
    private static final List<String> CORE = SUITE.content().fixtures().stream()
            .filter(fixture -> fixture.profile() == null)
            .map(Suite.Fixture::path)
            .toList();

    private static List<String> chosen(String profile, String level) {
        return Selection.of(SUITE, profile, level).fixtures().stream()
                .filter(choice -> choice.leftOut() == null)
                .map(choice -> choice.fixture().path())
                .toList();
    }

    private static List<String> beyondCore(String profile) {
        List<String> chosen = chosen(profile, null);
        assertThat(chosen).containsAll(CORE);
        return chosen.stream().filter(path -> !CORE.contains(path)).toList();
    }

    @Test
    @DisplayName("delivery runs the core fixtures and exactly the three of delivery, by short name and by identifier")
    void delivery() {
        List<String> three = List.of(
                "fixtures/delivery.ndjson", "fixtures/delivery-stateful.ndjson", "fixtures/delivery-e2e.ndjson");
        assertThat(beyondCore("delivery")).isEqualTo(three);
        assertThat(beyondCore("harmovela.delivery.v1")).isEqualTo(three);
    }

    @Test
    @DisplayName("core, security and the transports run the fixtures without a profile alone")
    void unprofiled() {
        for (String name : List.of("core", "harmovela.core.v1", "security", "websocket", "transport.sse")) {
            assertThat(chosen(name, null)).as(name).isEqualTo(CORE);
        }
    }

    @Test
    @DisplayName("without a profile everything runs")
    void everything() {
        assertThat(chosen(null, null)).hasSameSizeAs(SUITE.content().fixtures());
    }

    @Test
    @DisplayName("what is left out stays in the list with its reason")
    void leftOut() {
        assertThat(Selection.of(SUITE, "adaptation", null).fixtures())
                .hasSameSizeAs(SUITE.content().fixtures())
                .anySatisfy(choice -> {
                    assertThat(choice.fixture().path()).isEqualTo("fixtures/delivery.ndjson");
                    assertThat(choice.leftOut()).contains("delivery");
                });
    }

    @Test
    @DisplayName("a fixture that names the profile but is not listed by it is left out")
    void notListed() {
        Suite.Fixture fixture = SUITE.content().fixtures().stream()
                .filter(one -> "delivery".equals(one.profile()))
                .findFirst()
                .orElseThrow();
        Suite foreign = new Suite(
                "manifest.json",
                "0.2",
                "9",
                "HARMOVELA-C3",
                SUITE.levels(),
                new Suite.Content(List.of(fixture), Map.of("delivery", List.of())));
        assertThat(Selection.of(foreign, "delivery", null).fixtures().getFirst().leftOut())
                .contains("does not list");
        assertThat(Selection.of(foreign, "core", null).profile()).isEqualTo("core");
    }

    @Test
    @DisplayName("a level includes those below it")
    void levels() {
        assertThat(chosen(null, "C0"))
                .contains("fixtures/negative.ndjson")
                .doesNotContain("fixtures/task-lifecycle.ndjson");
        assertThat(chosen(null, "harmovela-c1"))
                .contains("fixtures/negative.ndjson", "fixtures/task-lifecycle.ndjson")
                .doesNotContain("fixtures/delivery.ndjson");
    }

    @Test
    @DisplayName("an unknown profile or level is a wrong call; a profile of the other kit is told where it belongs")
    void unknown() {
        assertThatThrownBy(() -> chosen("nope", null)).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> chosen("harmovela.delivery.v9", null)).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> chosen(null, "C7")).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> chosen("official-a2a-v1.0", null))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("./a2amesh conformance");
    }

    @Test
    @DisplayName("deeper fixtures of a profile come behind the suite's")
    void deeper() {
        Selection deep = Selection.of(SUITE, "delivery", null).deepened(Suites.profile("delivery"));
        assertThat(deep.fixtures())
                .hasSizeGreaterThan(SUITE.content().fixtures().size());
        assertThat(deep.fixtures().getLast().fixture().path()).startsWith("profiles/harmovela.delivery.v1/fixtures/");
    }
}
