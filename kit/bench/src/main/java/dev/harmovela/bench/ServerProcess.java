package dev.harmovela.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server started for a measurement on a free port of its own, with a directory of its own. Whatever happens, it
 * is killed at
 * the end, at the latest when this process ends.
 */
final class ServerProcess implements AutoCloseable {

    private static final Set<ServerProcess> RUNNING = ConcurrentHashMap.newKeySet();
    private static final Duration START = Duration.ofSeconds(30);
    private static final long STOP_SECONDS = 5;
    private static final int POLL_MILLIS = 5;
    private static final double TICK_MICROS = 10_000;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(ServerProcess::close)));
    }

    private final Process process;
    private final int port;
    private final Path directory;
    private final Duration readyAfter;

    private ServerProcess(Process process, int port, Path directory, long startedAt) {
        this.process = process;
        this.port = port;
        this.directory = directory;
        RUNNING.add(this);
        try {
            awaitPort();
        } catch (BenchFailed failed) {
            close();
            throw failed;
        }
        this.readyAfter = Duration.ofNanos(System.nanoTime() - startedAt);
    }

    /** Starts a command and waits until its port answers. */
    static ServerProcess start(List<String> command, int port, Path directory) {
        long now = System.nanoTime();
        try {
            Path log = directory.resolve("server.log");
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new ServerProcess(process, port, directory, now);
        } catch (IOException e) {
            throw new BenchFailed("cannot start " + command.get(0), e);
        }
    }

    private void awaitPort() {
        long end = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < end) {
            if (!process.isAlive()) {
                throw new BenchFailed("a server ended at once, code " + process.exitValue() + ": " + log());
            }
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return;
            } catch (IOException notYet) {
                pause();
            }
        }
        throw new BenchFailed("a server was not reachable within " + START.toSeconds() + " s: " + log());
    }

    private void pause() {
        try {
            var _ = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted", e);
        }
    }

    private String log() {
        try {
            String all = Files.readString(directory.resolve("server.log"));
            return all.substring(Math.max(0, all.length() - 2000)).strip();
        } catch (IOException unreadable) {
            return "no log: " + unreadable.getMessage();
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /** From the start of the process until its port answered. */
    Duration readyAfter() {
        return readyAfter;
    }

    /** Processor time used so far, in microseconds, to ten milliseconds. */
    double cpuMicros() {
        String stat = proc("stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MICROS;
    }

    /** Largest resident memory so far, in MiB. */
    double peakMegabytes() {
        return status("VmHWM:");
    }

    /** Resident memory now, in MiB. */
    double residentMegabytes() {
        return status("VmRSS:");
    }

    private double status(String name) {
        return proc("status")
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0)
                .findFirst()
                .orElseThrow(() -> new BenchFailed("no " + name + " for process " + pid()));
    }

    private String proc(String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid()), file));
        } catch (IOException e) {
            throw new BenchFailed("the server has gone: " + log(), e);
        }
    }

    @Override
    public void close() {
        if (!RUNNING.remove(this)) {
            return;
        }
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            }
            delete(directory);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            System.err.println("left behind: " + directory + " (" + e.getMessage() + ")");
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
