package dev.harmovela.client;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Keeps a session attached: connects, shakes hands, notices the end, comes back. Safe from any thread. */
final class Attachment {

    /** What the client hears, on a thread of the connection. */
    interface Listener {
        /** The session is attached; {@code resumed} when it is the former one. */
        void ready(boolean resumed);

        /** An event that does not belong to the handshake. */
        void event(String text);

        /** The hub ended the session for good, or gave it to another connection: the client does not come back. */
        void over(String reason);
    }

    private static final int NORMAL = 1000;
    private static final int POLICY = 1008;
    private static final int MISSED_INTERVALS = 3;
    private static final long LONGEST_RETURN_MILLIS = 60_000;

    private final URI hub;
    private final ClientOptions options;
    private final Envelopes envelopes;
    private final Listener listener;
    private final HttpClient http;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Ears ears = new Ears();
    private @Nullable Link link;
    private @Nullable CompletableFuture<Json.Obj> handshake;
    private @Nullable String openId;
    private @Nullable String sessionId;
    private Json.Obj opened = Json.Obj.of();
    private boolean ready;
    /** The current connection is gone. */
    private boolean ended;

    private boolean closed;
    private long heartbeatMillis;
    private long returnAfterMillis;
    private volatile long heardAt = System.nanoTime();

    Attachment(URI hub, ClientOptions options, Envelopes envelopes, Listener listener) {
        this.hub = hub;
        this.options = options;
        this.http = Https.client(null, options.tls());
        this.envelopes = envelopes;
        this.listener = listener;
    }

    /** Attaches for the first time and keeps attached from then on. */
    void begin() throws NotReachable {
        attach(null, null);
        Thread.ofVirtual().name("harmovela-attachment").start(this::keep);
    }

    /** Sends when attached; otherwise the event waits in the client's window. */
    void send(String text) {
        lock.lock();
        try {
            if (ready && link != null) {
                link.send(text);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends on the connection that is being made ready; within {@link Listener#ready} only. */
    void sendNow(String text) {
        if (link != null) {
            link.send(text);
        }
    }

    String sessionId() {
        lock.lock();
        try {
            return sessionId == null ? "" : sessionId;
        } finally {
            lock.unlock();
        }
    }

    Json.Obj opened() {
        lock.lock();
        try {
            return opened;
        } finally {
            lock.unlock();
        }
    }

    boolean isReady() {
        lock.lock();
        try {
            return ready;
        } finally {
            lock.unlock();
        }
    }

    /** Before the first attempt to come back the next loss of the connection waits so much longer. */
    void returnAfter(long millis) {
        lock.lock();
        try {
            returnAfterMillis = Math.clamp(millis, 0, LONGEST_RETURN_MILLIS);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            if (ready && link != null) {
                Json.Obj reason = Json.Obj.builder().put("reason", "done").build();
                link.send(envelopes.event("session.closed", reason).toString());
            }
            if (link != null) {
                link.close(NORMAL, "");
            }
            closed = true;
            ready = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        http.shutdown();
    }

    // --- one attempt

    private void attach(@Nullable String resume, @Nullable String former) throws NotReachable {
        CompletableFuture<Json.Obj> answer = new CompletableFuture<>();
        Json.Obj open = envelopes.open(resume, former);
        lock.lock();
        try {
            handshake = answer;
            openId = open.string("id");
            ready = false;
            ended = false;
        } finally {
            lock.unlock();
        }
        Link fresh = Link.open(http, hub, options.token(), options.timeout(), ears);
        lock.lock();
        try {
            link = fresh;
        } finally {
            lock.unlock();
        }
        heardAt = System.nanoTime();
        fresh.send(open.toString());
        try {
            established(fresh, await(answer));
        } catch (HubRefused | NotReachable failure) {
            fresh.close(NORMAL, "");
            throw failure;
        }
    }

    private Json.Obj await(CompletableFuture<Json.Obj> answer) throws NotReachable {
        Duration timeout = options.timeout();
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new NotReachable(hub, "the session was not opened within " + timeout.toMillis() + " ms", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NotReachable(hub, "interrupted", interrupted);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof HubRefused refused) {
                throw refused;
            }
            throw NotReachable.of(hub, failure);
        }
    }

    private void established(Link fresh, Json.Obj answer) {
        Json.Obj payload = answer.object("payload");
        Json.Obj details = payload == null ? answer : payload;
        String id = answer.string("session_id") == null ? details.string("session_id") : answer.string("session_id");
        boolean resumed = Boolean.TRUE.equals(details.bool("resumed"));
        Json.Obj capabilities =
                details.has("capabilities") ? details.object("capabilities") : answer.object("capabilities");
        Long interval = capabilities == null ? null : capabilities.integer("heartbeat_interval_ms");
        Json.Obj sessionReady = envelopes.event(
                "session.ready", Json.Obj.builder().put("session_id", id).build());
        if (id != null) {
            sessionReady = sessionReady.with("session_id", new Json.Str(id));
        }
        lock.lock();
        try {
            sessionId = id;
            opened = answer;
            heartbeatMillis = interval == null ? 0 : interval;
            fresh.send(sessionReady.toString());
            // what waited goes first, so nobody else may send before it is queued
            listener.ready(resumed);
            ready = !ended && !closed;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // --- for ever

    private void keep() {
        try {
            while (watch()) {
                comeBack();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns true when the connection is lost, false when the client was closed. A cut may be noticed by silence
     * alone; where no heartbeat was agreed, the client asks for signs of life itself.
     */
    private boolean watch() throws InterruptedException {
        lock.lock();
        try {
            while (!closed && ready) {
                boolean agreed = heartbeatMillis > 0;
                long interval = agreed ? heartbeatMillis : options.timeout().toMillis();
                var _ = changed.await(interval, TimeUnit.MILLISECONDS);
                Link silent = link;
                long silence = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - heardAt);
                if (ready && silent != null && silence > MISSED_INTERVALS * interval) {
                    ready = false;
                    silent.abort("the hub is silent");
                } else if (ready && silent != null && !agreed && silence >= interval) {
                    silent.ping();
                }
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void comeBack() throws InterruptedException {
        String resume = sessionId();
        String former = null;
        for (int attempt = 0; pause(attempt); attempt++) {
            try {
                attach(resume, former);
                return;
            } catch (HubRefused refused) {
                if (resume != null && !refused.error().retryable()) {
                    former = resume;
                    resume = null;
                }
            } catch (NotReachable again) {
                // the next attempt waits longer
            }
        }
    }

    /** Waits before an attempt; false when the client was closed. */
    private boolean pause(int attempt) throws InterruptedException {
        long nanos = TimeUnit.MILLISECONDS.toNanos(options.backoff().delayMillis(attempt, ThreadLocalRandom.current()));
        lock.lock();
        try {
            nanos += TimeUnit.MILLISECONDS.toNanos(returnAfterMillis);
            returnAfterMillis = 0;
            while (!closed && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    // --- what the connection tells

    private final class Ears implements Link.Listener {

        @Override
        public void text(Link from, String text) {
            heardAt = System.nanoTime();
            CompletableFuture<Json.Obj> waiting = handshakeOf(from);
            if (waiting == null) {
                return;
            }
            if (waiting.isDone() || !isHandshake(text, waiting)) {
                listener.event(text);
            }
        }

        private @Nullable CompletableFuture<Json.Obj> handshakeOf(Link from) {
            lock.lock();
            try {
                return link == from ? handshake : null;
            } finally {
                lock.unlock();
            }
        }

        private boolean isHandshake(String text, CompletableFuture<Json.Obj> waiting) {
            Json.Obj event;
            try {
                if (!(Json.parse(text) instanceof Json.Obj object)) {
                    return false;
                }
                event = object;
            } catch (JsonException notAnEvent) {
                return false;
            }
            String type = event.string("type");
            if ("session.opened".equals(type)) {
                return waiting.complete(event);
            }
            if ("session.error".equals(type) || isRefusalOfOpen(event)) {
                return waiting.completeExceptionally(HubRefused.from(event));
            }
            return false;
        }

        private boolean isRefusalOfOpen(Json.Obj event) {
            String type = event.string("type");
            return type != null
                    && type.endsWith(".rejected")
                    && String.valueOf(openId).equals(event.string("causation_id"));
        }

        @Override
        public void alive(Link from) {
            heardAt = System.nanoTime();
        }

        @Override
        public void ended(Link from, int code, String reason) {
            boolean wasReady;
            lock.lock();
            try {
                if (from != link || closed) {
                    return;
                }
                wasReady = ready;
                ready = false;
                ended = true;
                if (handshake != null) {
                    String text = "the connection ended (" + code + " " + reason + ")";
                    handshake.completeExceptionally(new NotReachable(hub, text, new IOException(reason)));
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            if (wasReady && (code == NORMAL || code == POLICY)) {
                listener.over("the hub ended the connection (" + code + " " + reason + ")");
            }
        }
    }
}
