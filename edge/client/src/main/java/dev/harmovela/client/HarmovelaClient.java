package dev.harmovela.client;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent's attachment to a hub over WebSocket: one session that survives its connections.
 *
 * <p>When a connection is lost, the client comes back by itself (full jitter, {@link Backoff}), resumes its
 * session, and sends again what was not answered, under the same ids, which the hub takes once. If the session is
 * gone it opens a new one and subscribes again from where everything was settled. Deliveries are handled one at a
 * time and in order on a thread of the client. All methods are safe from any thread.
 */
public final class HarmovelaClient implements AutoCloseable {

    private final Envelopes envelopes;
    private final Window window;
    private final Attachment attachment;
    private final Map<String, Subscription> byId = new ConcurrentHashMap<>();
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final List<Consumer<Json.Obj>> observers = new CopyOnWriteArrayList<>();
    private final @Nullable DeliveryHandler inbox;
    private final Thread worker;
    private volatile boolean closed;

    private HarmovelaClient(URI hub, ClientOptions options, @Nullable DeliveryHandler inbox) {
        this.envelopes = new Envelopes(options);
        this.window = new Window(options.window());
        this.inbox = inbox;
        this.attachment = new Attachment(hub, options, envelopes, new Attached());
        this.worker = Thread.ofVirtual().name("harmovela-client").unstarted(this::work);
    }

    /**
     * Connects and opens a session.
     *
     * @throws NotReachable when nobody answers or the handshake fails
     * @throws HubRefused when the hub does not open the session
     */
    public static HarmovelaClient connect(URI hub, ClientOptions options) throws NotReachable {
        return connect(hub, options, null);
    }

    /**
     * Connects and opens a session.
     *
     * @param inbox takes what is addressed to the client itself (D23); null leaves it unsettled
     */
    public static HarmovelaClient connect(URI hub, ClientOptions options, @Nullable DeliveryHandler inbox)
            throws NotReachable {
        HarmovelaClient client = new HarmovelaClient(hub, options, inbox);
        client.worker.start();
        try {
            client.attachment.begin();
        } catch (NotReachable | HubRefused failure) {
            client.stop(failure);
            throw failure;
        }
        return client;
    }

    // --- sending

    /**
     * Sends an event; version, id, source, time and payload are filled in where they are missing. Waits while the
     * window is full.
     *
     * @return the hub's direct answer (D26), normally {@code event.acknowledged}; fails with {@link HubRefused} on
     *     a refusal
     */
    public CompletableFuture<Json.Obj> send(Json.Obj event) {
        Json.Obj whole = envelopes.complete(event);
        String id = whole.string("id");
        if (closed || id == null) {
            return CompletableFuture.failedFuture(new IllegalStateException(closed ? "closed" : "an id is a string"));
        }
        try {
            String text = whole.toString();
            CompletableFuture<Json.Obj> answer = window.add(id, text);
            attachment.send(text);
            if (closed) {
                window.fail(new IllegalStateException("closed"));
            }
            return answer;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(interrupted);
        }
    }

    /** Sends an event of a type with a payload. */
    public CompletableFuture<Json.Obj> send(String type, Json.Obj payload) {
        return send(envelopes.event(type, payload));
    }

    /** Completes after the hub has dealt with everything sent before, acknowledgements included (D26). */
    public CompletableFuture<Json.Obj> fence() {
        return send("session.heartbeat", Json.Obj.of());
    }

    // --- receiving

    /**
     * Subscribes (§4).
     *
     * @param filter the payload of {@code subscription.requested}
     * @return completes when the hub has created it; fails with {@link HubRefused} on a refusal
     */
    public CompletableFuture<Subscription> subscribe(Json.Obj filter, DeliveryHandler handler) {
        Subscription subscription = new Subscription(this, filter, handler);
        return request(subscription, filter).thenApply(created -> {
            subscriptions.add(subscription);
            return subscription;
        });
    }

    private CompletableFuture<Subscription> request(Subscription subscription, Json.Obj filter) {
        return send("subscription.requested", filter).thenApply(answer -> {
            byId.remove(subscription.id());
            Json.Obj payload = answer.object("payload");
            subscription.created(payload == null ? Json.Obj.of() : payload);
            byId.put(subscription.id(), subscription);
            return subscription;
        });
    }

    CompletableFuture<Json.Obj> cancel(Subscription subscription) {
        subscriptions.remove(subscription);
        return send(
                        "subscription.cancelled",
                        Json.Obj.builder()
                                .put("subscription_id", subscription.id())
                                .build())
                .whenComplete((answer, failure) -> byId.remove(subscription.id()));
    }

    /**
     * Hands every event that is neither an answer nor a delivery to {@code observer}, on a thread of the
     * connection.
     */
    public void observe(Consumer<Json.Obj> observer) {
        observers.add(observer);
    }

    void acknowledge(Delivery delivery) {
        settle(delivery, "event.acknowledged", null);
    }

    void reject(Delivery delivery, ProtocolError error) {
        settle(delivery, "event.rejected", error);
    }

    private void settle(Delivery delivery, String type, @Nullable ProtocolError error) {
        Json.Builder payload = Json.Obj.builder()
                .put("acknowledged_event_id", delivery.id())
                .put("subscription_id", delivery.subscriptionId())
                .put("cursor", delivery.cursor());
        if (error != null) {
            payload.put("error", error.toJson());
        }
        attachment.send(envelopes.event(type, payload.build()).toString());
        Subscription subscription = byId.get(delivery.subscriptionId());
        if (subscription != null) {
            subscription.settled(delivery);
        }
    }

    // --- state

    /** The session, which changes when the former one could not be resumed. */
    public String sessionId() {
        return attachment.sessionId();
    }

    /** The hub's answer to the last {@code session.open}. */
    public Json.Obj opened() {
        return attachment.opened();
    }

    /** Whether the session is attached at this moment. */
    public boolean isAttached() {
        return attachment.isReady();
    }

    /** Closes the session and the connection; what is unanswered fails. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        stop(new IllegalStateException("the client was closed"));
    }

    private void stop(Throwable cause) {
        closed = true;
        attachment.close();
        window.fail(cause);
        worker.interrupt();
    }

    // --- the connection's side

    /** What the attachment tells, on a thread of the connection. */
    private final class Attached implements Attachment.Listener {

        @Override
        public void ready(boolean resumed) {
            window.unanswered().forEach(attachment::sendNow);
            if (!resumed) {
                for (Subscription subscription : subscriptions) {
                    work.add(() -> {
                        var _ = request(subscription, subscription.filterToGoOn());
                    });
                }
            }
        }

        @Override
        public void over(String reason) {
            stop(new IllegalStateException(reason));
        }

        @Override
        public void event(String text) {
            Json.Obj event;
            try {
                if (!(Json.parse(text) instanceof Json.Obj object)) {
                    return;
                }
                event = object;
            } catch (JsonException notAnEvent) {
                return;
            }
            Json.Obj block = event.object("delivery");
            if (block != null && block.string("subscription_id") != null) {
                delivered(new Delivery(HarmovelaClient.this, event, block));
                return;
            }
            if ("session.closed".equals(event.string("type"))) {
                Json.Obj payload = event.object("payload");
                Long after = payload == null ? null : payload.integer("reconnect_after_ms");
                attachment.returnAfter(after == null ? 0 : after);
            }
            String cause = event.string("causation_id");
            if (cause == null || !window.answered(cause, event)) {
                observers.forEach(observer -> observer.accept(event));
            }
        }
    }

    private void delivered(Delivery delivery) {
        Subscription subscription = byId.get(delivery.subscriptionId());
        DeliveryHandler handler = subscription == null ? inbox : subscription.handler();
        if (handler == null) {
            return;
        }
        if (subscription != null) {
            subscription.delivered(delivery);
        }
        work.add(() -> handle(handler, delivery));
    }

    private static void handle(DeliveryHandler handler, Delivery delivery) {
        try {
            handler.handle(delivery);
            if (delivery.isOpen()) {
                delivery.ack();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failure) {
            delivery.reject(ProtocolError.of(ErrorCode.INTERNAL_ERROR, "the handler failed"));
        }
    }

    private void work() {
        try {
            while (!closed) {
                work.take().run();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
