package dev.harmovela.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Starts the measurements of the checkout that this command was built in; they are not part of the hub. */
@Command(
        name = "bench",
        description = "Measure the hub beside Redis Streams and NATS JetStream on this machine.",
        customSynopsis = "harmovela bench [--quick] [--alone] [--list] [--out DIR] [--work DIR] [ROW ...]",
        footer = {
            "",
            "  --quick     short runs, less than five minutes in all",
            "  --alone     the hub without its peers",
            "  --list      the names of the rows",
            "  --out DIR   where the report goes",
            "  --work DIR  where the servers keep their data meanwhile",
            "",
            "Example: harmovela bench --quick consume4"
        })
final class BenchCommand extends HubCommand {

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    int run() throws Failure {
        Path script = script();
        if (script == null) {
            throw Failure.failed(
                    "not_supported",
                    "The measurements belong to a checkout of the sources.",
                    "Run ./dev bench in one.");
        }
        List<String> command = new ArrayList<>(List.of(script.toString(), "bench"));
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw Failure.failed("internal_error", "Cannot run " + script + ": " + e.getMessage(), null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCodes.FAILED;
        }
    }

    private static @Nullable Path script() {
        String dist = System.getProperty("harmovela.dist");
        try {
            Path script = dist == null
                    ? null
                    : Path.of(Files.readString(Path.of(dist, "home")).strip(), "dev");
            return script != null && Files.isExecutable(script) ? script : null;
        } catch (IOException e) {
            return null;
        }
    }
}
