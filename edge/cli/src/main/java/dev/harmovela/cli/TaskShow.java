package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Everything about one task. */
@Command(
        name = "show",
        description = "Show a task: its state, its owner, and every event of it in order.",
        footer = {"", "Example: harmovela task show t1"})
final class TaskShow extends HubCommand {

    @Parameters(paramLabel = "ID", description = "its id")
    private String id;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "events at the most (default: ${DEFAULT-VALUE})")
    private int limit;

    @Override
    int run() throws Failure {
        try (Api api = root().api()) {
            Json.Obj task = api.get("tasks/" + Api.encode(id));
            Json.Obj page = api.list("history", Map.of("task", id, "limit", Integer.toString(limit)));
            List<Json> events = Api.items(page);
            Json.Obj data = Json.Obj.builder()
                    .put("task", task)
                    .put("events", new Json.Arr(events))
                    .build();
            console().result(data, text(task, events));
            return ExitCodes.OK;
        }
    }

    private static String text(Json.Obj task, List<Json> events) {
        StringBuilder text = new StringBuilder();
        text.append("Task ").append(Table.text(task, "task_id")).append(": ").append(Table.text(task, "state"));
        for (String name : List.of(
                "owner", "submitter", "target", "parent_task_id", "reason", "lease", "times_out_at", "ended_at")) {
            if (task.has(name)) {
                text.append("\n  ").append(String.format("%-15s ", name)).append(Table.text(task, name));
            }
        }
        Json.Arr children = task.array("children");
        if (children != null && !children.items().isEmpty()) {
            text.append("\n  children       ");
            for (Json child : children.items()) {
                text.append(' ')
                        .append(Table.text(child, "task_id"))
                        .append(" (")
                        .append(Table.text(child, "state"))
                        .append(')');
            }
        }
        for (Json row : events) {
            if (row instanceof Json.Obj recorded && recorded.get("event") instanceof Json.Obj event) {
                text.append('\n').append(EventLine.of(event));
            }
        }
        return text.toString();
    }
}
