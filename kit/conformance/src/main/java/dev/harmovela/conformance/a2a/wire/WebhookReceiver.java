package dev.harmovela.conformance.a2a.wire;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes webhook calls on this machine and keeps the first thousand. A path that begins with {@code /redirect} is
 * answered by a redirect to {@code /redirected}; all others by 200.
 */
public final class WebhookReceiver implements AutoCloseable {

    private static final int KEPT = 1000;
    private static final int LONGEST = 1 << 20;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>(KEPT);
    private final String host;

    /**
     * One call.
     *
     * @param path as it was called
     * @param headers names in any case
     * @param body decoded as UTF-8
     */
    public record Call(String path, Map<String, String> headers, String body) {}

    private WebhookReceiver(HttpServer server, String host) {
        this.server = server;
        this.host = host;
        server.createContext("/", this::take);
        server.setExecutor(threads);
        server.start();
    }

    /** Starts one on a free port of {@code address}. */
    public static WebhookReceiver start(InetAddress address) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(address, 0), 0);
        String name = address.getHostAddress();
        return new WebhookReceiver(server, name.contains(":") ? "[" + name + "]" : name);
    }

    /** Where calls to {@code path} go. */
    public URI uri(String path) {
        return URI.create("http://" + host + ":" + server.getAddress().getPort() + path);
    }

    /** The next call, or null when none came in time. */
    public @Nullable Call next(Duration patience) {
        try {
            return calls.poll(Math.max(0, patience.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(LONGEST);
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join(", ", values)));
            String path = exchange.getRequestURI().getPath();
            if (!calls.offer(new Call(path, headers, new String(body, StandardCharsets.UTF_8)))) {
                exchange.sendResponseHeaders(503, -1);
            } else if (path.startsWith("/redirect/")) {
                exchange.getResponseHeaders().set("Location", uri("/redirected").toString());
                exchange.sendResponseHeaders(302, -1);
            } else {
                exchange.sendResponseHeaders(200, -1);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
