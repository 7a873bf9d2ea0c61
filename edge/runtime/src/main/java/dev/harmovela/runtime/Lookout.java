package dev.harmovela.runtime;

import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.harness.HubHealth;
import dev.harmovela.transport.http.HttpServer;
import dev.harmovela.transport.http.Readiness;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Keeps {@code /readyz} true to what the hub says of itself and to what can be seen from outside, on a thread of
 * its own.
 */
final class Lookout implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger("dev.harmovela.runtime");
    private static final long EVERY_MILLIS = 500;

    private final HttpServer server;
    private final GrpcDoor grpc;
    private final HubHealth health;
    private final Watchdog watchdog;
    private final ScheduledThreadPoolExecutor thread;
    private List<String> reported = List.of();

    Lookout(HttpServer server, GrpcDoor grpc, HarmovelaHub hub) {
        this.server = server;
        this.grpc = grpc;
        this.health = hub.health();
        this.watchdog =
                new Watchdog(server.executor()::later, hub::tick, health, System::currentTimeMillis, System::nanoTime);
        this.thread = new ScheduledThreadPoolExecutor(
                1, task -> Thread.ofPlatform().name("harmovela-watch").daemon().unstarted(task));
    }

    void start() {
        look();
        var _ = thread.scheduleWithFixedDelay(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        List<HubHealth.Part> stuck = watchdog.look();
        List<HubHealth.Part> problems =
                Stream.concat(health.problems().stream(), stuck.stream()).toList();
        server.readiness(new Readiness(problems.isEmpty(), parts(problems), parts(health.warnings())));
        grpc.ready(problems.isEmpty());
        server.standsStill(stuck.stream().anyMatch(one -> one.part().equals(Watchdog.DISPATCHER)));
        report(stuck);
    }

    private void report(List<HubHealth.Part> stuck) {
        List<String> names = stuck.stream().map(HubHealth.Part::part).toList();
        if (!names.equals(reported)) {
            reported = names;
            stuck.forEach(one -> LOGGER.log(Level.ERROR, "{0} is stuck: {1}", one.part(), one.problem()));
        }
    }

    private static List<Readiness.Part> parts(List<HubHealth.Part> parts) {
        return parts.stream()
                .map(one -> new Readiness.Part(one.part(), one.problem(), one.since()))
                .toList();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
