package dev.harmovela.cli;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HubRefused;
import dev.harmovela.client.NotReachable;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A session that says something and waits for what comes back to it. */
final class Wait implements AutoCloseable {

    private static final long ANSWER_SECONDS = 30;

    private final BlockingQueue<Json.Obj> inbox = new LinkedBlockingQueue<>();
    private final HarmovelaClient client;
    private final URI hub;

    private Wait(URI hub, ClientOptions options) throws NotReachable {
        this.hub = hub;
        this.client = HarmovelaClient.connect(hub, options, delivery -> inbox.put(delivery.event()));
        client.observe(this::told);
    }

    /** What the hub answers by itself is no delivery. */
    private void told(Json.Obj event) {
        if (!event.has("delivery")) {
            inbox.add(event);
        }
    }

    static Wait attach(HubCommand command, String identity) throws Failure {
        URI hub = command.root().hub();
        try {
            return new Wait(
                    hub,
                    ClientOptions.of(identity)
                            .withToken(command.root().token())
                            .withTls(command.root().tls()));
        } catch (NotReachable failure) {
            throw Failure.of(failure, hub);
        } catch (HubRefused refused) {
            throw Failure.of(refused, hub);
        }
    }

    /** Sends an event; a refusal is a failure. */
    Json.Obj send(Json.Obj event) throws Exception {
        try {
            return client.send(event).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof HubRefused refused) {
                throw Failure.of(refused, hub);
            }
            throw failure;
        }
    }

    /** The first event for this session with one of those types and that correlation. */
    Json.Obj next(List<String> types, String correlation, long millis) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            Json.Obj event = inbox.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw Failure.failed("timeout", "Nobody answered within " + millis + " ms.", null)
                        .at(hub);
            }
            if (types.contains(event.string("type")) && correlation.equals(event.string("correlation_id"))) {
                return event;
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
