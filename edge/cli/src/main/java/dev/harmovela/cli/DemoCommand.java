package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.StartFailed;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what a hub is for. */
@Command(
        name = "demo",
        description = {
            "Start a hub on a free port with sample agents, and let them work through two scenarios:",
            "1. a task is worked on to its end, and another is cancelled midway;",
            "2. a reader of memory and context loses its connection, comes back and misses nothing."
        },
        footer = {"", "Example: harmovela demo --scenario 2"})
final class DemoCommand extends HubCommand {

    @Option(names = "--scenario", paramLabel = "N", description = "only this one (1 or 2)")
    private int scenario;

    @Override
    int run() throws Exception {
        if (scenario < 0 || scenario > 2) {
            throw Failure.usage("There is no scenario " + scenario + ".", "There are 1 and 2.");
        }
        List<Json> told = new ArrayList<>();
        try (Daemon daemon = Daemon.start(ConfigLoader.development(0))) {
            DemoStage stage = new DemoStage(console(), daemon.url());
            stage.say("A hub runs at " + daemon.url() + ", in memory, for this demonstration only.");
            if (scenario != 2) {
                told.add(new DemoTasks(stage).play());
            }
            if (scenario != 1) {
                told.add(new DemoMemory(stage).play());
            }
            stage.say("");
            stage.say("Both sides spoke WebSocket, as any agent in any language can. Next: harmovela serve --dev");
        } catch (StartFailed failed) {
            throw Failure.of(failed);
        }
        if (console().isJson()) {
            console()
                    .result(
                            Json.Obj.builder()
                                    .put("scenarios", new Json.Arr(told))
                                    .build(),
                            "");
        }
        return ExitCodes.OK;
    }
}
