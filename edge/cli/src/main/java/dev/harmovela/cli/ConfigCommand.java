package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.LoadedConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What holds and why. */
@Command(name = "config", description = "Look at the configuration.", subcommands = ConfigCommand.Show.class)
final class ConfigCommand extends Group {

    @Command(
            name = "show",
            aliases = {"ls", "list"},
            description = "Show every setting, its value and where the value came from.",
            footer = {"", "Example: HARMOVELA_PORT=9000 harmovela config show --changed"})
    static final class Show extends HubCommand {

        @Option(names = "--changed", description = "only what is not a default")
        private boolean changed;

        @Override
        int run() throws Failure {
            LoadedConfig loaded = root().load(Map.of());
            List<Json> rows = new ArrayList<>();
            for (LoadedConfig.Entry entry : loaded.entries()) {
                String origin = entry.origin().text();
                if (!changed || !origin.equals("default")) {
                    rows.add(Json.Obj.builder()
                            .put("setting", entry.path())
                            .put("value", entry.value())
                            .put("origin", origin)
                            .put("help", entry.help())
                            .build());
                }
            }
            Json.Obj data = Json.Obj.builder()
                    .put("file", loaded.file() == null ? null : loaded.file().toString())
                    .put("settings", new Json.Arr(rows))
                    .build();
            console().result(data, Table.of(rows, "SETTING=setting", "VALUE=value", "FROM=origin", "MEANING=help"));
            return ExitCodes.OK;
        }
    }
}
