package dev.harmovela.cli;

import dev.harmovela.conformance.a2a.Badge;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a badge from a report. */
@Command(
        name = "conformance-badge",
        description = "Draw a badge from a report; skips are not passes.",
        footer = {"", "Example: a2amesh conformance-badge report.json --output badge.svg"})
final class A2aBadge extends HubCommand {

    @Parameters(paramLabel = "REPORT", description = "what conformance --json printed")
    private Path report = Path.of("");

    @Option(names = "--output", paramLabel = "FILE", description = "write it there instead of printing it")
    private @Nullable Path output;

    @Option(names = "--markdown", description = "a line of text instead of a picture")
    private boolean markdown;

    @Override
    int run() throws Failure {
        Badge badge = badge();
        String text = markdown ? badge.markdown() : badge.svg();
        if (output == null) {
            console().result(Json.of(text), text);
            return ExitCodes.OK;
        }
        try {
            Files.writeString(output, text + "\n");
        } catch (IOException failed) {
            throw Failure.failed("io_error", "The file " + output + " cannot be written: " + failed + ".", null);
        }
        console().result(Json.of(output.toString()), "");
        return ExitCodes.OK;
    }

    private Badge badge() throws Failure {
        try {
            Badge badge = Json.parse(Files.readString(report)) instanceof Json.Obj object ? Badge.of(object) : null;
            if (badge != null) {
                return badge;
            }
        } catch (IOException unreadable) {
            throw Failure.usage("The file " + report + " cannot be read.", "It is what conformance --json printed.");
        } catch (JsonException notJson) {
            // told below
        }
        throw Failure.usage("The file " + report + " is no report.", "It is what conformance --json printed.");
    }
}
