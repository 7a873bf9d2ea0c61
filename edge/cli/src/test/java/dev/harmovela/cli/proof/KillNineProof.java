package dev.harmovela.cli.proof;

import dev.harmovela.client.HttpApi;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Kills a hub with signal 9 while agents exchange events and work on tasks, starts it again, and holds what it says
 * afterwards against what it had promised: every acknowledged event arrived, no subscription has a gap in its
 * sequence, and no task is further back than a client had been told.
 *
 * <p>Runs from its source too: {@code scripts/kill9-proof}.
 */
public final class KillNineProof {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 5;

    /**
     * What to do.
     *
     * @param command the harmovela command, a word each
     * @param environment variables for it
     * @param folder for the data directory and the hub's messages
     * @param events to publish
     * @param rounds how often to kill
     */
    public record Plan(List<String> command, Map<String, String> environment, Path folder, int events, int rounds) {}

    private final Plan plan;
    private final int port;
    private final URI hub;
    private Process process;

    private KillNineProof(Plan plan) throws IOException {
        this.plan = plan;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = socket.getLocalPort();
        }
        this.hub = URI.create("http://127.0.0.1:" + port);
    }

    /** Arguments: the command, then {@code --events N}, {@code --rounds N}, {@code --dir DIR}. */
    public static void main(String... arguments) throws Exception {
        int events = 20_000;
        int rounds = 10;
        Path folder = Files.createTempDirectory("harmovela-kill9");
        List<String> command = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--events" -> events = Integer.parseInt(arguments[++i]);
                case "--rounds" -> rounds = Integer.parseInt(arguments[++i]);
                case "--dir" -> folder = Files.createDirectories(Path.of(arguments[++i]));
                default -> command.add(arguments[i]);
            }
        }
        List<String> broken = run(new Plan(command, Map.of(), folder, events, rounds));
        broken.forEach(promise -> System.out.println("BROKEN  " + promise));
        System.out.println(broken.isEmpty() ? "All promises held." : "Data: " + folder);
        System.exit(broken.isEmpty() ? 0 : 1);
    }

    /** Runs the plan; the promises that were broken, a line each. */
    public static List<String> run(Plan plan) throws Exception {
        KillNineProof proof = new KillNineProof(plan);
        try {
            return proof.play();
        } finally {
            proof.kill();
        }
    }

    private List<String> play() throws Exception {
        start();
        List<String> broken = new ArrayList<>();
        try (Exchanged exchanged = new Exchanged(hub, plan.events());
                Laboured laboured = new Laboured(hub)) {
            exchanged.begin();
            laboured.begin();
            // the publisher is never more than a share ahead, so that each kill meets it at work
            int share = plan.events() / (plan.rounds() + 1);
            Random random = new Random(plan.events());
            exchanged.allow(share);
            for (int round = 1; round <= plan.rounds(); round++) {
                exchanged.allow(share);
                long milestone = (long) share * round - random.nextInt(share);
                await(() -> exchanged.acknowledged() >= milestone, "event " + milestone + " is acknowledged");
                kill();
                System.out.println("killed " + round + " times, the last at " + exchanged.acknowledged()
                        + " acknowledged and " + exchanged.received() + " received events, "
                        + laboured.count() + " tasks");
                start();
                broken.addAll(laboured.forgotten());
            }
            exchanged.allow(plan.events());
            await(() -> exchanged.acknowledged() >= plan.events(), "all events are acknowledged");
            await(() -> exchanged.received() >= plan.events(), "all events have arrived");
            laboured.end();
            broken.addAll(laboured.forgotten());
            broken.addAll(exchanged.broken());
            System.out.println(exchanged.acknowledged() + " events acknowledged, " + exchanged.received()
                    + " received (" + exchanged.repeated() + " more than once), sequence 1 to "
                    + exchanged.highestSequence() + "; " + laboured.count() + " tasks, " + plan.rounds() + " kills");
        }
        return broken;
    }

    /** Something that has to become true. */
    @FunctionalInterface
    private interface Hope {
        boolean fulfilled() throws IOException;
    }

    private static void await(Hope hope, String what) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!hope.fulfilled()) {
            if (System.nanoTime() > end) {
                throw new IOException("it took too long until " + what);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void start() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(plan.command());
        command.addAll(List.of("serve", "--dev", "--port", Integer.toString(port)));
        command.addAll(List.of("--data", plan.folder().resolve("data").toString()));
        File messages = plan.folder().resolve("hub.log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(messages))
                .redirectError(ProcessBuilder.Redirect.appendTo(messages));
        builder.environment().putAll(plan.environment());
        process = builder.start();
        try (HttpApi api = new HttpApi(hub, null, CALL)) {
            await(() -> isReady(api), "the hub is ready");
        }
    }

    private boolean isReady(HttpApi api) throws IOException {
        if (!process.isAlive()) {
            throw new IOException("the hub did not start, see " + plan.folder().resolve("hub.log"));
        }
        try {
            return api.get("/readyz").ok();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Signal 9. */
    private void kill() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly();
            process.waitFor();
        }
    }
}
