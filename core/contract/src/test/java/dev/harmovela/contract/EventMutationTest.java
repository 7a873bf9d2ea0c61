package dev.harmovela.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventReader.Read;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.RandomJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Events with a few bytes changed: the reader answers every one of them, and what it takes holds together. */
class EventMutationTest {

    private static final List<String> BASES = List.of(
            Events.event(
                    "task.progress",
                    "\"delivery\":{\"mode\":\"at_least_once\",\"retry\":{\"max_attempts\":3}},\"task_id\":\"t1\"",
                    "{\"task_id\":\"t1\",\"progress\":0.5,\"note\":\"caf\\u00e9\"}"),
            Events.event(
                    "subscription.requested",
                    "\"authorization\":{\"scheme\":\"bearer\",\"token\":\"x\"}",
                    "{\"types\":[\"task.*\",\"*\"],\"source\":\"agent:a\",\"max_in_flight\":10,\"retry\":{}}"),
            Events.event(
                    "command.requested",
                    "\"target\":\"agent:b\",\"correlation_id\":\"c\",\"expires_at\":\"2030-01-01T00:00:00Z\"",
                    "{\"command\":\"go\",\"authorization_scope\":[\"a\"],\"delegation_chain\":[]}"),
            Events.event(
                    "belief.revised",
                    "\"belief_status\":\"revised\",\"confidence\":0.25,"
                            + "\"stale_after\":\"PT1M\",\"evidence_chain\":[{}]",
                    "{\"corrected\":{\"a\":[1,2,{}]}}"),
            "{\"type\":\"session.open\",\"aep_version\":\"0.2\",\"capabilities\":{\"profiles\":[\"x\"]}}");

    @Test
    void everyChangeIsAnswered() {
        EventReader reader = new EventReader(EventRegistry.standard(), Limits.DEFAULT);
        int taken = 0;
        for (long seed = 1; seed <= 40_000; seed++) {
            RandomJson random = new RandomJson(seed);
            byte[] base = BASES.get((int) (seed % BASES.size())).getBytes(StandardCharsets.UTF_8);
            byte[] bytes = random.mutate(base);
            byte[] framed = new byte[bytes.length + 7];
            System.arraycopy(bytes, 0, framed, 3, bytes.length);
            switch (reader.read(framed, 3, bytes.length)) {
                case Read.Ok(Event event) -> {
                    taken++;
                    holdsTogether(event, bytes, seed);
                }
                case Read.Bad bad -> {
                    assertThat(bad.all()).as("seed %d", seed).contains(bad.first());
                    assertThat(bad.first().details().has("path"))
                            .as("seed %d", seed)
                            .isTrue();
                }
            }
        }
        assertThat(taken).isBetween(1000, 20_000);
    }

    private static void holdsTogether(Event event, byte[] sent, long seed) {
        Json.Obj stored = Events.object(Events.text(event));
        Json.Obj whole = (Json.Obj) Json.parse(sent, 0, sent.length);
        assertThat(stored)
                .as("seed %d", seed)
                .isEqualTo(whole.without("delivery").without("authorization"));
        assertThat(event.payload()).isEqualTo(stored.has("payload") ? stored.get("payload") : Json.Obj.of());
        assertThat(event.type().name()).isEqualTo(stored.string("type"));
        for (String name : List.of("id", "source", "target", "topic", "correlation_id", "session_id")) {
            assertThat(event.member(name)).as("seed %d", seed).isEqualTo(stored.get(name));
        }
    }

    @Test
    void randomBytesAreAnswered() {
        EventReader reader = new EventReader(EventRegistry.standard(), Limits.DEFAULT);
        for (long seed = 1; seed <= 2000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > 0 && random.nextBoolean()) {
                bytes[0] = '{';
            }
            assertThat(reader.read(bytes, 0, bytes.length)).as("seed %d", seed).isInstanceOf(Read.Bad.class);
        }
    }
}
