package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import picocli.CommandLine.Parameters;

/** Shows one thing by its id. */
abstract class ShowCommand extends HubCommand {

    @Parameters(paramLabel = "ID", description = "its id")
    private String id;

    /** Path of the list it belongs to. */
    abstract String path();

    @Override
    final int run() throws Failure {
        try (Api api = root().api()) {
            Json.Obj found = api.get(path() + "/" + Api.encode(id));
            console().result(found, text(found));
            return ExitCodes.OK;
        }
    }

    /** For people: a member a line. */
    String text(Json.Obj found) {
        StringBuilder text = new StringBuilder();
        found.forEach((name, value) -> {
            if (value != Json.Null.NULL) {
                String shown = value instanceof Json.Str string ? string.value() : value.toString();
                text.append(String.format("%-20s %s%n", name, shown));
            }
        });
        return text.toString();
    }
}
