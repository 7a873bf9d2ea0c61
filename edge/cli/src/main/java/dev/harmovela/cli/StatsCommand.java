package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import picocli.CommandLine.Command;

/** Figures of delivery. */
@Command(
        name = "stats",
        description = "Show how many events were stored and what became of their deliveries.",
        footer = {"", "Example: harmovela stats --json"})
final class StatsCommand extends HubCommand {

    @Override
    int run() throws Failure {
        try (Api api = root().api()) {
            Json.Obj stats = api.get("stats");
            StringBuilder text = new StringBuilder();
            write(text, "", stats);
            console().result(stats, text.toString());
            return ExitCodes.OK;
        }
    }

    private static void write(StringBuilder text, String prefix, Json.Obj figures) {
        figures.forEach((name, value) -> {
            if (value instanceof Json.Obj group) {
                write(text, prefix + name + ".", group);
            } else if (value != Json.Null.NULL) {
                text.append(String.format("%-28s %s%n", prefix + name, Table.text(figures, name)));
            }
        });
    }
}
