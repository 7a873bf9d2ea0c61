package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Submits a task. */
@Command(
        name = "submit",
        description = "Submit a task; with --watch, follow it to its end.",
        footer = {"", "Example: harmovela task submit 'Summarise the report' --target agent:worker --watch"})
final class TaskSubmit extends HubCommand {

    @Parameters(paramLabel = "TEXT", arity = "0..1", description = "what is to be done")
    private @Nullable String description;

    @Option(names = "--payload", paramLabel = "JSON", description = "further members of the payload")
    private @Nullable String payload;

    @Option(names = "--task-id", paramLabel = "ID", description = "its id (default: one that the hub makes)")
    private @Nullable String taskId;

    @Option(names = "--parent", paramLabel = "ID", description = "the task above it")
    private @Nullable String parent;

    @Option(names = "--timeout-ms", paramLabel = "N", description = "when it is given up")
    private @Nullable Long timeoutMs;

    @Option(names = "--priority", paramLabel = "N", description = "its priority")
    private @Nullable Long priority;

    @Option(
            names = {"-w", "--watch"},
            description = "follow it to its end; exit 0 only when it completed")
    private boolean watch;

    @Mixin
    private EventOptions options;

    @Override
    int run() throws Exception {
        Json.Obj given = EventOptions.payload(payload);
        Json.Builder content = Json.Obj.builder();
        if (given != null) {
            given.forEach(content::put);
        }
        content.put("description", description)
                .put("task_id", taskId)
                .put("timeout_ms", timeoutMs)
                .put("priority", priority);
        Json.Obj event = options.event("task.submitted", content.build());
        if (taskId != null) {
            event = event.with("task_id", Json.of(taskId));
        }
        if (parent != null) {
            event = event.with("parent_task_id", Json.of(parent));
        }
        try (Api api = root().api()) {
            Json.Obj reply = api.post("events", event);
            String made = reply.has("task_id") ? reply.string("task_id") : taskId;
            if (!watch || made == null) {
                console().result(reply, EmitCommand.accepted("task.submitted", reply));
                return ExitCodes.OK;
            }
            console().note("Task " + made);
            return new TaskFollower(this, api, made).run();
        }
    }
}
