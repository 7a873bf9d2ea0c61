package dev.harmovela.dimension.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Bench;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Signal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is said in whatever order: versions never fall, windows close once, and the fold is the state (§9, §10). */
class KnowledgePropertyTest {

    private static final List<String> AGENTS = List.of("agent:a", "agent:b", "agent:c");

    private final Bench<Knowledge> bench =
            new Bench<>(() -> new Knowledge(EventRegistry.standard()), (kind, in) -> Knowledge.read(kind, 1, in));
    private final Map<String, Long> versions = new HashMap<>();
    private final List<String> said = new ArrayList<>(List.of("evt_none"));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void holds(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 400; i++) {
            String who = AGENTS.get(random.nextInt(AGENTS.size()));
            switch (random.nextInt(6)) {
                case 0, 1 -> write(random, who);
                case 2 -> bench.send("state.invalidated", who, "{\"key\":\"k" + random.nextInt(4) + "\"}", d -> d);
                case 3 -> believe(random, who);
                case 4 -> window(random, who);
                default -> bench.advance(random.nextInt(3000));
            }
        }
        bench.check();
        bench.advance(3_600_000);
        assertThat(bench.dimension.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        bench.check();
    }

    private void write(Random random, String who) {
        String key = "k" + random.nextInt(4);
        long current = versions.getOrDefault(key, 0L);
        long expected = random.nextInt(3) == 0 ? random.nextInt(5) : current;
        Decision decision = bench.send(
                "state.updated",
                who,
                "{\"key\":\"" + key + "\",\"value\":" + random.nextInt() + ",\"expected_version\":" + expected + "}",
                d -> d);
        assertThat(decision.refusal() == null).isEqualTo(expected == current);
        if (decision.refusal() == null) {
            versions.put(key, current + 1);
        }
    }

    private void believe(Random random, String who) {
        String status =
                List.of("asserted", "revised", "retracted", "contradicted").get(random.nextInt(4));
        String ground = said.get(random.nextInt(said.size()));
        Json.Obj link = Json.Obj.builder().put("source", who).put("id", ground).build();
        bench.send(
                "belief.revised",
                who,
                "{\"fact_id\":\"f" + random.nextInt(5) + "\",\"corrected\":" + random.nextInt(3) + "}",
                draft -> draft.member("belief_status", Json.of(status))
                        .member("evidence_chain", new Json.Arr(List.of(link))));
        bench.dimension.beliefs(Bench.TENANT).forEach(one -> {
            if (!said.contains(one.string("event_id"))) {
                said.add(one.string("event_id"));
            }
        });
    }

    private void window(Random random, String who) {
        boolean moves = random.nextBoolean();
        String until = Timestamps.format(bench.now + random.nextInt(5000) - 1000);
        String resource = "\"resource\":\"r" + random.nextInt(4) + "\"";
        String payload = moves
                ? "{" + resource + ",\"new_valid_until\":\"" + until + "\"}"
                : "{" + resource + ",\"valid_until\":\"" + until + "\"}";
        String type = moves ? "freshness.window.changed" : "context.updated";
        bench.tell(new Signal.Happened(Bench.TENANT, bench.event(type, who, payload, d -> d), 1));
    }
}
