package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Hands a task over. */
@Command(
        name = "delegate",
        description = {
            "Hand a task over to an agent or a pool: ask, wait until it is accepted, and complete the handover.",
            "A task that nobody submitted comes to exist below --parent."
        },
        footer = {"", "Example: harmovela delegate t2 agent:worker --parent t1 --source agent:planner"})
final class DelegateCommand extends HubCommand {

    private static final List<String> ANSWERS = List.of("delegation.accepted", "delegation.rejected");

    @Parameters(index = "0", paramLabel = "TASK", description = "the task")
    private String task;

    @Parameters(index = "1", paramLabel = "TO", description = "who shall have it")
    private String to;

    @Option(
            names = "--source",
            paramLabel = "ID",
            defaultValue = IDENTITY,
            description = "who hands it over (default: ${DEFAULT-VALUE})")
    private String source;

    @Option(names = "--parent", paramLabel = "ID", description = "the task above it (default: the task itself)")
    private @Nullable String parent;

    @Option(names = "--scope", paramLabel = "RIGHT", description = "what may be done for it at the most; repeatable")
    private List<String> scopes = List.of();

    @Option(names = "--fallback", paramLabel = "ID", description = "who is asked when TO does not want it; repeatable")
    private List<String> fallback = List.of();

    @Option(
            names = "--timeout-ms",
            paramLabel = "N",
            defaultValue = "60000",
            description = "when it is given up (default: ${DEFAULT-VALUE})")
    private long timeoutMs;

    private Json.Obj event(String type, String delegate, String correlation, Json.Obj payload) {
        return Json.Obj.builder()
                .put("type", type)
                .put("task_id", task)
                .put("parent_task_id", parent == null ? task : parent)
                .put("delegated_by", source)
                .put("delegated_to", delegate)
                .put("correlation_id", correlation)
                .put("payload", payload)
                .build();
    }

    @Override
    int run() throws Exception {
        String correlation = "cli_" + UUID.randomUUID();
        Json.Obj asked = Json.Obj.builder()
                .put("task_id", task)
                .put("timeout_ms", timeoutMs)
                .put("authorization_scope", scopes.isEmpty() ? null : scopes)
                .put("fallback", fallback.isEmpty() ? null : fallback)
                .build();
        try (Wait wait = Wait.attach(this, source)) {
            wait.send(event("delegation.requested", to, correlation, asked));
            console().note("Asked " + to + ".");
            Json.Obj answer = wait.next(ANSWERS, correlation, timeoutMs + 5_000);
            while ("delegation.accepted".equals(answer.string("type")) && !answer.has("handoff_token")) {
                answer = wait.next(ANSWERS, correlation, timeoutMs);
            }
            if ("delegation.rejected".equals(answer.string("type"))) {
                throw Failure.failed(
                        "delegation_rejected", to + " does not have it: " + answer.object("payload") + ".", null);
            }
            String delegate = String.valueOf(answer.string("delegated_to"));
            Json.Obj done = event(
                            "delegation.handoff.completed",
                            delegate,
                            correlation,
                            Json.Obj.builder().put("task_id", task).build())
                    .with("handoff_token", Json.of(String.valueOf(answer.string("handoff_token"))));
            Json.Obj reply = wait.send(done);
            console().result(reply, task + " is " + delegate + "'s now.");
            return ExitCodes.OK;
        }
    }
}
