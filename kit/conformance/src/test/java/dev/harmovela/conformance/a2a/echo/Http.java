package dev.harmovela.conformance.a2a.echo;

import com.sun.net.httpserver.HttpExchange;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One exchange: what was asked, and the ways to answer. */
final class Http implements Asked {

    private static final Duration LONGEST_STREAM = Duration.ofSeconds(20);

    final HttpExchange exchange;
    final String path;
    final String body;

    Http(HttpExchange exchange) throws IOException {
        this.exchange = exchange;
        path = exchange.getRequestURI().getPath();
        body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public @Nullable String header(String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query(String name) {
        String query = exchange.getRequestURI().getQuery();
        for (String each : query == null ? new String[0] : query.split("&")) {
            String[] pair = each.split("=", 2);
            if (pair[0].equals(name)) {
                return pair.length == 2 ? pair[1] : "";
            }
        }
        return null;
    }

    String mediaType() {
        String type = header("Content-Type");
        return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    @Override
    public void set(String name, String value) {
        exchange.getResponseHeaders().set(name, value);
    }

    void answer(int status, String type, @Nullable String text) throws IOException {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Streams until the task ends, or until it waits for input when the stream came with the message. */
    void stream(Operations operations, Operations.Opened opened, boolean sent, Function<Json.Obj, String> frame)
            throws IOException, InterruptedException {
        set("Content-Type", "text/event-stream");
        set("Cache-Control", "no-cache");
        exchange.sendResponseHeaders(200, 0);
        long deadline = System.nanoTime() + LONGEST_STREAM.toNanos();
        try (OutputStream out = exchange.getResponseBody()) {
            Json.@Nullable Obj event = opened.first();
            String state = String.valueOf(state(event));
            boolean direct = event.has("message");
            while (event != null || (!ended(state, sent, operations.faults) && System.nanoTime() < deadline)) {
                if (event != null) {
                    out.write(("data: " + frame.apply(shown(event, operations.faults)) + "\n\n")
                            .getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    state = state(event) == null ? state : String.valueOf(state(event));
                } else {
                    out.write(": still here\n\n".getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
                if (direct) {
                    return;
                }
                event = opened.rest().poll(ended(state, sent, operations.faults) ? 0 : 200, TimeUnit.MILLISECONDS);
            }
        } finally {
            operations.close(opened);
        }
    }

    private static Json.Obj shown(Json.Obj event, Faults faults) {
        Json.Obj update = event.object("statusUpdate");
        return update == null || !faults.has("stream.final")
                ? event
                : event.with("statusUpdate", update.with("final", Json.of(false)));
    }

    static boolean ended(String state, boolean sent, Faults faults) {
        if (faults.has("stream.not-closed")) {
            return false;
        }
        return Set.of("COMPLETED", "FAILED", "CANCELED", "REJECTED").contains(state)
                || (sent && state.equals("INPUT_REQUIRED"));
    }

    static @Nullable String state(Json.Obj event) {
        for (String name : new String[] {"task", "statusUpdate"}) {
            Json.Obj member = event.object(name);
            Json.Obj status = member == null ? null : member.object("status");
            if (status != null) {
                return String.valueOf(status.string("state"))
                        .replace("TASK_STATE_", "")
                        .replace("REFUSED", "REJECTED");
            }
        }
        return null;
    }
}
