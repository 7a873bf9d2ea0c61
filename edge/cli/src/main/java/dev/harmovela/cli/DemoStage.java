package dev.harmovela.cli;

import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a demonstration plays: its hub, what is said, and what was proved. Any thread. */
final class DemoStage {

    /** Longest wait for anything that has to happen. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Console console;
    private final URI hub;
    private List<Json> steps = new ArrayList<>();

    DemoStage(Console console, URI hub) {
        this.console = console;
        this.hub = hub;
    }

    URI hub() {
        return hub;
    }

    /** A line of the story. */
    void say(String text) {
        if (!console.isJson()) {
            console.line(text);
        }
    }

    synchronized void begin(int number, String title) {
        steps = new ArrayList<>();
        say("");
        say("Scenario " + number + ": " + title);
    }

    /** Somebody does something. */
    synchronized void step(String who, String what) {
        steps.add(Json.of(who + ": " + what));
        say(String.format("  %-18s %s", who, what));
    }

    /** What the hub says of a task. */
    Json.Obj task(String id) throws Exception {
        try (HttpApi api = new HttpApi(hub, null, PATIENCE)) {
            return api.get("tasks/" + id).object();
        }
    }

    /** Whether the audit has a record of that type. */
    boolean audited(String type) throws Exception {
        try (HttpApi api = new HttpApi(hub, null, PATIENCE)) {
            Json.Arr items = api.get("audit?type=" + type).object().array("items");
            return items != null && !items.items().isEmpty();
        }
    }

    /** A promise of the hub, held against what happened. */
    synchronized void prove(boolean holds, String promise) throws Failure {
        if (!holds) {
            throw Failure.failed("demo_failed", "This should hold and does not: " + promise + ".", null)
                    .at(hub);
        }
        steps.add(Json.of("proved: " + promise));
        say("  => " + promise);
    }

    synchronized Json.Obj end(int number, @Nullable String cursor) {
        return Json.Obj.builder()
                .put("scenario", (long) number)
                .put("ok", true)
                .put("cursor", cursor)
                .put("steps", new Json.Arr(steps))
                .build();
    }
}
