package dev.harmovela.cli;

import dev.harmovela.runtime.LoadedConfig;
import dev.harmovela.runtime.StartFailed;
import dev.harmovela.runtime.StdioDaemon;
import java.util.Map;
import picocli.CommandLine.Command;

/** A hub on standard input and output. */
@Command(
        name = "stdio",
        description = {
            "Run a hub on standard input and output: one event a line, each way.",
            "In memory unless --data names a directory. Standard output carries events and nothing else."
        },
        footer = {"", "Example: harmovela stdio < events.ndjson"})
final class StdioCommand extends HubCommand {

    @Override
    int run() throws Failure, InterruptedException {
        return serve(root());
    }

    /** Serves as the options and the environment of {@code root} say; the exit code. */
    static int serve(Root root) throws Failure, InterruptedException {
        LoadedConfig loaded = root.load(Map.of("dev", "true"));
        Logs.configure(loaded.config().logLevel());
        try {
            return StdioDaemon.run(loaded.config(), System.in, root.console().out(), System.err);
        } catch (StartFailed failed) {
            throw Failure.of(failed);
        }
    }
}
