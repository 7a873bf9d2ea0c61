package dev.harmovela.cli;

import dev.harmovela.client.HttpApi;
import dev.harmovela.client.NotReachable;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The hub's HTTP interface as commands use it: what is no success is a {@link Failure}. */
final class Api implements AutoCloseable {

    private final URI hub;
    private final HttpApi http;

    Api(URI hub, HttpApi http) {
        this.hub = hub;
        this.http = http;
    }

    URI hub() {
        return hub;
    }

    Json.Obj get(String path) throws Failure {
        return check(call(() -> http.get(path)));
    }

    Json.Obj delete(String path) throws Failure {
        return check(call(() -> http.delete(path)));
    }

    Json.Obj post(String path, Json body) throws Failure {
        return check(call(() -> http.post(path, body)));
    }

    /** The answer as it came, a refusal included. */
    HttpApi.Reply raw(String path) throws Failure {
        return call(() -> http.get(path));
    }

    /** A page of a list: {@code {items, next_cursor}}. */
    Json.Obj list(String path, Map<String, @Nullable String> parameters) throws Failure {
        List<String> query = new ArrayList<>();
        parameters.forEach((name, value) -> {
            if (value != null) {
                query.add(name + "=" + encode(value));
            }
        });
        return get(query.isEmpty() ? path : path + "?" + String.join("&", query));
    }

    /** An id as a segment of a path. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static List<Json> items(Json.Obj page) {
        Json.Arr items = page.array("items");
        return items == null ? List.of() : items.items();
    }

    private interface Call {
        HttpApi.Reply run() throws NotReachable;
    }

    private HttpApi.Reply call(Call call) throws Failure {
        try {
            return call.run();
        } catch (NotReachable failure) {
            throw Failure.of(failure, hub);
        }
    }

    private Json.Obj check(HttpApi.Reply reply) throws Failure {
        if (reply.ok()) {
            return reply.object();
        }
        Json.Arr errors = reply.object().array("errors");
        if (errors != null && !errors.items().isEmpty() && errors.items().getFirst() instanceof Json.Obj error) {
            throw Failure.of(ProtocolError.parse(error), hub);
        }
        throw Failure.failed(
                        "protocol_error",
                        hub + " answered " + reply.status() + " without saying why.",
                        "Is it a Harmovela hub? harmovela status tells.")
                .at(hub);
    }

    @Override
    public void close() {
        http.close();
    }
}
