package dev.harmovela.testkit.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server as a child process on a free port, with a folder of its own; it ends with the test at the latest. */
public final class ServerProcess implements AutoCloseable {

    private static final long START_SECONDS = 60;
    private static final int POLL_MILLIS = 20;

    private final List<String> command;
    private final int port;
    private final Path folder;
    private @Nullable Process process;

    /**
     * @param command what to run; it listens on {@code port}
     * @param folder where it runs and writes
     */
    public ServerProcess(List<String> command, int port, Path folder) {
        this.command = command;
        this.port = port;
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** A port that is free now. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Where a program is, or null when this machine lacks it. */
    public static @Nullable String find(String program) {
        String path = System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin:/sbin";
        for (String place : List.of(path.split(":", -1))) {
            Path file = Path.of(place, program);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        return null;
    }

    /** Starts it and waits for its port. */
    public synchronized void start() {
        if (process != null && process.isAlive()) {
            return;
        }
        try {
            Process started = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("server.log").toFile()))
                    .start();
            process = started;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
            while (System.nanoTime() < end && started.isAlive()) {
                if (answers()) {
                    return;
                }
                var _ = started.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
            throw new AssertionError("it does not start: " + command + "\n" + log());
        } catch (IOException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), POLL_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The end of what it wrote. */
    public String log() {
        try {
            String all = Files.readString(folder.resolve("server.log"));
            return all.substring(Math.max(0, all.length() - 3000));
        } catch (IOException none) {
            return "";
        }
    }

    /** Ends it at once (SIGKILL). */
    public synchronized void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            try {
                running.waitFor();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            process = null;
        }
    }

    /** SIGSTOP. */
    public void freeze() {
        signal("-STOP");
    }

    /** SIGCONT. */
    public void thaw() {
        signal("-CONT");
    }

    private synchronized void signal(String name) {
        Process running = process;
        if (running != null) {
            try {
                new ProcessBuilder("kill", name, Long.toString(running.pid()))
                        .start()
                        .waitFor();
            } catch (IOException failed) {
                throw new AssertionError(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        kill();
    }
}
