package dev.harmovela.cli;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The command line as a process of its own, on the class path of the tests. */
final class Hub implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path out;
    private final Path err;

    private Hub(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it; its output goes to files in {@code folder}. */
    static Hub start(Path folder, Redirect input, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.harmovela.cli.Main"));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "hub", ".out");
        Path err = Files.createTempFile(folder, "hub", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HARMOVELA_"));
        builder.environment().putAll(Cli.SMALL);
        Process process = builder.redirectInput(input)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new Hub(process, out, err);
    }

    /** Starts {@code serve} and waits until it is ready. */
    static Hub serve(Path folder, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--json", "--port", "0"));
        arguments.addAll(List.of(options));
        Hub hub = start(folder, Redirect.from(new File("/dev/null")), arguments.toArray(String[]::new));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !hub.process.isAlive() || hub.out().endsWith("\n"));
        return hub;
    }

    URI url() throws IOException {
        return URI.create(new Cli.Ran(0, out(), err()).data().string("url"));
    }

    Process process() {
        return process;
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    int waitFor() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the process did not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
