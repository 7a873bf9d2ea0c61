package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.LoadedConfig;
import dev.harmovela.runtime.Rebuild;
import dev.harmovela.runtime.StartFailed;
import java.util.Map;
import picocli.CommandLine.Command;

/** Makes the search anew. */
@Command(
        name = "rebuild",
        description = "Delete the search over ended tasks and build it again from the journal. The hub must not run.",
        footer = {"", "Example: harmovela rebuild --data .harmovela"})
final class RebuildCommand extends HubCommand {

    @Override
    int run() throws Failure {
        LoadedConfig loaded = root().load(Map.of());
        try {
            long position = Rebuild.run(loaded.config());
            Json.Obj data = Json.Obj.builder()
                    .put("data", String.valueOf(loaded.config().data()))
                    .put("applied_lsn", position)
                    .build();
            console().result(data, "The search was built again, up to position " + position + " of the journal.");
            return ExitCodes.OK;
        } catch (StartFailed failed) {
            throw Failure.of(failed);
        }
    }
}
