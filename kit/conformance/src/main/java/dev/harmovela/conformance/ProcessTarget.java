package dev.harmovela.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process that takes events on its standard input and answers on its standard output; one for each conversation. */
final class ProcessTarget implements Target {

    private static final long EXIT_SECONDS = 5;
    private static final int NO_COMMAND = 127;
    private static final int NOT_EXECUTABLE = 126;

    private final String name;
    private final String command;

    ProcessTarget(String name, String command) {
        this.name = name;
        this.command = command;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String transportProfile() {
        return "harmovela.transport.stdio.v1";
    }

    @Override
    public Exchange open() {
        try {
            return new Running(new ProcessBuilder(List.of("sh", "-c", command)).start(), command);
        } catch (IOException e) {
            throw new UnreachableException("the command cannot be started: " + e.getMessage());
        }
    }

    /** One process. */
    private static final class Running implements Exchange {

        private final Process process;
        private final String command;
        private final Inbox inbox = new Inbox();
        private final OutputStream input;

        Running(Process process, String command) {
            this.process = process;
            this.command = command;
            this.input = process.getOutputStream();
            Thread errors = reader(process.getErrorStream(), Incoming.Channel.DIAGNOSTICS);
            Thread.ofVirtual().name("conformance-output").start(() -> {
                copy(process.getInputStream(), Incoming.Channel.EVENTS);
                joined(errors);
                inbox.end(ending());
            });
        }

        private Thread reader(InputStream stream, Incoming.Channel channel) {
            return Thread.ofVirtual().name("conformance-errors").start(() -> copy(stream, channel));
        }

        private void copy(InputStream stream, Incoming.Channel channel) {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!line.isBlank()) {
                        inbox.add(new Incoming(line, channel));
                    }
                }
            } catch (IOException e) {
                inbox.add(new Incoming("unreadable: " + e.getMessage(), Incoming.Channel.DIAGNOSTICS));
            }
        }

        private static void joined(Thread thread) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(EXIT_SECONDS));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private String ending() {
            try {
                if (process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                    int code = process.exitValue();
                    boolean absent = code == NO_COMMAND || code == NOT_EXECUTABLE;
                    return absent ? "there is no command " + command : "the process ended with code " + code;
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return "the process closed its output";
        }

        @Override
        public void send(String line) throws IOException {
            try {
                input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                input.flush();
            } catch (IOException e) {
                throw new IOException("the process does not read its input any more (" + ending() + ")", e);
            }
        }

        @Override
        public @Nullable Incoming receive(long timeoutMillis) throws IOException, InterruptedException {
            return inbox.take(timeoutMillis);
        }

        @Override
        public void close() {
            List<ProcessHandle> family;
            try (Stream<ProcessHandle> children = process.descendants()) {
                family = children.toList();
            }
            try {
                input.close();
            } catch (IOException _) {
                // The process is gone already, which is what closing its input is for.
            }
            try {
                if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException _) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
            family.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
