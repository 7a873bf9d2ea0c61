package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks for the end of a task. */
@Command(
        name = "cancel",
        description = {
            "Ask a task's owner to stop it, and everything below it; the hub ends it when the owner does not.",
            "With --watch, follow it to its end."
        },
        footer = {"", "Example: harmovela task cancel t1 --reason 'no longer needed' --watch"})
final class TaskCancel extends HubCommand {

    @Parameters(paramLabel = "ID", description = "its id")
    private String id;

    @Option(names = "--reason", paramLabel = "TEXT", description = "why")
    private @Nullable String reason;

    @Option(
            names = "--source",
            paramLabel = "ID",
            defaultValue = IDENTITY,
            description = "who asks (default: ${DEFAULT-VALUE})")
    private String source;

    @Option(
            names = {"-w", "--watch"},
            description = "follow it; exit 0 only when it was cancelled")
    private boolean watch;

    @Override
    int run() throws Exception {
        Json.Obj payload =
                Json.Obj.builder().put("task_id", id).put("reason", reason).build();
        Json.Obj event = Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", "evt_" + UUID.randomUUID())
                .put("type", "task.cancel.requested")
                .put("source", source)
                .put("created_at", Instants.now())
                .put("task_id", id)
                .put("payload", payload)
                .build();
        try (Api api = root().api()) {
            Json.Obj reply = api.post("events", event);
            if (!watch) {
                console().result(reply, EmitCommand.accepted("task.cancel.requested", reply));
                return ExitCodes.OK;
            }
            return new TaskFollower(this, api, id).expect("CANCELLED").run();
        }
    }
}
