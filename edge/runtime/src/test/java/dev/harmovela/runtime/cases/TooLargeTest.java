package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.StdioDaemon;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** TRN-15: a message larger than allowed, on each transport. */
class TooLargeTest {

    private static final int LIMIT = 65_536;
    private static final String HUGE = "\"payload\":{\"text\":\"" + "x".repeat(8 << 20) + "\"}";
    private static final String LARGE = "\"payload\":{\"text\":\"" + "x".repeat(LIMIT) + "\"}";

    private Running hub;

    @BeforeEach
    void start() {
        hub = Running.inMemory("limits.payload_bytes", Integer.toString(LIMIT), "http.body_bytes", "1048576");
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    @Test
    void trn15TheLimitIsToldWhenTheSessionOpens() throws Exception {
        Agent agent = hub.agent("agent:a");
        String again = agent.send("session.opened", "\"payload\":{}");
        Json.Obj opened = agent.answer(again);
        assertThat(opened.object("capabilities").integer("max_payload_size")).isEqualTo(LIMIT);
        Json.Obj ready = agent.await(one -> "session.ready".equals(one.string("type")));
        assertThat(ready.object("payload").integer("max_payload_size")).isEqualTo(LIMIT);
        agent.close();
    }

    @Test
    void trn15AWebSocketEndsWith1009AndTheOthersStay() throws Exception {
        Agent other = hub.agent("agent:other");
        Agent agent = hub.agent("agent:a");
        Json.Obj refused = agent.answer(agent.send("context.updated", LARGE));
        assertThat(refused.object("payload").object("error").string("code")).isEqualTo("payload_too_large");
        agent.fence();

        agent.send("context.updated", HUGE);
        Json.Obj last = agent.await(one -> "event.rejected".equals(one.string("type")));
        assertThat(last.object("payload").object("error").string("code")).isEqualTo("payload_too_large");
        assertThat(agent.awaitClose()).isEqualTo(1009);
        other.fence();
        other.close();
    }

    @Test
    void trn15PostsAreAnswered413() throws Exception {
        String session = hub.openByPost("agent:a");
        for (String members : new String[] {LARGE, HUGE}) {
            String event = Events.of("context.updated", "agent:a", members).toString();
            assertThat(hub.post("events", event).status()).isEqualTo(413);
            assertThat(hub.post("/harmovela/events", event).status()).isEqualTo(413);
            assertThat(hub.say(session, event).status()).isEqualTo(413);
        }
        hub.publish("context.updated", "");
    }

    @Test
    void trn15NothingIsInflated() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
            for (int i = 0; i < 256; i++) {
                zip.write(new byte[1 << 20]);
            }
        }
        try (Bytes bytes = new Bytes(hub.daemon().port())) {
            Bytes.Head head = bytes.ask(
                    "POST /harmovela/api/events",
                    "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
                    packed.toByteArray());
            assertThat(head.status()).isBetween(400, 415);
        }
        try (Bytes bytes = new Bytes(hub.daemon().port())) {
            Bytes.Head head = bytes.ask(
                    "GET /harmovela",
                    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: harmovela-0.2\r\n"
                            + "Sec-WebSocket-Extensions: permessage-deflate\r\n",
                    new byte[0]);
            assertThat(head.status()).isEqualTo(101);
            assertThat(head.headers()).doesNotContainKey("sec-websocket-extensions");
        }
    }

    @Test
    void trn15APipeAnswersAndGoesOn() throws Exception {
        String lines = Events.of("context.updated", "agent:a", HUGE + ",\"id\":\"huge\"") + "\n"
                + Events.of("context.updated", "agent:a", LARGE + ",\"id\":\"large\"") + "\n"
                + Events.of("context.updated", "agent:a", "\"id\":\"small\"") + "\n";
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Map<String, String> settings =
                Map.of("HARMOVELA_LIMITS_PAYLOAD_BYTES", Integer.toString(LIMIT), "HARMOVELA_DEV", "true");
        int code = StdioDaemon.run(
                ConfigLoader.load(new ConfigLoader.Sources(Path.of(""), settings, null, Map.of()))
                        .config(),
                new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        assertThat(code).isZero();
        String said = out.toString(StandardCharsets.UTF_8);
        assertThat(said.lines().filter(line -> line.contains("payload_too_large")))
                .hasSize(2);
        assertThat(said).contains("\"acknowledged_event_id\":\"small\"").hasSizeLessThan(20_000);
    }
}
