package dev.harmovela.conformance.a2a.echo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An echo agent on a port of its own, right in every row but for the faults that are switched on. */
public final class EchoEndpoint implements AutoCloseable {

    /** The token that gets in where the endpoint asks for one. */
    public static final String TOKEN = Gate.TOKEN;

    private static final String TAG = "\"card-1\"";

    private final Faults faults;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final EchoAgent agent;
    private final RpcFace rpc;
    private final RestFace rest;
    private final @Nullable GrpcFace grpc;

    private EchoEndpoint(Faults faults) throws IOException {
        this.faults = faults;
        agent = new EchoAgent(faults);
        Operations operations = new Operations(agent, faults);
        rpc = new RpcFace(operations, new Gate(), faults);
        rest = new RestFace(operations, new Gate(), faults);
        grpc = faults.has("grpc") ? new GrpcFace(operations, new Gate(), faults) : null;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** Starts one with these faults. */
    public static EchoEndpoint with(String... faults) throws IOException {
        return new EchoEndpoint(new Faults(Set.of(faults)));
    }

    /** Its address. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Http http = new Http(exchange);
            if (http.path.endsWith("/.well-known/agent-card.json")) {
                card(http);
            } else if (http.path.equals("/token")) {
                boolean known = http.body.contains("client_id=kit&client_secret=kit-client-secret");
                http.answer(known ? 200 : 401, "application/json", "{\"access_token\":\"" + TOKEN + "\"}");
            } else if (http.path.startsWith("/rest") && !faults.has("mesh-only")) {
                rest.handle(http);
            } else if (Set.of("/", "/rpc", "/a2a/jsonrpc", "/a2a/1.2").contains(http.path)) {
                rpc.handle(http);
            } else {
                http.answer(404, "text/plain", "nothing here");
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void card(Http http) throws IOException {
        if (faults.has("no-card") || !http.path.equals("/.well-known/agent-card.json")) {
            http.answer(404, "text/plain", "nothing here");
            return;
        }
        if (!faults.has("card.no-cache")) {
            http.set("Cache-Control", "max-age=60");
        }
        http.set("ETag", TAG);
        http.set("Vary", "A2A-Version");
        if (TAG.equals(http.header("If-None-Match")) && !faults.has("card.no-304")) {
            http.exchange.sendResponseHeaders(304, -1);
            return;
        }
        String host = http.header("X-Forwarded-Host");
        URI base = host != null && faults.has("card.forwarded") ? URI.create("http://" + host) : url();
        boolean old = "0.3".equals(http.header("A2A-Version")) || faults.has("mesh-only");
        Json.Obj card = old && !faults.has("no-mesh")
                ? EchoCard.legacy(base)
                : EchoCard.of(base, grpc == null ? null : grpc.address(), faults);
        if (faults.has("official-only")) {
            Json.Arr all = (Json.Arr) java.util.Objects.requireNonNull(card.raw("supportedInterfaces"));
            card = card.with("supportedInterfaces", new Json.Arr(all.items().subList(0, 2)));
        }
        http.answer(200, faults.has("card.media-type") ? "text/html" : "application/json", card.toString());
    }

    @Override
    public void close() {
        server.stop(0);
        if (grpc != null) {
            grpc.close();
        }
        threads.shutdownNow();
        agent.close();
    }
}
