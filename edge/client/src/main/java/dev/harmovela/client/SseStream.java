package dev.harmovela.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream of server-sent events (§13). One reading thread; {@link #close()} may come from any other and ends
 * a read that waits.
 */
public final class SseStream implements AutoCloseable {

    private final HttpClient http;
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    private SseStream(HttpClient http, HttpResponse<InputStream> response) {
        this.http = http;
        this.response = response;
        this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** What a stream holds. */
    public sealed interface Item {

        /**
         * An event.
         *
         * @param id the last id the stream named, or null
         * @param type its {@code event:} line, {@code message} without one
         * @param data its {@code data:} lines, joined by line ends
         */
        record Event(@Nullable String id, String type, String data) implements Item {}

        /** A comment, such as {@code heartbeat}. */
        record Comment(String text) implements Item {}

        /** How long to wait, in milliseconds, before coming back after the stream broke. */
        record Retry(long millis) implements Item {}
    }

    /**
     * Asks for a stream. A refusal is no exception: {@link #status()} and {@link #body()} tell.
     *
     * @param hub address of the hub
     * @param path path and query of the stream
     * @param token bearer token, or null
     * @param lastEventId where an earlier stream ended, or null
     * @param timeout for the head of the answer
     */
    public static SseStream open(
            URI hub, String path, @Nullable String token, @Nullable String lastEventId, Duration timeout)
            throws NotReachable {
        return open(hub, path, token, lastEventId, timeout, null);
    }

    /** The same over TLS; {@code tls} says whom to believe and what to show, null what the platform believes. */
    public static SseStream open(
            URI hub,
            String path,
            @Nullable String token,
            @Nullable String lastEventId,
            Duration timeout,
            @Nullable SSLContext tls)
            throws NotReachable {
        URI address = Addresses.http(hub, path);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).timeout(timeout).header("Accept", "text/event-stream");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        HttpClient http = Https.client(timeout, tls);
        try {
            return new SseStream(http, http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
        } catch (IOException failure) {
            http.shutdownNow();
            throw NotReachable.of(address, failure);
        } catch (InterruptedException interrupted) {
            http.shutdownNow();
            Thread.currentThread().interrupt();
            throw new NotReachable(address, "interrupted", interrupted);
        }
    }

    /** HTTP status of the answer. */
    public int status() {
        return response.statusCode();
    }

    /** Headers of the answer. */
    public HttpHeaders headers() {
        return response.headers();
    }

    /** The whole body of an answer that is no stream. */
    public String body() throws IOException {
        return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Waits for the next item; null at the end of the stream. */
    public @Nullable Item next() throws IOException {
        String id = null;
        String type = "message";
        StringBuilder data = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (data != null) {
                    return new Item.Event(id, type, data.toString());
                }
                continue;
            }
            int colon = line.indexOf(':');
            String name = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            if (value.startsWith(" ")) {
                value = value.substring(1);
            }
            switch (name) {
                case "" -> {
                    return new Item.Comment(value);
                }
                case "id" -> id = value;
                case "event" -> type = value;
                case "data" ->
                    data = data == null
                            ? new StringBuilder(value)
                            : data.append('\n').append(value);
                case "retry" -> {
                    return new Item.Retry(Long.parseLong(value));
                }
                default -> {
                    // unknown fields are passed over
                }
            }
        }
        return null;
    }

    /** Waits for the next event, passing over everything else; null at the end of the stream. */
    public Item.@Nullable Event nextEvent() throws IOException {
        Item item = next();
        while (item != null) {
            if (item instanceof Item.Event event) {
                return event;
            }
            item = next();
        }
        return null;
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
