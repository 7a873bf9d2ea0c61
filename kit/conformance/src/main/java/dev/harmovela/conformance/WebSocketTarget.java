package dev.harmovela.conformance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A hub behind a WebSocket; each conversation is a conformance session on a connection of its own (§13, D24). */
final class WebSocketTarget implements Target {

    private static final String SUBPROTOCOL = "harmovela-0.2";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final URI uri;
    private final Map<String, String> headers;
    private final HttpClient client;

    WebSocketTarget(URI uri, Map<String, String> headers, @Nullable SSLContext tls) {
        this.client = Targets.client(tls).build();
        this.uri = uri;
        this.headers = headers;
    }

    @Override
    public String name() {
        return uri.toString();
    }

    @Override
    public String transportProfile() {
        return "harmovela.transport.websocket.v1";
    }

    @Override
    public Exchange open() {
        Inbox inbox = new Inbox();
        Connected connected = new Connected(connect(inbox), inbox);
        try {
            connected.handshake();
            return connected;
        } catch (IOException e) {
            connected.close();
            throw new NotGrantedException(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            connected.close();
            throw new NotGrantedException("interrupted");
        } catch (NotGrantedException e) {
            connected.close();
            throw e;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private WebSocket connect(Inbox inbox) {
        WebSocket.Builder builder =
                client.newWebSocketBuilder().subprotocols(SUBPROTOCOL).connectTimeout(PATIENCE);
        headers.forEach(builder::header);
        try {
            return await(builder.buildAsync(uri, new Reader(inbox)));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new UnreachableException("interrupted");
        } catch (IOException e) {
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                int status = refused.getResponse().statusCode();
                if (status == 401 || status == 403) {
                    throw new NotGrantedException(uri + " answers with status " + status);
                }
                throw new UnreachableException(uri + " is no WebSocket of a hub: it answers with status " + status);
            }
            throw new UnreachableException(uri + " cannot be reached: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new UsageException("the target " + uri + " is no address: " + e.getMessage());
        }
    }

    private static <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            throw new IOException(message, cause);
        } catch (TimeoutException e) {
            throw new IOException("nothing happened for " + PATIENCE.toSeconds() + " s", e);
        }
    }

    /** One connection. */
    private static final class Connected implements Exchange {

        private final WebSocket socket;
        private final Inbox inbox;
        private @Nullable String session;

        Connected(WebSocket socket, Inbox inbox) {
            this.socket = socket;
            this.inbox = inbox;
        }

        void handshake() throws IOException, InterruptedException {
            send(Opening.request());
            Incoming answer = inbox.take(PATIENCE.toMillis());
            if (answer == null) {
                throw new IOException("the opening was not answered");
            }
            session = Opening.granted(answer.text());
            send(Opening.ready(session));
        }

        @Override
        public void send(String line) throws IOException {
            try {
                await(socket.sendText(line, true));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public @Nullable Incoming receive(long timeoutMillis) throws IOException, InterruptedException {
            return inbox.take(timeoutMillis);
        }

        @Override
        public @Nullable String sessionId() {
            return session;
        }

        @Override
        public void close() {
            try {
                await(socket.sendClose(WebSocket.NORMAL_CLOSURE, ""));
            } catch (IOException _) {
                // It is closed from the other side already.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } finally {
                socket.abort();
            }
        }
    }

    /** Puts together the messages of one connection; called by one thread at a time. */
    private static final class Reader implements WebSocket.Listener {

        private final Inbox inbox;
        private final StringBuilder text = new StringBuilder();

        Reader(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                inbox.add(Incoming.event(text.toString()));
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            inbox.end("the connection was closed with code " + code + (reason.isEmpty() ? "" : " " + reason));
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            inbox.end("the connection broke: " + error.getMessage());
        }
    }
}
