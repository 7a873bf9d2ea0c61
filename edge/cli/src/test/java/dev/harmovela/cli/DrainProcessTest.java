package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.HttpApi;
import dev.harmovela.client.RawSocket;
import dev.harmovela.client.SseStream;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TRN-13 as an operating system sees it: SIGTERM, the grace, exit 0, and what comes again after the next start. */
@Tag("proc")
class DrainProcessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private static Json.Obj event(String type, String source, Json.Obj payload) {
        return Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", "evt_" + UUID.randomUUID())
                .put("type", type)
                .put("source", source)
                .put("created_at", Instant.now().toString())
                .put("payload", payload)
                .build();
    }

    private static Json.Obj ack(String source, Json.Obj delivery) {
        return event(
                "event.acknowledged",
                source,
                Json.Obj.builder()
                        .put("acknowledged_event_id", delivery.string("id"))
                        .build());
    }

    private static final Json.Obj FILTER = (Json.Obj) Json.parse("{\"types\":[\"context.updated\"]}");

    private static Json.Obj heard(RawSocket socket, String type) throws Exception {
        while (true) {
            String text = socket.receive(PATIENCE);
            assertThat(text).as("a " + type).isNotNull();
            Json.Obj event = (Json.Obj) Json.parse(text);
            if (type.equals(event.string("type"))) {
                return event;
            }
        }
    }

    private static String open(RawSocket socket, Json.Obj members) throws Exception {
        Json.Obj open = event("session.open", "agent:ws", members);
        socket.send(open.toString());
        String id = heard(socket, "session.opened").string("session_id");
        socket.send(event("session.ready", "agent:ws", Json.Obj.of()).toString());
        return id;
    }

    private static Json.Obj heard(SseStream stream, String type) throws Exception {
        while (true) {
            SseStream.Item.Event event = stream.nextEvent();
            assertThat(event).as("a " + type).isNotNull();
            if (type.equals(event.type())) {
                return (Json.Obj) Json.parse(event.data());
            }
        }
    }

    private static HttpApi.Reply post(HttpApi api, String session, Json.Obj event) throws Exception {
        String path = "/harmovela/events" + (session.isEmpty() ? "" : "?session_id=" + session);
        HttpApi.Reply reply =
                api.post(path, "application/json", event.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(202);
        return reply;
    }

    private static List<Long> numbers(List<Json.Obj> deliveries) {
        return deliveries.stream()
                .map(one -> one.object("payload").integer("n"))
                .toList();
    }

    @Test
    void trn13OnlyWhatWasNotAcknowledgedComesAgain() throws Exception {
        String data = folder.resolve("data").toString();
        Files.writeString(folder.resolve("harmovela.config.json"), "{\"drain_grace_ms\":2000}");
        String onSocket;
        String onStream;
        try (Hub hub = Hub.serve(folder, "--dev", "--data", data);
                HttpApi api = new HttpApi(hub.url(), null, PATIENCE);
                RawSocket socket = RawSocket.connect(hub.url(), null, PATIENCE)) {
            onSocket = open(socket, Json.Obj.of());
            socket.send(event("subscription.requested", "agent:ws", FILTER).toString());
            heard(socket, "subscription.created");
            onStream = post(api, "", event("session.open", "agent:sse", Json.Obj.of()))
                    .object()
                    .string("session_id");
            post(api, onStream, event("session.ready", "agent:sse", Json.Obj.of()));
            post(api, onStream, event("subscription.requested", "agent:sse", FILTER));
            SseStream stream = stream(hub.url(), onStream);
            publish(api, 10);
            List<Json.Obj> ws = new ArrayList<>();
            List<Json.Obj> sse = new ArrayList<>();
            for (int n = 0; n < 10; n++) {
                ws.add(heard(socket, "context.updated"));
                sse.add(heard(stream, "context.updated"));
            }

            hub.process().destroy();
            assertThat(heard(socket, "session.closed").object("payload").string("reason"))
                    .isEqualTo("draining");
            assertThat(heard(stream, "session.closed").object("payload").string("reason"))
                    .isEqualTo("draining");
            assertThat(api.get("/readyz").status()).isEqualTo(503);
            for (int n = 0; n < 5; n++) {
                socket.send(ack("agent:ws", ws.get(n)).toString());
                post(api, onStream, ack("agent:sse", sse.get(n + 5)));
            }
            assertThat(hub.waitFor()).as("exit code").isZero();
            Awaitility.await().until(() -> socket.closeCode() != 0);
            assertThat(socket.closeCode()).isEqualTo(1001);
            stream.close();
        }
        try (Hub hub = Hub.serve(folder, "--dev", "--data", data);
                RawSocket socket = RawSocket.connect(hub.url(), null, PATIENCE);
                SseStream stream = stream(hub.url(), onStream)) {
            open(socket, Json.Obj.builder().put("session_id", onSocket).build());
            List<Json.Obj> ws = new ArrayList<>();
            List<Json.Obj> sse = new ArrayList<>();
            for (int n = 0; n < 5; n++) {
                ws.add(heard(socket, "context.updated"));
                sse.add(heard(stream, "context.updated"));
            }
            assertThat(numbers(ws)).containsExactly(5L, 6L, 7L, 8L, 9L);
            assertThat(numbers(sse)).containsExactly(0L, 1L, 2L, 3L, 4L);
            Cli.Ran counts = Cli.at(hub.url(), "stats", "--json");
            assertThat(counts.data().object("deliveries").integer("acknowledged"))
                    .isEqualTo(10);
            assertThat(counts.data().object("deliveries").integer("pending")).isEqualTo(10);
        }
    }

    private static void publish(HttpApi api, int events) throws Exception {
        for (int n = 0; n < events; n++) {
            Json.Obj payload = Json.Obj.builder().put("n", n).build();
            assertThat(api.post("events", event("context.updated", "agent:p", payload))
                            .status())
                    .isEqualTo(202);
        }
    }

    private static SseStream stream(URI hub, String session) throws Exception {
        SseStream stream = SseStream.open(hub, "/harmovela/events?session_id=" + session, null, null, PATIENCE);
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }
}
