package dev.harmovela.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the programs are that take part.
 *
 * @param root the checkout
 * @param harmovela the command of the checkout
 * @param redis the Redis server, or null
 * @param nats a NATS server of 2.10 or newer, or null
 * @param work directory for the data of all servers, on a real disk
 */
record Tools(
        Path root,
        Path harmovela,
        @Nullable Path redis,
        @Nullable Path nats,
        Path work) {

    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.\\d+");
    private static final int NATS_MAJOR = 2;
    private static final int NATS_MINOR = 10;

    /** Looks for everything. What {@code scripts/bench-peers.sh} installed comes before what the system has. */
    static Tools find(Path root, Path work) {
        Path peers = root.resolve("kit/bench/target/peers/usr");
        return new Tools(
                root,
                root.resolve("harmovela"),
                program("redis-server", peers),
                recent(program("nats-server", peers)),
                work);
    }

    private static @Nullable Path program(String name, Path peers) {
        for (Path folder : List.of(
                peers.resolve("sbin"),
                peers.resolve("bin"),
                Path.of("/usr/local/bin"),
                Path.of("/usr/sbin"),
                Path.of("/usr/bin"))) {
            if (Files.isExecutable(folder.resolve(name))) {
                return folder.resolve(name);
            }
        }
        return null;
    }

    /** {@code sync_interval: always} exists since 2.10; an older server would only pretend to be a contender. */
    private static @Nullable Path recent(@Nullable Path nats) {
        if (nats == null) {
            return null;
        }
        Matcher version = VERSION.matcher(version(nats));
        boolean recent = version.find()
                && (Integer.parseInt(version.group(1)) > NATS_MAJOR
                        || (Integer.parseInt(version.group(1)) == NATS_MAJOR
                                && Integer.parseInt(version.group(2)) >= NATS_MINOR));
        return recent ? nats : null;
    }

    /** First line of what a program says to {@code --version}. */
    static String version(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            String text = new String(process.getInputStream().readAllBytes()).strip();
            var _ = process.waitFor(1, TimeUnit.SECONDS);
            return text.lines().findFirst().orElse("");
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** A fresh directory for one server. */
    Path directory(String name) {
        try {
            return Files.createTempDirectory(Files.createDirectories(work), name);
        } catch (IOException e) {
            throw new BenchFailed("no directory for " + name, e);
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new BenchFailed("no free port", e);
        }
    }
}
