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
            "Start a hub on a free port with sample agents, and let them work through four scenarios:",
            "1. a task is worked on to its end, and another is cancelled midway;",
            "2. a reader of memory and context loses its connection, comes back and misses nothing;",
            "3. work is handed over with a proof, passed up, and stopped from the top;",
            "4. a task runs into the limit of its budget and is stopped."
        },
        footer = {"", "Example: harmovela demo --scenario 2"})
final class DemoCommand extends HubCommand {

    private static final int LAST = 4;

    @Option(names = "--scenario", paramLabel = "N", description = "only this one (1 to 4)")
    private int scenario;

    private static Json.Obj play(int number, DemoStage stage) throws Exception {
        return switch (number) {
            case 1 -> new DemoTasks(stage).play();
            case 2 -> new DemoMemory(stage).play();
            case 3 -> new DemoHandover(stage).play();
            default -> new DemoBudget(stage).play();
        };
    }

    @Override
    int run() throws Exception {
        if (scenario < 0 || scenario > LAST) {
            throw Failure.usage("There is no scenario " + scenario + ".", "There are 1 to " + LAST + ".");
        }
        List<Json> told = new ArrayList<>();
        try (Daemon daemon = Daemon.start(ConfigLoader.development(0))) {
            DemoStage stage = new DemoStage(console(), daemon.url());
            stage.say("A hub runs at " + daemon.url() + ", in memory, for this demonstration only.");
            for (int number = 1; number <= LAST; number++) {
                if (scenario == 0 || scenario == number) {
                    told.add(play(number, stage));
                }
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
