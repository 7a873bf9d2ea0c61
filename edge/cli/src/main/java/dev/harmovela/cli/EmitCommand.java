package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Publishes events. */
@Command(
        name = "emit",
        description = {
            "Publish an event, and wait until the hub has stored it.",
            "With - as TYPE it reads whole events from standard input, one a line."
        },
        footer = {
            "",
            "Examples: harmovela pub context.updated '{\"n\":1}'",
            "          harmovela sub 'memory.*' --json --port 8787 | harmovela pub - --port 8788"
        })
final class EmitCommand extends HubCommand {

    @Parameters(index = "0", paramLabel = "TYPE", description = "event type, or - for standard input")
    private String type;

    @Parameters(index = "1", arity = "0..1", paramLabel = "JSON", description = "payload")
    private @Nullable String positional;

    @Option(names = "--payload", paramLabel = "JSON", description = "payload")
    private @Nullable String payload;

    @Option(names = "--task-id", paramLabel = "ID", description = "its task, in the envelope and in the payload")
    private @Nullable String taskId;

    @Option(names = "--parent-task-id", paramLabel = "ID", description = "the task above its task")
    private @Nullable String parentTaskId;

    @Mixin
    private EventOptions options;

    /** Where {@code -} reads from. */
    private final InputStream input;

    EmitCommand() {
        this(System.in);
    }

    EmitCommand(InputStream input) {
        this.input = input;
    }

    @Override
    int run() throws Exception {
        if (type.equals("-")) {
            try (var client = attach(IDENTITY)) {
                return new EmitLines(client, console(), root().hub()).run(input);
            }
        }
        if (positional != null && payload != null) {
            throw Failure.usage("The payload is given twice.", "Give it after the type or with --payload.");
        }
        Json.Obj content = EventOptions.payload(positional == null ? payload : positional);
        Json.Obj event = options.event(type, content);
        if (taskId != null) {
            event = event.with("task_id", Json.of(taskId));
            if (content == null || !content.has("task_id")) {
                event = event.with(
                        "payload", (content == null ? Json.Obj.of() : content).with("task_id", Json.of(taskId)));
            }
        }
        if (parentTaskId != null) {
            event = event.with("parent_task_id", Json.of(parentTaskId));
        }
        try (Api api = root().api()) {
            Json.Obj reply = api.post("events", event);
            console().result(reply, accepted(type, reply));
            return ExitCodes.OK;
        }
    }

    /** What the hub said about an event, on one line. */
    static String accepted(String type, Json.Obj reply) {
        StringBuilder text = new StringBuilder(type).append(' ').append(Table.text(reply, "id"));
        if (Boolean.TRUE.equals(reply.bool("duplicate"))) {
            text.append(" was there already");
        } else {
            text.append(reply.has("cursor") ? " stored at " + reply.string("cursor") : " taken, not stored");
        }
        return text.append(reply.has("task_id") ? ", task " + reply.string("task_id") : "")
                .toString();
    }
}
