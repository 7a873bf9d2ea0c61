package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A hub behind posts and a stream of server-sent events (§13, D27, D39).
 *
 * <p>Every line is a post of its own: its answers stand in the response, what it leads to comes over the stream.
 */
final class SseTarget implements Target {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final URI uri;
    private final Map<String, String> headers;
    private final HttpClient client;

    SseTarget(URI uri, Map<String, String> headers, @Nullable SSLContext tls) {
        this.client = Targets.client(tls).version(HttpClient.Version.HTTP_1_1).build();
        this.uri = uri;
        this.headers = headers;
    }

    @Override
    public String name() {
        return uri.toString();
    }

    @Override
    public String transportProfile() {
        return "harmovela.transport.sse.v1";
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    @Override
    public Exchange open() {
        try {
            Json.Obj opened = body(post(null, Opening.request()));
            List<Json.Obj> replies = Suite.objects(opened, "replies");
            if (replies.isEmpty()) {
                throw new NotGrantedException("the opening was answered without replies: " + opened);
            }
            String session = Opening.granted(replies.getFirst().toString());
            Stream exchange = new Stream(session, stream(session));
            exchange.send(Opening.ready(session));
            return exchange;
        } catch (ConnectException | HttpTimeoutException e) {
            throw new UnreachableException(
                    uri + " cannot be reached" + (e.getMessage() == null ? "" : ": " + e.getMessage()));
        } catch (IOException e) {
            throw new NotGrantedException(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new NotGrantedException("interrupted");
        }
    }

    private HttpRequest.Builder request(@Nullable String session) {
        String separator = uri.getQuery() == null ? "?" : "&";
        URI address = session == null
                ? uri
                : URI.create(uri + separator + "session_id=" + URLEncoder.encode(session, StandardCharsets.UTF_8));
        HttpRequest.Builder builder = HttpRequest.newBuilder(address);
        headers.forEach(builder::header);
        return builder;
    }

    private HttpResponse<String> post(@Nullable String session, String line) throws IOException, InterruptedException {
        HttpRequest request = request(session)
                .timeout(PATIENCE)
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(line + "\n"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private InputStream stream(String session) throws IOException, InterruptedException {
        HttpRequest request =
                request(session).header("Accept", "text/event-stream").GET().build();
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            response.body().close();
            throw new IOException("the stream was answered with status " + response.statusCode());
        }
        return response.body();
    }

    /** The object in a response; 401 and 403 grant nothing. */
    private static Json.Obj body(HttpResponse<String> response) throws IOException {
        int status = response.statusCode();
        if (status == 401 || status == 403) {
            throw new NotGrantedException("the target answers with status " + status);
        }
        try {
            if (Json.parse(response.body()) instanceof Json.Obj body) {
                return body;
            }
        } catch (JsonException e) {
            throw new IOException("a post was answered with status " + status + " and no sound JSON: " + e.reason(), e);
        }
        throw new IOException("a post was answered with status " + status + " and no object");
    }

    /** One session: its posts and its stream. */
    private final class Stream implements Exchange {

        private final String session;
        private final InputStream events;
        private final Inbox inbox = new Inbox();

        Stream(String session, InputStream events) {
            this.session = session;
            this.events = events;
            Thread.ofVirtual().name("conformance-stream").start(this::read);
        }

        private void read() {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
                StringBuilder data = new StringBuilder();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.isEmpty() && !data.isEmpty()) {
                        inbox.add(Incoming.event(data.toString()));
                        data.setLength(0);
                    } else if (line.startsWith("data:")) {
                        data.append(data.isEmpty() ? "" : "\n")
                                .append(line.substring(line.startsWith("data: ") ? 6 : 5));
                    }
                }
                inbox.end("the stream ended");
            } catch (IOException e) {
                inbox.end("the stream broke: " + e.getMessage());
            }
        }

        @Override
        public void send(String line) throws IOException {
            Json.Obj answer;
            try {
                answer = body(post(session, line));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            List<Json.Obj> replies = Suite.objects(answer, "replies");
            replies.forEach(reply -> inbox.add(Incoming.event(reply.toString())));
            if (replies.isEmpty()) {
                Suite.objects(answer, "errors").forEach(error -> inbox.add(Incoming.event(refusal(error))));
            }
        }

        /** The refusal that an entry of {@code errors} stands for: what could not be parsed has no event of its own. */
        private static String refusal(Json.Obj entry) {
            Json.Obj error = entry.object("error") == null ? entry : entry.object("error");
            return Json.Obj.builder()
                    .put("type", "event.rejected")
                    .put("payload", Json.Obj.builder().put("error", error).build())
                    .build()
                    .toString();
        }

        @Override
        public @Nullable Incoming receive(long timeoutMillis) throws IOException, InterruptedException {
            return inbox.take(timeoutMillis);
        }

        @Override
        public String sessionId() {
            return session;
        }

        @Override
        public void close() {
            try {
                events.close();
            } catch (IOException _) {
                // The stream is gone already.
            }
        }
    }
}
