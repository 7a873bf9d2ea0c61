package dev.harmovela.testkit.link;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** An agent attached to the hub as over a WebSocket; it acknowledges nothing by itself. One thread. */
public final class LiveAgent implements Peer {

    private static final long PATIENCE_SECONDS = 30;

    private final Hub hub;
    private final String identity;
    private final Connection connection;
    private final LinkedBlockingQueue<Json.Obj> incoming = new LinkedBlockingQueue<>();
    private final List<Json.Obj> heard = new ArrayList<>();

    private LiveAgent(Hub hub, String identity) {
        this.hub = hub;
        this.identity = identity;
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        hub.executor()
                .execute(() -> opened.complete(
                        hub.connect(this, new WireInfo("websocket", Caller.open(), WireInfo.Kind.DUPLEX))));
        this.connection = LiveHub.await(opened);
    }

    /** Opens a session. */
    public static LiveAgent open(LiveHub hub, String identity) {
        LiveAgent agent = new LiveAgent(hub.hub(), identity);
        agent.say("session.open", "{}", "");
        agent.await(one -> "session.opened".equals(one.string("type")));
        agent.say("session.ready", "{}", "");
        return agent;
    }

    /** Sends an event; its id. */
    public String say(String type, String payload, String members) {
        Json.Obj event = Events.of(type, identity, payload, members);
        byte[] bytes = event.toString().getBytes(StandardCharsets.UTF_8);
        hub.executor().execute(() -> {
            connection.receive(bytes, 0, bytes.length);
            connection.batchEnd();
        });
        return String.valueOf(event.string("id"));
    }

    /** Sends an event and waits for its answer. */
    public Json.Obj ask(String type, String payload, String members) {
        String id = say(type, payload, members);
        return await(one -> id.equals(one.string("causation_id")) && !one.has("delivery"));
    }

    /** The first message of a kind that was not taken yet. */
    public Json.Obj await(Predicate<Json.Obj> wanted) {
        for (Json.Obj one : heard) {
            if (wanted.test(one)) {
                heard.remove(one);
                return one;
            }
        }
        try {
            while (true) {
                Json.Obj next = incoming.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("it did not come; heard " + heard);
                }
                if (wanted.test(next)) {
                    return next;
                }
                heard.add(next);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Whether such a message has come. */
    public boolean has(Predicate<Json.Obj> wanted) {
        incoming.drainTo(heard);
        return heard.stream().anyMatch(wanted);
    }

    /** How many such messages have come. */
    public long count(Predicate<Json.Obj> wanted) {
        incoming.drainTo(heard);
        return heard.stream().filter(wanted).count();
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void send(Message message) {
        byte[] bytes = message.toByteArray();
        incoming.add((Json.Obj) Json.parse(bytes, 0, bytes.length));
    }

    @Override
    public void flush() {
        // nothing is buffered
    }

    @Override
    public void close(CloseReason reason, String text) {
        connection.closed();
    }
}
