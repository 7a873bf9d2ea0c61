package dev.harmovela.conformance.a2a.wire;

import dev.harmovela.conformance.a2a.wire.WireException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** HTTP over the network: every exchange is bounded in time and size, redirects are not followed. Any thread. */
public final class HttpWire implements Client, AutoCloseable {

    /** The longest answer that is read, in bytes. */
    public static final int LONGEST_ANSWER = 8 << 20;

    private static final long RETRY_PAUSE_MILLIS = 200;

    private final HttpClient http;
    private final Duration timeout;
    private final int retries;
    private final AddressGuard guard;

    /**
     * @param timeout of one exchange, and of the wait for a stream's head
     * @param retries how often a request is sent again when nobody could be reached; answers are never asked for twice
     * @param guard where the kit may go
     * @param tls certificates of the kit; null for none
     */
    public HttpWire(Duration timeout, int retries, AddressGuard guard, @Nullable SSLContext tls) {
        this.timeout = timeout;
        this.retries = retries;
        this.guard = guard;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER);
        if (tls != null) {
            builder.sslContext(tls);
        }
        http = builder.build();
    }

    @Override
    public Answer send(Request request) throws WireException {
        HttpResponse<byte[]> response = exchange(
                request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), LONGEST_ANSWER));
        return answer(response, new String(response.body(), StandardCharsets.UTF_8));
    }

    @Override
    public Opened open(Request request) throws WireException {
        HttpResponse<InputStream> response = exchange(request, HttpResponse.BodyHandlers.ofInputStream());
        String type = response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (response.statusCode() == 200 && type.startsWith("text/event-stream")) {
            return new Opened(answer(response, ""), new SseStream(response.body()));
        }
        return new Opened(answer(response, text(response.body())), null);
    }

    /** The body of a refusal, read in time. */
    private String text(InputStream body) throws WireException {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (body) {
                text.complete(new String(body.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8));
            } catch (IOException broken) {
                text.completeExceptionally(broken);
            }
        });
        return await(text);
    }

    private <T> HttpResponse<T> exchange(Request request, BodyHandler<T> handler) throws WireException {
        guard.check(request.uri());
        for (int again = retries; ; again--) {
            try {
                return await(http.sendAsync(built(request), handler));
            } catch (WireException failed) {
                if (again <= 0 || failed.kind() != Kind.UNREACHABLE) {
                    throw failed;
                }
                pause();
            }
        }
    }

    private static void pause() throws WireException {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_PAUSE_MILLIS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new WireException(Kind.BROKEN, "interrupted");
        }
    }

    private HttpRequest built(Request request) throws WireException {
        try {
            String body = request.body();
            HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri())
                    .timeout(timeout)
                    .method(
                            request.method(),
                            body == null
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofString(body));
            request.headers().forEach(builder::header);
            return builder.build();
        } catch (IllegalArgumentException wrong) {
            throw new WireException(Kind.BROKEN, "the request cannot be made: its address or a header is not valid");
        }
    }

    private <T> T await(CompletableFuture<T> coming) throws WireException {
        try {
            return coming.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            coming.cancel(true);
            throw new WireException(Kind.TIMEOUT, "no whole answer within " + timeout.toMillis() + " ms");
        } catch (InterruptedException stop) {
            coming.cancel(true);
            Thread.currentThread().interrupt();
            throw new WireException(Kind.BROKEN, "interrupted");
        } catch (ExecutionException failed) {
            throw translated(failed.getCause());
        }
    }

    private WireException translated(@Nullable Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof ConnectException
                    || each instanceof UnresolvedAddressException
                    || each instanceof UnknownHostException) {
                return new WireException(Kind.UNREACHABLE, "nobody answers there");
            }
            if (each instanceof HttpTimeoutException) {
                return new WireException(Kind.TIMEOUT, "no answer within " + timeout.toMillis() + " ms");
            }
            if (String.valueOf(each.getMessage()).contains("body exceeds capacity")) {
                return new WireException(Kind.TOO_LARGE, "the answer is longer than " + LONGEST_ANSWER + " bytes");
            }
        }
        return new WireException(Kind.BROKEN, "the connection broke: " + cause);
    }

    private static Answer answer(HttpResponse<?> response, String body) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        response.headers().map().forEach((name, values) -> headers.put(name, String.join(", ", values)));
        return new Answer(response.statusCode(), headers, body);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
