package com.axisrobo.harmovela.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the harmovela command that {@code ./harmovela} has built, as a child process on the JDK it was built with, and
 * ends with the child's exit code. It compiles for Java 17, so that a Maven on an older Java can call it.
 */
public final class HarmovelaCli {

    private static final String MAIN = "dev.harmovela.cli.Main";
    private static final Path DIST = Path.of("edge", "cli", "target", "dist");
    private static final int NOT_BUILT = 69;

    private HarmovelaCli() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path dist = findDist(Path.of("").toAbsolutePath());
        if (dist == null) {
            System.err.println("The harmovela command is not built yet: run ./harmovela --version once in the checkout.");
            System.exit(NOT_BUILT);
        }
        Process child = new ProcessBuilder(command(dist, arguments)).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(child::destroy));
        System.exit(child.waitFor());
    }

    /** Looks for a finished build in this folder and in those above it; null when there is none. */
    static Path findDist(Path from) {
        for (Path at = from; at != null; at = at.getParent()) {
            if (Files.isReadable(at.resolve(DIST).resolve("jdk"))) {
                return at.resolve(DIST);
            }
        }
        return null;
    }

    static List<String> command(Path link, String[] arguments) throws IOException {
        Path dist = link.toRealPath();
        String jdk = Files.readString(dist.resolve("jdk")).strip();
        List<String> command = new ArrayList<>();
        command.add(Path.of(jdk, "bin", "java").toString());
        command.add("@" + dist.resolve(options(arguments)));
        command.add(MAIN);
        command.addAll(List.of(arguments));
        return command;
    }

    /** The same choice as the launcher makes: a process that stays gets the options of a server. */
    private static String options(String[] arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        return switch (first) {
            case "serve", "start", "stdio", "bench" -> "server.args";
            default -> "short.args";
        };
    }
}
