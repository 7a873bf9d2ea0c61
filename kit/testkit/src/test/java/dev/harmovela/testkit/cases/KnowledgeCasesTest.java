package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Limits;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Shared state, freshness, beliefs and attestations, seen through the wires of a hub (§9, §10). */
class KnowledgeCasesTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire a = hub.session("agent:a").as("agent:a");
    private final TestWire b = hub.session("agent:b").as("agent:b");

    private static String state(String payload) {
        return "\"type\":\"state.updated\",\"payload\":{" + payload + "}";
    }

    private Json.Obj refusal(TestWire wire, String id) {
        return wire.answerTo(id).object("payload").object("error");
    }

    private static String belief(String status, String id, String corrected, String more) {
        return "\"type\":\"belief.revised\",\"belief_status\":\"" + status + "\",\"belief_scope\":\"fact\"" + more
                + ",\"payload\":{\"fact_id\":\"" + id + "\",\"corrected\":\"" + corrected + "\"}";
    }

    @Test
    void aWriteBasedOnAnOldVersionIsRefusedAndSaysTheCurrentOne() {
        assertThat(a.refusal(a.send(state("\"key\":\"plan\",\"value\":1,\"expected_version\":0"))))
                .isNull();
        assertThat(b.refusal(b.send(state("\"key\":\"plan\",\"value\":2,\"expected_version\":1"))))
                .isNull();
        Json.Obj error = refusal(a, a.send(state("\"key\":\"plan\",\"value\":3,\"expected_version\":1")));
        assertThat(error.string("code")).isEqualTo("stale_state");
        assertThat(error.object("details").integer("version")).isEqualTo(2);
        assertThat(error.object("details").string("path")).isEqualTo("payload.expected_version");
        assertThat(a.refusal(a.send(state("\"key\":\"plan\",\"value\":4,\"version\":2"))))
                .isEqualTo("stale_state");
        assertThat(a.refusal(a.send(state("\"key\":\"plan\",\"value\":4,\"version\":7"))))
                .isNull();
    }

    @Test
    void aSnapshotIsAnsweredByTheHubPageByPage() {
        for (String key : List.of("a", "b", "c")) {
            a.send(state("\"key\":\"" + key + "\",\"value\":\"" + key.repeat(60_000) + "\""));
        }
        for (int i = 0; i < 5; i++) {
            a.send(state("\"key\":\"d" + i + "\",\"value\":\"" + "d".repeat(60_000) + "\""));
        }
        b.send("\"type\":\"state.snapshot.requested\",\"correlation_id\":\"s1\",\"payload\":{}");
        Json.Obj first = b.last("state.snapshot.ready");
        assertThat(first.string("correlation_id")).isEqualTo("s1");
        assertThat(first.object("payload").string("valid_from")).isNotNull();
        String next = first.object("payload").string("next_key");
        assertThat(next).isEqualTo("d0");
        b.send("\"type\":\"state.snapshot.requested\",\"payload\":{\"after_key\":\"" + next + "\"}");
        Json.Obj second = b.last("state.snapshot.ready").object("payload");
        assertThat(second.array("items").items()).hasSize(4);
        assertThat(second.has("next_key")).isFalse();
        b.send("\"type\":\"state.snapshot.requested\",\"payload\":{\"key\":\"b\"}");
        Json.Obj one = (Json.Obj) b.last("state.snapshot.ready")
                .object("payload")
                .array("items")
                .items()
                .getFirst();
        assertThat(one.integer("version")).isEqualTo(1);
        assertThat(one.string("updated_by")).isEqualTo("agent:a");
    }

    @Test
    void anInvalidatedKeyHasNoValueAndKeepsItsVersion() {
        a.send(state("\"key\":\"plan\",\"value\":1"));
        a.send("\"type\":\"state.invalidated\",\"payload\":{\"key\":\"plan\",\"reason\":\"withdrawn\"}");
        assertThat(hub.ask("state", null).array("items").items()).isEmpty();
        assertThat(a.refusal(a.send(state("\"key\":\"plan\",\"value\":1,\"expected_version\":0"))))
                .isEqualTo("stale_state");
        assertThat(a.refusal(a.send(state("\"key\":\"plan\",\"value\":1,\"expected_version\":1"))))
                .isNull();
    }

    @Test
    void stateThatGrowsStaleIsToldAndMarked() {
        b.subscribe("{\"types\":[\"freshness.*\",\"context.*\"]}");
        a.send("\"type\":\"state.updated\",\"stale_after\":\"PT30S\",\"payload\":{\"key\":\"price\",\"value\":7}");
        hub.advance(29_000);
        assertThat(b.deliveries("freshness.expired")).isEmpty();
        hub.advance(2_000);
        assertThat(b.last("freshness.expired").object("payload").string("resource"))
                .isEqualTo("price");
        Json.Obj invalid = b.last("context.invalidated").object("payload");
        assertThat(invalid.string("resource")).isEqualTo("price");
        assertThat(invalid.string("reason")).isEqualTo("stale");
        Json.Obj value =
                (Json.Obj) hub.ask("state", null).array("items").items().getFirst();
        assertThat(value.bool("stale")).isTrue();
        b.ack(b.last("freshness.expired")).ack(b.last("context.invalidated")).clear();
        hub.advance(60_000);
        assertThat(b.deliveries()).isEmpty();
    }

    @Test
    void aMovedWindowEndsWhenItSays() {
        b.subscribe("{\"types\":[\"freshness.expired\"]}");
        a.send("\"type\":\"context.updated\",\"valid_until\":\"" + Timestamps.format(hub.now() + 10_000)
                + "\",\"payload\":{\"resource\":\"calendar\"}");
        a.send("\"type\":\"freshness.window.changed\",\"payload\":{\"resource\":\"calendar\",\"new_valid_until\":\""
                + Timestamps.format(hub.now() + 60_000) + "\"}");
        hub.advance(20_000);
        assertThat(b.deliveries("freshness.expired")).isEmpty();
        hub.advance(50_000);
        assertThat(b.deliveries("freshness.expired")).hasSize(1);
    }

    @Test
    void aCopyThatArrivesTooLateIsFlagged() {
        b.subscribe("{\"types\":[\"environment.*\"]}");
        b.writable(false);
        a.send("\"type\":\"environment.observed\",\"stale_after\":\"PT1S\",\"payload\":{\"n\":1}");
        a.send("\"type\":\"environment.observed\",\"valid_until\":\"2020-01-01T00:00:00Z\",\"payload\":{\"n\":2}");
        b.writable(true);
        assertThat(b.deliveries().get(0).object("delivery").bool("stale")).isNull();
        assertThat(b.deliveries().get(1).object("delivery").bool("stale")).isTrue();
    }

    @Test
    void aHubMayRefuseWhatArrivesStale() {
        HubConfig all = HubConfig.defaults(List.of("websocket"));
        TestHub strict = TestHub.inMemory(new HubConfig(
                all.registry(),
                all.limits().withStaleEvents(Limits.StaleEvents.REFUSED),
                all.offer(),
                all.retry(),
                all.tasks(),
                all.bounds()));
        TestWire wire = strict.session("agent:a").as("agent:a");
        String old = wire.send("\"type\":\"environment.observed\",\"valid_until\":\"2020-01-01T00:00:00Z\"");
        assertThat(wire.refusal(old)).isEqualTo("stale_state");
        assertThat(wire.refusal(wire.send("\"type\":\"environment.observed\",\"stale_after\":\"PT1S\"")))
                .isNull();
    }

    @Test
    void twoSourcesThatSayOtherwiseAreAConflict() {
        TestWire c = hub.session("agent:c").as("agent:c");
        c.subscribe("{\"types\":[\"belief.conflict.detected\"]}");
        a.send(belief("asserted", "build", "green", ",\"confidence\":0.9"));
        b.send(belief("asserted", "build", "green", ""));
        assertThat(c.deliveries()).isEmpty();
        b.send(belief("revised", "build", "red", ""));
        Json.Obj conflict = c.last("belief.conflict.detected");
        assertThat(conflict.string("belief_status")).isEqualTo("contradicted");
        assertThat(conflict.object("payload").array("beliefs").items()).hasSize(2);
        b.send(belief("revised", "build", "red", ""));
        assertThat(c.deliveries()).hasSize(1);
        assertThat(hub.ask("beliefs", null).array("items").items()).hasSize(2);
    }

    @Test
    void whatWasDerivedFromARetractedBeliefIsInDoubt() {
        TestWire c = hub.session("agent:c").as("agent:c");
        String ground = a.send(belief("asserted", "sensor", "ok", ""));
        String link = "\"evidence_chain\":[{\"source\":\"agent:a\",\"id\":\"" + ground + "\"}]";
        String derived = b.send(belief("asserted", "line", "runs", "," + link));
        c.send(belief(
                "asserted",
                "output",
                "high",
                ",\"evidence_chain\":[{\"source\":\"agent:b\",\"id\":\"" + derived + "\"}]"));
        a.send(belief("retracted", "sensor", "ok", ""));
        assertThat(b.last("context.invalidated").object("payload").string("resource"))
                .isEqualTo("line");
        assertThat(c.last("context.invalidated").object("payload").string("reason"))
                .isEqualTo("evidence_retracted");
        assertThat(hub.ask("beliefs", null).array("items").items())
                .hasSize(2)
                .allMatch(item -> Boolean.TRUE.equals(((Json.Obj) item).bool("doubted")));
    }

    @Test
    void attestationsCountEachAttesterOnce() {
        String claim = a.send(belief("asserted", "build", "green", ""));
        String attest = "\"type\":\"provenance.attestation.added\",\"causation_id\":\"" + claim + "\",\"payload\":{}";
        b.send(attest);
        String again = b.send(attest);
        assertThat(b.answerTo(again).object("payload").bool("duplicate")).isTrue();
        a.send(attest);
        Json.Obj known =
                (Json.Obj) hub.ask("attestations", null).array("items").items().getFirst();
        assertThat(known.integer("attestation_count")).isEqualTo(2);
        b.send("\"type\":\"provenance.attestation.revoked\",\"causation_id\":\"" + claim + "\",\"payload\":{}");
        String twice =
                b.send("\"type\":\"provenance.attestation.revoked\",\"causation_id\":\"" + claim + "\",\"payload\":{}");
        assertThat(b.refusal(twice)).isEqualTo("protocol_error");
        known = (Json.Obj) hub.ask("attestations", null).array("items").items().getFirst();
        assertThat(known.strings("attested_by")).containsExactly("agent:a");
    }

    @Test
    void whatWasAgreedOnIsRequired() {
        TestWire strict = hub.wire();
        strict.open("agent:s", "{\"profiles\":[\"harmovela.runtime-semantics.v1\"]}")
                .as("agent:s");
        String lacking = strict.send("\"type\":\"belief.revised\",\"payload\":{\"fact_id\":\"f\",\"corrected\":1}");
        assertThat(refusal(strict, lacking).string("code")).isEqualTo("invalid_envelope");
        assertThat(refusal(strict, lacking).object("details").string("path")).isEqualTo("belief_status");
        String window = strict.send("\"type\":\"freshness.window.changed\",\"payload\":{\"resource\":\"r\"}");
        assertThat(refusal(strict, window).object("details").string("path")).isEqualTo("payload.new_valid_until");
        String chain =
                strict.send("\"type\":\"belief.revised\",\"belief_status\":\"asserted\",\"belief_scope\":\"fact\","
                        + "\"causation_id\":\"e2\",\"evidence_chain\":[{\"source\":\"agent:x\",\"id\":\"e1\"}],"
                        + "\"payload\":{\"corrected\":1}");
        assertThat(refusal(strict, chain).object("details").string("path")).isEqualTo("evidence_chain");
        assertThat(a.refusal(a.send("\"type\":\"belief.revised\",\"payload\":{\"fact_id\":\"f\",\"corrected\":1}")))
                .isNull();
    }
}
