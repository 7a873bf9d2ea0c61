package dev.harmovela.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket to a hub without any understanding of what it carries: lines out, lines in, in order. For kits that
 * judge a hub. Safe from any thread; the lines wait without bound for whoever reads them.
 */
public final class RawSocket implements AutoCloseable {

    private static final int NORMAL = 1000;

    private final HttpClient http;
    private final LinkedBlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final Link link;
    private volatile int closeCode;
    private volatile String closeReason = "";

    private sealed interface Heard {
        record Text(String text) implements Heard {}

        record End() implements Heard {}
    }

    private RawSocket(
            URI hub, @Nullable String token, @Nullable String subprotocol, Duration timeout, @Nullable SSLContext tls)
            throws NotReachable {
        this.http = Https.client(timeout, tls);
        try {
            this.link = Link.open(http, hub, token, subprotocol, timeout, new Ears());
        } catch (NotReachable failure) {
            http.shutdownNow();
            throw failure;
        }
    }

    /** Connects with the protocol's subprotocol. */
    public static RawSocket connect(URI hub, @Nullable String token, Duration timeout) throws NotReachable {
        return new RawSocket(hub, token, Link.SUBPROTOCOL, timeout, null);
    }

    /** Connects with another subprotocol, or with none when null. */
    public static RawSocket connect(URI hub, @Nullable String token, @Nullable String subprotocol, Duration timeout)
            throws NotReachable {
        return new RawSocket(hub, token, subprotocol, timeout, null);
    }

    /** Connects over TLS; {@code tls} says whom to believe and what to show. */
    public static RawSocket connect(URI hub, @Nullable String token, Duration timeout, @Nullable SSLContext tls)
            throws NotReachable {
        return new RawSocket(hub, token, Link.SUBPROTOCOL, timeout, tls);
    }

    /** Sends one message as it is; false when the connection is over. */
    public boolean send(String line) {
        return link.send(line);
    }

    /** The next message, or null when none came in time or the connection ended. */
    public @Nullable String receive(Duration timeout) throws InterruptedException {
        Heard next = heard.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return switch (next) {
            case null -> null;
            case Heard.Text(String text) -> text;
            case Heard.End end -> {
                heard.add(end);
                yield null;
            }
        };
    }

    /** The code with which the connection ended, 1006 when it broke, 0 while it is open. */
    public int closeCode() {
        return closeCode;
    }

    /** The reason that came with the code. */
    public String closeReason() {
        return closeReason;
    }

    @Override
    public void close() {
        link.close(NORMAL, "");
        http.shutdown();
    }

    /** Breaks the connection without a word. */
    public void abort() {
        link.abort("aborted");
        http.shutdownNow();
    }

    private final class Ears implements Link.Listener {

        @Override
        public void text(Link from, String text) {
            heard.add(new Heard.Text(text));
        }

        @Override
        public void alive(Link from) {
            // a ping is answered by the HTTP client
        }

        @Override
        public void ended(Link from, int code, String reason) {
            closeReason = reason;
            closeCode = code;
            heard.add(new Heard.End());
        }
    }
}
