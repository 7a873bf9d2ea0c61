package dev.harmovela.cli;

import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Whether a hub runs and how it is. */
@Command(
        name = "status",
        description = "Say whether the hub runs, whether it is ready, and how much it holds.",
        footer = {"", "Example: harmovela status --port 9000"})
final class StatusCommand extends HubCommand {

    @Override
    int run() throws Failure {
        try (Api api = root().api()) {
            HttpApi.Reply health = api.raw("/healthz");
            HttpApi.Reply ready = api.raw("/readyz");
            if (!"harmovela".equals(health.object().string("name"))) {
                throw Failure.failed("not_a_hub", "What answers at " + api.hub() + " is no Harmovela hub.", null)
                        .at(api.hub());
            }
            Json.Obj status = api.get("status");
            Json.Builder data = Json.Obj.builder()
                    .put("url", api.hub().toString())
                    .put("version", health.object().string("version"))
                    .put("pid", health.object().integer("pid"))
                    .put("grpc", health.object().string("grpc"));
            status.forEach(data::put);
            HttpApi.Reply links = api.raw("links");
            if (links.ok()) {
                data.put("links", links.object().array("items"));
            }
            data.put("ready", ready.ok()).put("state", ready.object().string("status"));
            Json.Obj answer = data.build();
            if (!ready.ok()) {
                throw Failure.failed(
                                "not_ready",
                                "The hub at " + api.hub() + " lives but takes no work: "
                                        + ready.object().string("status") + problems(ready.object()) + ".",
                                "Wait until it has started or stopped, and look at its log.")
                        .at(api.hub())
                        .with(answer);
            }
            console().result(answer, text(answer));
            return ExitCodes.OK;
        }
    }

    /** The parts that keep the hub from its work. */
    private static String problems(Json.Obj readiness) {
        Json.Arr problems = readiness.array("problems");
        return problems == null
                ? ""
                : problems.items().stream()
                        .map(one -> (Json.Obj) one)
                        .map(one -> one.string("part") + " " + one.string("problem") + " since " + one.string("since"))
                        .collect(Collectors.joining("; ", ": ", ""));
    }

    private static String text(Json.Obj status) {
        String grpc = status.string("grpc");
        StringBuilder links = new StringBuilder();
        Json.Arr linked = status.array("links");
        for (Json one : linked == null ? List.<Json>of() : linked.items()) {
            Json.Obj link = (Json.Obj) one;
            String error = link.string("last_error");
            links.append("\n  link ")
                    .append(Table.text(link, "name"))
                    .append(": ")
                    .append(Table.text(link, "kind"))
                    .append(' ')
                    .append(Table.text(link, "mode"))
                    .append(' ')
                    .append(Table.text(link, "state"))
                    .append(", lag ")
                    .append(Table.text(link, "lag"))
                    .append(", in ")
                    .append(Table.text(link, "read_per_second"))
                    .append("/s, out ")
                    .append(Table.text(link, "written_per_second"))
                    .append("/s")
                    .append(error == null ? "" : "; last error: " + error);
        }
        return "Hub " + Table.text(status, "version") + " at " + Table.text(status, "url") + ", process "
                + Table.text(status, "pid") + ": " + Table.text(status, "state") + "\n"
                + (grpc == null ? "" : "  gRPC " + grpc + "\n")
                + "  sessions " + Table.text(status, "sessions") + ", subscriptions "
                + Table.text(status, "subscriptions") + ", live tasks " + Table.text(status, "tasks_live") + "\n"
                + "  journal " + Table.text(status, "journal") + ", " + Table.text(status, "journal_bytes")
                + " bytes, from " + Table.text(status, "earliest_cursor") + " to "
                + Table.text(status, "durable_cursor") + links;
    }
}
