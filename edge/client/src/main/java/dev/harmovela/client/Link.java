package dev.harmovela.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One WebSocket: whole texts in, texts out in the order given. Safe from any thread. */
final class Link {

    /** The one subprotocol (§13). */
    static final String SUBPROTOCOL = "harmovela-0.2";

    /** What the link tells, on a thread of the HTTP client, one call at a time. */
    interface Listener {
        void text(Link link, String text);

        /** Any sign of life that is no text. */
        void alive(Link link);

        /** Nothing comes any more; told once. {@code code} is 1006 when the connection broke. */
        void ended(Link link, int code, String reason);
    }

    private static final int BROKEN = 1006;

    private final Listener listener;
    private final Deque<String> queue = new ArrayDeque<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private boolean sending;
    private volatile int closeCode;
    private volatile String closeReason = "";
    private volatile @Nullable WebSocket socket;

    private Link(Listener listener) {
        this.listener = listener;
    }

    static Link open(HttpClient http, URI address, @Nullable String token, Duration timeout, Listener listener)
            throws NotReachable {
        return open(http, address, token, SUBPROTOCOL, timeout, listener);
    }

    static Link open(
            HttpClient http,
            URI address,
            @Nullable String token,
            @Nullable String subprotocol,
            Duration timeout,
            Listener listener)
            throws NotReachable {
        Link link = new Link(listener);
        WebSocket.Builder builder = http.newWebSocketBuilder().connectTimeout(timeout);
        if (subprotocol != null) {
            builder.subprotocols(subprotocol);
        }
        if (token != null) {
            builder.header("Authorization", "Bearer " + token);
        }
        try {
            var _ = builder.buildAsync(Addresses.webSocket(address), link.new Ears())
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failure) {
            Throwable cause = failure.getCause();
            if (cause instanceof TimeoutException) {
                throw new NotReachable(address, "no answer within " + timeout.toMillis() + " ms", failure);
            }
            throw NotReachable.of(address, failure);
        }
        return link;
    }

    /** Queues a text; false when the link is over. */
    boolean send(String text) {
        if (over.get()) {
            return false;
        }
        synchronized (queue) {
            queue.add(text);
            if (sending) {
                return true;
            }
            sending = true;
        }
        sendNext();
        return true;
    }

    /** Sends what is queued; one text is on its way at any time. */
    private void sendNext() {
        WebSocket open = Objects.requireNonNull(socket);
        while (true) {
            String text;
            synchronized (queue) {
                text = queue.poll();
                sending = text != null;
            }
            if (text == null) {
                if (closeCode != 0) {
                    sendClose();
                }
                return;
            }
            CompletableFuture<WebSocket> sent = open.sendText(text, true);
            if (sent.isDone() && !sent.isCompletedExceptionally()) {
                continue;
            }
            var _ = sent.whenComplete((done, failure) -> {
                if (failure == null) {
                    sendNext();
                } else {
                    end(BROKEN, String.valueOf(failure.getMessage()));
                }
            });
            return;
        }
    }

    /** Asks for a sign of life; what becomes of it is heard as {@link Listener#alive} or not at all. */
    void ping() {
        WebSocket open = socket;
        if (open != null && !open.isOutputClosed()) {
            var _ = open.sendPing(ByteBuffer.allocate(0));
        }
    }

    /** Ends it in an orderly way, after what was queued. */
    void close(int code, String reason) {
        synchronized (queue) {
            closeCode = code;
            closeReason = reason;
            if (sending) {
                return;
            }
        }
        sendClose();
    }

    private void sendClose() {
        WebSocket open = socket;
        if (open != null && !open.isOutputClosed()) {
            var _ = open.sendClose(closeCode, closeReason);
        }
    }

    /** Ends it at once. */
    void abort(String reason) {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
        end(BROKEN, reason);
    }

    private void end(int code, String reason) {
        if (over.compareAndSet(false, true)) {
            listener.ended(this, code, reason);
        }
    }

    private final class Ears implements WebSocket.Listener {

        private final StringBuilder parts = new StringBuilder();

        @Override
        public void onOpen(WebSocket opened) {
            socket = opened;
            opened.request(1);
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            parts.append(data);
            if (last) {
                String text = parts.toString();
                parts.setLength(0);
                listener.text(Link.this, text);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
            listener.alive(Link.this);
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
            listener.alive(Link.this);
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            end(code, reason);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            end(BROKEN, String.valueOf(failure.getMessage()));
        }
    }
}
