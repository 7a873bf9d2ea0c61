package dev.harmovela.client;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The hub's JSON API (§15, D34): a path in, a status and JSON out. Blocks. Safe from any thread. */
public final class HttpApi implements AutoCloseable {

    private static final String BASE = "/harmovela/api/";
    private static final String JSON = "application/json";

    private final URI hub;
    private final @Nullable String token;
    private final Duration timeout;
    private final HttpClient http;

    /**
     * @param hub address of the hub, without the API's path
     * @param token bearer token, or null
     * @param timeout for connecting, and for each answer
     */
    public HttpApi(URI hub, @Nullable String token, Duration timeout) {
        this(hub, token, timeout, null);
    }

    /**
     * The same over TLS with authorities or a certificate of its own.
     *
     * @param tls whom to believe and what to show, or null for what the platform believes
     */
    public HttpApi(URI hub, @Nullable String token, Duration timeout, @Nullable SSLContext tls) {
        this.hub = hub;
        this.token = token;
        this.timeout = timeout;
        this.http = Https.client(timeout, tls);
    }

    /**
     * What came back.
     *
     * @param status HTTP status
     * @param body the JSON of the answer, or its text as a JSON string when it is none
     */
    public record Reply(int status, Json body) {

        /** Whether the status is one of success. */
        public boolean ok() {
            return status / 100 == 2;
        }

        /** The body as an object; empty when it is none. */
        public Json.Obj object() {
            return body instanceof Json.Obj object ? object : Json.Obj.of();
        }
    }

    /** Asks for {@code path}, relative to the API or absolute when it begins with a slash; it may carry a query. */
    public Reply get(String path) throws NotReachable {
        return exchange(request(path).GET());
    }

    /** Posts one JSON value. */
    public Reply post(String path, Json body) throws NotReachable {
        return post(path, JSON, body.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Posts bytes of any media type. */
    public Reply post(String path, String contentType, byte[] body) throws NotReachable {
        return exchange(
                request(path).header("Content-Type", contentType).POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    /** Deletes what {@code path} names. */
    public Reply delete(String path) throws NotReachable {
        return exchange(request(path).DELETE());
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private HttpRequest.Builder request(String path) {
        URI address = Addresses.http(hub, path.startsWith("/") ? path : BASE + path);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).timeout(timeout).header("Accept", JSON);
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private Reply exchange(HttpRequest.Builder builder) throws NotReachable {
        HttpRequest request = builder.build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new Reply(response.statusCode(), parse(response.body()));
        } catch (IOException failure) {
            throw NotReachable.of(request.uri(), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NotReachable(request.uri(), "interrupted", interrupted);
        }
    }

    private static Json parse(byte[] body) {
        if (body.length == 0) {
            return Json.Obj.of();
        }
        try {
            return Json.parse(body, 0, body.length);
        } catch (JsonException notJson) {
            return new Json.Str(new String(body, StandardCharsets.UTF_8));
        }
    }
}
