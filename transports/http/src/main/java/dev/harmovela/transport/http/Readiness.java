package dev.harmovela.transport.http;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the hub is, as {@code /readyz} tells it (OBS-01).
 *
 * @param ready whether it takes work
 * @param problems parts that keep it from that
 * @param warnings parts that do not
 */
public record Readiness(boolean ready, List<Part> problems, List<Part> warnings) {

    /**
     * A part that is not as it should be.
     *
     * @param since epoch milliseconds
     */
    public record Part(String part, String problem, long since) {}

    public Readiness {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /** Whether it takes work, without reasons. */
    public static Readiness of(boolean ready) {
        return new Readiness(ready, List.of(), List.of());
    }

    /** One word, and what is wrong where something is. */
    Json.Obj told(boolean draining) {
        String status = draining ? "draining" : ready ? "ready" : problems.isEmpty() ? "starting" : "unavailable";
        return Json.Obj.builder()
                .put("status", status)
                .put("problems", parts(problems))
                .put("warnings", parts(warnings))
                .build();
    }

    private static Json.@Nullable Arr parts(List<Part> parts) {
        return parts.isEmpty()
                ? null
                : new Json.Arr(parts.stream()
                        .<Json>map(one -> Json.Obj.builder()
                                .put("part", one.part())
                                .put("problem", one.problem())
                                .put("since", Timestamps.format(one.since()))
                                .build())
                        .toList());
    }
}
