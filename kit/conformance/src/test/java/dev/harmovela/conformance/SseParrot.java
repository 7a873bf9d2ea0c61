package dev.harmovela.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An HTTP server with posts and event streams, and a {@link ParrotHub} behind each session. */
final class SseParrot implements AutoCloseable {

    private record Session(ParrotHub hub, BlockingQueue<String> stream) {}

    private final HttpServer server;
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final AtomicInteger opened = new AtomicInteger();

    SseParrot() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/harmovela/events", this::handle);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/harmovela/events";
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                stream(exchange, sessions.get(query.substring("session_id=".length())));
                return;
            }
            String line = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (query == null) {
                open(exchange);
            } else {
                take(exchange, sessions.get(query.substring("session_id=".length())), line);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void open(HttpExchange exchange) throws IOException {
        String id = "sess-" + opened.incrementAndGet();
        sessions.put(
                id, new Session(new ParrotHub(Suites.all(), UnaryOperator.identity()), new LinkedBlockingQueue<>()));
        respond(
                exchange,
                202,
                "{\"accepted\":1,\"rejected\":0,\"errors\":[],\"session_id\":\"" + id
                        + "\",\"replies\":[{\"type\":\"session.opened\",\"payload\":{\"session_id\":\"" + id
                        + "\",\"capabilities\":{\"features\":[\"conformance\"]}}}]}");
    }

    private static void take(HttpExchange exchange, Session session, String line)
            throws IOException, InterruptedException {
        if (line.contains("\"session.ready\"") && line.contains("evt_conformance_")) {
            respond(exchange, 202, "{\"accepted\":1,\"rejected\":0,\"errors\":[],\"replies\":[]}");
            return;
        }
        session.hub().send(line);
        List<Json> replies = new ArrayList<>();
        for (Incoming said = session.hub().receive(0);
                said != null;
                said = session.hub().receive(0)) {
            Json.Obj event = (Json.Obj) Json.parse(said.text());
            if (Wire.directAnswer(event)) {
                replies.add(event);
            } else {
                session.stream().add(said.text());
            }
        }
        if (SentLine.of(line).form() == SentLine.Form.NO_JSON) {
            Json.Obj error = Wire.error((Json.Obj) replies.getFirst());
            respond(
                    exchange,
                    400,
                    "{\"accepted\":0,\"rejected\":1,\"errors\":[{\"event_index\":0,\"error\":" + error + "}]}");
        } else {
            respond(
                    exchange,
                    202,
                    "{\"accepted\":1,\"rejected\":0,\"errors\":[],\"replies\":" + new Json.Arr(replies) + "}");
        }
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static void stream(HttpExchange exchange, Session session) throws IOException, InterruptedException {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        out.write(": heartbeat\n\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        while (true) {
            String event = session.stream().take();
            out.write(("id: 1\nevent: x\ndata: " + event + "\n\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
