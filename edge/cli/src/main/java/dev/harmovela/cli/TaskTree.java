package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A task and everything below it. */
@Command(
        name = "tree",
        description = "Show a task and every task below it, each with its state and owner.",
        footer = {"", "Example: harmovela task tree t1"})
final class TaskTree extends HubCommand {

    @Parameters(paramLabel = "ID", description = "the task at the top")
    private String id;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "tasks at the most (default: ${DEFAULT-VALUE})")
    private int limit;

    private int shown;
    private boolean cut;

    @Override
    int run() throws Failure {
        try (Api api = root().api()) {
            StringBuilder text = new StringBuilder();
            Json.Obj tree = tree(api, id, 0, text);
            console().result(tree, text.toString());
            if (cut) {
                console().note("There is more than " + limit + " tasks: --limit shows them.");
            }
            return ExitCodes.OK;
        }
    }

    private Json.Obj tree(Api api, String task, int depth, StringBuilder text) throws Failure {
        shown++;
        Json.Obj known = api.get("tasks/" + Api.encode(task));
        text.append("  ".repeat(depth)).append(task).append("  ").append(Table.text(known, "state"));
        if (known.has("owner")) {
            text.append("  ").append(Table.text(known, "owner"));
        }
        text.append('\n');
        List<Json> below = new ArrayList<>();
        Json.Arr children = known.array("children");
        for (Json child : children == null ? List.<Json>of() : children.items()) {
            if (shown >= limit) {
                cut = true;
                break;
            }
            below.add(tree(api, Table.text(child, "task_id"), depth + 1, text));
        }
        return Json.Obj.builder()
                .put("task_id", task)
                .put("state", known.string("state"))
                .put("owner", known.string("owner"))
                .put("children", new Json.Arr(below))
                .build();
    }
}
