package dev.harmovela.runtime;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.spi.Credential;
import dev.harmovela.transport.http.Exchange;
import dev.harmovela.transport.http.HttpServer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /metrics}: numbers are taken on the owner, text is made away from it. What makes the text is loaded when
 * somebody asks for the first time, so that a hub that nobody watches starts without it.
 */
final class Metrics {

    private final HttpServer server;
    private final HarmovelaHub hub;
    private final Executor rendering;
    private final Supplier<String> more;
    private @Nullable Exposition exposition;

    private Metrics(HttpServer server, HarmovelaHub hub, Executor rendering, Supplier<String> more) {
        this.more = more;
        this.server = server;
        this.hub = hub;
        this.rendering = rendering;
    }

    /**
     * Adds the route; before the port is opened.
     *
     * @param more text behind that of the hub; any thread
     */
    static void serve(HttpServer server, HarmovelaHub hub, Executor rendering, Supplier<String> more) {
        Metrics metrics = new Metrics(server, hub, rendering, more);
        server.route("GET", "/metrics", HttpServer.Access.AUTHENTICATED, metrics::answer);
    }

    /** The figures speak of every tenant, so they are for those who may see the hub as a whole. */
    private void answer(Exchange exchange) {
        if (!exchange.caller().grants().contains(Credential.HUB_READ)) {
            exchange.fail(
                    403,
                    ProtocolError.because(ErrorCode.UNAUTHORIZED, "missing_right", "this needs " + Credential.HUB_READ)
                            .with("required", Credential.HUB_READ));
            return;
        }
        Exposition.Moment moment =
                new Exposition.Moment(hub.figures(), hub.health().isReady(), server.connections());
        rendering.execute(() -> {
            byte[] text = render(moment).getBytes(StandardCharsets.UTF_8);
            server.executor().execute(() -> exchange.respond(200, Exposition.CONTENT_TYPE, text));
        });
    }

    private synchronized String render(Exposition.Moment moment) {
        if (exposition == null) {
            exposition = new Exposition(moment);
        }
        return exposition.render(moment) + more.get();
    }
}
