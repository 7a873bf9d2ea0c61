package dev.harmovela.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/** What is measured of the hub alone: start, idle sessions, an absent consumer and its return. */
final class Singles {

    private static final Duration BUILD = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int STARTS = 5;
    private static final int WINDOW = 1024;
    /** Sessions opened at once, and the pause between two such groups: the hub takes 2000 connections a second. */
    private static final int GROUP = 200;

    private static final Duration GROUP_PAUSE = Duration.ofMillis(150);

    private final Tools tools;
    private final Effort effort;
    private final Consumer<String> progress;

    Singles(Tools tools, Effort effort, Consumer<String> progress) {
        this.tools = tools;
        this.effort = effort;
        this.progress = progress;
    }

    List<Figure> run(Row row) {
        progress.accept(row.wire());
        return switch (row) {
            case VERSION -> version();
            case READY -> ready();
            case SESSIONS -> sessions();
            case BACKLOG -> backlog();
            case REPLAY -> List.of(replay());
            default -> throw new IllegalArgumentException(row.wire());
        };
    }

    /** Builds what is missing, so that no measurement contains a build. */
    void prepare() {
        progress.accept("building the hub if need be");
        seconds(BUILD, tools.harmovela().toString(), "--version");
    }

    private List<Figure> version() {
        String command = tools.harmovela().toString();
        double seconds = median(() -> seconds(PATIENCE, command, "--version"));
        return List.of(Figure.atMost("harmovela --version", seconds, "s", 0.3));
    }

    private List<Figure> ready() {
        double seconds = median(() -> {
            try (ServerProcess server = Servers.hub(tools)) {
                return server.readyAfter().toNanos() / 1e9;
            }
        });
        return List.of(Figure.atMost("harmovela serve, until its port answers", seconds, "s", 1));
    }

    private static double median(DoubleSupplier measure) {
        double[] all = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            all[i] = measure.getAsDouble();
        }
        Arrays.sort(all);
        return all[STARTS / 2];
    }

    private static double seconds(Duration limit, String... command) {
        long begin = System.nanoTime();
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new BenchFailed(String.join(" ", command) + " took longer than " + limit.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                throw new BenchFailed(String.join(" ", command) + " ended with " + process.exitValue());
            }
        } catch (IOException e) {
            throw new BenchFailed("cannot start " + command[0], e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted", e);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private List<Figure> sessions() {
        try (ServerProcess server = Servers.hub(tools);
                Loop loop = new Loop()) {
            double before = collected(server);
            List<IdleSession> sessions = new ArrayList<>();
            while (sessions.size() < effort.sessions()) {
                long next = System.nanoTime() + GROUP_PAUSE.toNanos();
                int to = Math.min(effort.sessions(), sessions.size() + GROUP);
                for (int i = sessions.size(); i < to; i++) {
                    sessions.add(new IdleSession(loop, server.port(), i));
                }
                loop.until(
                        () -> sessions.getLast().isOpen() && System.nanoTime() >= next, PATIENCE, "opening sessions");
                sessions.forEach(Wire::shrink);
            }
            loop.until(() -> sessions.stream().allMatch(HubWire::isOpen), PATIENCE, "opening sessions");
            String what = effort.sessions() + " idle sessions, resident memory ";
            return List.of(
                    Figure.plain(what + "at its peak", server.peakMegabytes(), "MB"),
                    Figure.atMost(what + "after a collection", collected(server), "MB", 300),
                    Figure.plain(what + "before the first", before, "MB"));
        }
    }

    private List<Figure> backlog() {
        double without = residentAfterPublishing(false);
        double with = residentAfterPublishing(true);
        return List.of(
                Figure.plain(effort.backlog() + " events, resident memory after a collection", without, "MB"),
                Figure.atMost("more when all wait for an absent consumer", with - without, "MB", 30));
    }

    private double residentAfterPublishing(boolean absentConsumer) {
        try (Rig rig = new Rig(Servers.hub(tools), Contender.HUB, 0)) {
            if (absentConsumer) {
                rig.loseConsumer();
            }
            rig.run(WINDOW, PATIENCE, effort.backlog());
            return collected(rig.server());
        }
    }

    private Figure replay() {
        try (Rig rig = new Rig(Servers.hub(tools), Contender.HUB, 0)) {
            HubConsumer lost = rig.loseConsumer();
            rig.run(WINDOW, PATIENCE, effort.backlog());
            double rate = rig.replay(lost, PATIENCE);
            return Figure.atLeast("events to one returning consumer, each acknowledged", rate / 1000, "k/s", 300);
        }
    }

    /** Resident memory of a hub whose garbage has been collected. */
    private static double collected(ServerProcess server) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        seconds(PATIENCE, jcmd.toString(), Long.toString(server.pid()), "GC.run");
        return server.residentMegabytes();
    }
}
