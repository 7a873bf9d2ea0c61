package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A conformance suite as its manifest describes it (§14).
 *
 * @param name where the manifest lies among its files
 * @param specVersion version of the protocol it is about
 * @param suiteVersion its own version
 * @param defaultLevel the level that is run when none is asked for
 * @param levels all levels, lowest first; each includes those before it
 * @param content its fixtures and profiles
 */
record Suite(
        String name,
        String specVersion,
        String suiteVersion,
        String defaultLevel,
        List<String> levels,
        Content content) {

    /** Fixtures in order, and profiles by name. */
    record Content(List<Fixture> fixtures, Map<String, List<String>> profiles) {}

    /** What a fixture demands as a whole. */
    enum Expectation {
        ACCEPT_ALL,
        STATEFUL_FLOW,
        REJECT_SOME,
        DELIVERY_E2E
    }

    /**
     * One fixture.
     *
     * @param path as the manifest gives it, relative to the manifest
     * @param file the same, among the files of the suite
     * @param level the level that demands it
     * @param expectation what it demands as a whole
     * @param profile the profile it belongs to, or null for a core fixture
     * @param raw its entry in the manifest, for what only some fixtures have
     */
    record Fixture(
            String path,
            String file,
            String level,
            Expectation expectation,
            @Nullable String profile,
            Json.Obj raw) {

        /** The types of its lines in order; empty when the manifest does not say. */
        List<String> expectedTypes() {
            return raw.strings("expected_types");
        }

        /** The counts a delivery tracker must show at the end, or null. */
        Json.@Nullable Obj expectedStats() {
            return raw.object("expected_stats");
        }

        /** What is demanded line by line; empty in suites that do not say. */
        List<LineExpectation> expect() {
            Json.Arr items = raw.array("expect");
            return items == null
                    ? List.of()
                    : items.items().stream().map(LineExpectation::of).toList();
        }

        /** What the target must tell about itself at the end. */
        List<Json.Obj> state() {
            return objects(raw, "state");
        }
    }

    /** The objects in an array member. */
    static List<Json.Obj> objects(Json.Obj from, String member) {
        Json.Arr items = from.array(member);
        return items == null
                ? List.of()
                : items.items().stream()
                        .filter(Json.Obj.class::isInstance)
                        .map(Json.Obj.class::cast)
                        .toList();
    }
}
