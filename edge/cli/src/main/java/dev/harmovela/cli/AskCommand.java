package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Sends a command or query to an agent and shows its answer. */
abstract class AskCommand extends HubCommand {

    private static final long PATIENCE_MS = 5_000;

    @Option(
            names = "--source",
            paramLabel = "ID",
            defaultValue = IDENTITY,
            description = "who asks (default: ${DEFAULT-VALUE})")
    private String source;

    @Option(names = "--correlation-id", paramLabel = "ID", description = "ties the answer to the request")
    private @Nullable String correlation;

    @Option(
            names = "--timeout-ms",
            paramLabel = "N",
            defaultValue = "30000",
            description = "when it is given up (default: ${DEFAULT-VALUE})")
    private long timeoutMs;

    /** Sends the request and shows what comes of it; exit code 0 for the good answer. */
    int ask(String type, String target, Json.Obj payload, String good, List<String> bad) throws Exception {
        String id = correlation == null ? "cli_" + UUID.randomUUID() : correlation;
        Json.Obj event = Json.Obj.builder()
                .put("type", type)
                .put("target", target)
                .put("correlation_id", id)
                .put("payload", payload.with("timeout_ms", Json.of(timeoutMs)))
                .build();
        try (Wait wait = Wait.attach(this, source)) {
            wait.send(event);
            List<String> ends = new ArrayList<>(bad);
            ends.add(good);
            Json.Obj answer = wait.next(ends, id, timeoutMs + PATIENCE_MS);
            if (good.equals(answer.string("type"))) {
                Json.Obj said = answer.object("payload");
                console().result(answer, said == null ? "" : said.toString());
                return ExitCodes.OK;
            }
            throw Failure.failed(
                    String.valueOf(answer.string("type")).replace('.', '_'),
                    target + " answered " + answer.string("type") + ": " + answer.object("payload") + ".",
                    null);
        }
    }
}
