package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigTemplate;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a configuration file. */
@Command(
        name = "init",
        description = "Write a configuration file that lists every setting with its default.",
        footer = {"", "Example: harmovela init && $EDITOR harmovela.config.yaml"})
final class InitCommand extends HubCommand {

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            defaultValue = "harmovela.config.yaml",
            description = "where to (default: ${DEFAULT-VALUE})")
    private Path file;

    @Option(names = "--force", description = "overwrite a file that is there")
    private boolean force;

    @Override
    int run() throws Failure {
        OpenOption how = force ? StandardOpenOption.CREATE : StandardOpenOption.CREATE_NEW;
        try {
            Files.writeString(
                    file, ConfigTemplate.yaml(), how, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (FileAlreadyExistsException exists) {
            throw Failure.failed("conflict", "There is a file " + file + " already.", "Overwrite it with --force.");
        } catch (IOException failed) {
            throw Failure.failed("io_error", "The file " + file + " cannot be written: " + failed + ".", null);
        }
        Json.Obj data = Json.Obj.builder().put("file", file.toString()).build();
        console().result(data, "Wrote " + file + "; every line shows a default, commented out.");
        return ExitCodes.OK;
    }
}
