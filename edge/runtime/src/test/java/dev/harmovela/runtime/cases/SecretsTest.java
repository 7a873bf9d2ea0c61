package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SEC-06: what a client shows to prove who it is appears nowhere afterwards. */
class SecretsTest {

    private static final String MARK = "MARK-7f3a";

    @TempDir
    private Path folder;

    /** Keeps whatever is logged at any level. */
    private static final class Ear extends Handler {
        private final StringBuilder heard = new StringBuilder();

        @Override
        public synchronized void publish(LogRecord record) {
            heard.append(new SimpleFormatter().format(record));
        }

        synchronized String heard() {
            return heard.toString();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void sec06NothingTheHubWritesOrSaysHoldsACredential() throws Exception {
        Logger root = Logger.getLogger("");
        Logger ours = Logger.getLogger("dev.harmovela");
        Ear ear = new Ear();
        root.addHandler(ear);
        Level before = ours.getLevel();
        ours.setLevel(Level.ALL);
        List<String> answers = new ArrayList<>();
        try (Running hub = Running.in(folder)) {
            overWebSocket(hub, answers);
            overHttp(hub, answers);
            for (String path : List.of(
                    "audit?limit=1000",
                    "dlq",
                    "history?correlation_id=c1",
                    "sessions",
                    "agents",
                    "subscriptions",
                    "pending",
                    "stats",
                    "status",
                    "tasks",
                    "/metrics",
                    "/healthz",
                    "/readyz")) {
                answers.add(raw(hub, "GET " + address(path), "", ""));
            }
        } finally {
            root.removeHandler(ear);
            ours.setLevel(before);
        }
        assertThat(answers).hasSizeGreaterThan(25).noneMatch(answer -> answer.contains(MARK));
        assertThat(answers.toString()).as("the audit was read").contains("task.completed");
        assertThat(ear.heard()).doesNotContain(MARK);
        List<Path> written;
        try (var files = Files.walk(folder)) {
            written = files.filter(Files::isRegularFile).toList();
        }
        assertThat(written).hasSizeGreaterThan(2);
        for (Path file : written) {
            assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(MARK))
                    .as(file.toString())
                    .isFalse();
        }
    }

    private static String address(String path) {
        return path.startsWith("/") ? path : "/harmovela/api/" + path;
    }

    private static String authorization() {
        return "\"authorization\":{\"scheme\":\"bearer\",\"token\":\"" + MARK + "\",\"nested\":{\"" + MARK + "\":1}}";
    }

    /** In each kind of event: taken, refused, repeated, in conflict, dead, unreadable. */
    private static void overWebSocket(Running hub, List<String> answers) throws Exception {
        try (Agent consumer = hub.agent("agent:c");
                Agent agent = hub.agent("agent:a")) {
            consumer.subscribe("{\"types\":[\"context.updated\"]}");
            String more = "," + authorization();
            String taken = agent.send("context.updated", "\"correlation_id\":\"c1\"" + more);
            answers.add(agent.answer(taken).toString());
            consumer.nack(consumer.delivery(), "not_supported");
            consumer.fence();
            answers.add(consumer.deliveriesSoFar().toString());
            for (String type : List.of(
                    "task.completed",
                    "command.requested",
                    "subscription.requested",
                    "event.rejected",
                    "session.heartbeat",
                    "capabilities.declared",
                    "query.requested",
                    "unknown.type",
                    "Bad Type")) {
                String id = agent.send(type, "\"task_id\":\"none\",\"correlation_id\":\"c1\"" + more);
                answers.add(agent.answer(id).toString());
            }
            agent.socket().send("{\"type\":\"context.updated\",\"id\":7," + authorization() + "}");
            agent.socket().send("{\"type\":\"context.updated\"," + authorization() + "," + authorization() + "}");
            agent.socket().send("{" + authorization() + ",\"id\":");
            agent.fence();
        }
    }

    private static void overHttp(Running hub, List<String> answers) throws IOException {
        String bearer = "Authorization: Bearer " + MARK + "\r\n";
        String cookie = "Cookie: session=" + MARK + "\r\nX-Api-Key: " + MARK + "\r\n";
        answers.add(raw(hub, "GET /harmovela/api/stats?token=" + MARK, "", ""));
        answers.add(raw(hub, "GET /harmovela/api/stats?access_token=" + MARK, bearer, ""));
        answers.add(raw(hub, "POST /harmovela/api/events", bearer + cookie, "{\"bad\":\"json\""));
        answers.add(raw(hub, "POST /harmovela/api/events", bearer + cookie, "{" + authorization() + "}"));
        String open = "{" + authorization() + ",\"type\":\"session.open\"}";
        answers.add(raw(hub, "POST /harmovela/events", bearer + cookie, open));
        answers.add(raw(hub, "POST /harmovela/api/subscriptions", bearer + cookie, "{" + authorization() + "}"));
        answers.add(raw(hub, "GET /harmovela/api/tasks/none", bearer + cookie, ""));
        answers.add(raw(hub, "GET /harmovela/api/audit?colour=red", bearer + cookie, ""));
        answers.add(raw(hub, "DELETE /harmovela/api/dlq/none", bearer + cookie, ""));
        answers.add(raw(hub, "POST /harmovela/api/dlq/replay", bearer + cookie, "{\"event_ids\":[\"none\"]}"));
        answers.add(raw(hub, "PUT /harmovela/api/events", bearer + cookie, "{}"));
        answers.add(raw(hub, "GET /harmovela", bearer + "Sec-WebSocket-Protocol: bearer." + MARK + "\r\n", ""));
    }

    private static String raw(Running hub, String request, String headers, String body) throws IOException {
        try (var socket = new java.net.Socket(
                java.net.InetAddress.getLoopbackAddress(), hub.url().getPort())) {
            socket.setSoTimeout((int) Running.PATIENCE.toMillis());
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            String head = request + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + headers
                    + "Content-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
