package dev.harmovela.contract;

import static dev.harmovela.contract.Events.event;
import static dev.harmovela.contract.Events.object;
import static dev.harmovela.contract.Events.ok;
import static dev.harmovela.contract.Events.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.RandomJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventRecordTest {

    private static final EventRegistry REGISTRY = EventRegistry.standard();

    private static Event throughRecord(Event event) {
        Out out = new Out().u8(9);
        event.writeRecord(out);
        In in = new In(out.toByteArray(), 1, out.size() - 1);
        Event back = Event.readRecord(in, REGISTRY);
        assertThat(in.remaining()).isZero();
        return back;
    }

    private static void assertSame(Event one, Event other) {
        assertThat(other.bytes()).isEqualTo(one.bytes());
        assertThat(other.type()).isSameAs(one.type());
        assertThat(other.id()).isEqualTo(one.id());
        assertThat(other.source()).isEqualTo(one.source());
        assertThat(other.createdAt()).isEqualTo(one.createdAt());
        assertThat(other.createdAtMillis()).isEqualTo(one.createdAtMillis());
        assertThat(other.expiresAt()).isEqualTo(one.expiresAt());
        for (Field field : Field.values()) {
            if (field.ordinal() < Field.PAYLOAD.ordinal()) {
                assertThat(other.member(field.wire())).isEqualTo(one.member(field.wire()));
            }
        }
        assertThat(other.payload()).isEqualTo(one.payload());
        assertThat(other.contentHash()).isEqualTo(one.contentHash());
        assertThat(other.delivery().mode()).isEqualTo(one.delivery().mode());
        assertThat(other.delivery().retry()).isEqualTo(one.delivery().retry());
    }

    @Test
    void aRecordGivesTheEventBack() {
        String members = """
                "delivery":{"mode":"replayable","sequence":7,"retry":{"backoff_ms":0,"backoff_multiplier":1.5}},
                "authorization":{"token":"s3cret"},"expires_at":"2030-01-01T00:00:00Z","topic":"caf\\u00e9" """;
        Event e = ok(event("task.progress", members, "{\"task_id\":\"t\\u0031\",\"n\":1.10}"));
        Event back = throughRecord(e);
        assertSame(e, back);
        assertThat(back.taskId()).isEqualTo("t1");
        assertThat(back.authorization()).isNull();
        assertThat(back.delivery().raw())
                .hasToString("{\"mode\":\"replayable\",\"retry\":{\"backoff_ms\":0,\"backoff_multiplier\":1.5}}");
        assertSame(back, throughRecord(back));
    }

    @Test
    void anAbbreviatedHandshakeSurvivesToo() {
        Event back = throughRecord(ok("{\"type\":\"session.open\",\"capabilities\":{}}"));
        assertThat(back.id()).isEmpty();
        assertThat(back.payload().isEmpty()).isTrue();
        assertThat(back.member("capabilities")).isEqualTo(Json.Obj.of());
    }

    @Test
    void aCutOffRecordIsRefusedAtEveryLength() {
        Out out = new Out();
        ok(event("context.updated", "\"topic\":\"t\"", "{}")).writeRecord(out);
        for (int length = 0; length < out.size(); length++) {
            In in = new In(out.array(), 0, length);
            assertThatThrownBy(() -> Event.readRecord(in, REGISTRY)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aTypeThatIsNoLongerRegisteredCanStillBeRead() {
        EventRegistry wider = REGISTRY.withFamilies(List.of(CustomFamily.of("shop", List.of("sold"))));
        Out out = new Out();
        EventDraft.of(wider.require("shop.sold"), "evt_1", "agent:a", 0).build().writeRecord(out);
        Event back = Event.readRecord(new In(out.toByteArray()), REGISTRY);
        assertThat(back.type().name()).isEqualTo("shop.sold");
        assertThat(back.type().family()).isEqualTo("shop");
        assertThat(back.type().index()).isEqualTo(-1);
    }

    @Test
    void aDraftReadsBackAsItWasMade() {
        for (long seed = 1; seed <= 500; seed++) {
            RandomJson random = new RandomJson(seed);
            EventDraft draft = EventDraft.of(
                            REGISTRY.require("context.updated"), "evt_" + seed, "agent:a", seed * 1234567)
                    .target(name(random))
                    .topic(name(random))
                    .sessionId(name(random))
                    .conversationId(name(random))
                    .taskId(name(random))
                    .parentTaskId(name(random))
                    .correlationId(name(random))
                    .causationId(name(random))
                    .tenantId(name(random))
                    .targetTenantId(name(random))
                    .member("x_note", random.value(2))
                    .payload(random.object(2).without("_"));
            if (seed % 2 == 0) {
                draft.expiresAt(4_000_000_000_000L + seed);
            }
            Event made = draft.build();
            Event read = ok(text(made));
            assertSame(read, made);
            assertSame(made, throughRecord(made));
            assertThat(made.member("x_note")).as("seed %d", seed).isEqualTo(read.member("x_note"));
        }
    }

    private static String name(RandomJson random) {
        String name = random.string();
        return name.isEmpty() ? null : name;
    }

    @Test
    void aDraftTakesItsDeliveryBesideTheBytes() {
        Event made = EventDraft.of(REGISTRY.require("task.accepted"), "evt_1", "harness:harmovela", 1_783_677_600_000L)
                .taskId("t1")
                .delivery(DeliveryAsk.of(DeliveryMode.BEST_EFFORT))
                .build();
        assertThat(text(made))
                .isEqualTo("{\"spec_version\":\"0.2\",\"id\":\"evt_1\",\"type\":\"task.accepted\","
                        + "\"source\":\"harness:harmovela\",\"created_at\":\"2026-07-10T10:00:00.000Z\","
                        + "\"task_id\":\"t1\",\"payload\":{}}");
        assertThat(made.delivery().mode()).isEqualTo(DeliveryMode.BEST_EFFORT);
        assertThatThrownBy(() -> EventDraft.of(made.type(), "e", "s", 0).member("target", Json.of("x")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theContentHashLeavesOutWhatADuplicateMayChange() {
        String base = event("task.submitted", "\"task_id\":\"t\",\"target\":\"agent:b\"", "{\"n\":1}");
        long hash = ok(base).contentHash();
        assertThat(ok(base.replace("evt_1", "evt_2")).contentHash()).isEqualTo(hash);
        assertThat(ok(base.replace(Events.AT, "2027-01-01T00:00:00Z")).contentHash())
                .isEqualTo(hash);
        assertThat(ok(base.replace("\"task_id\"", "\"delivery\":{\"mode\":\"replayable\"},\"task_id\""))
                        .contentHash())
                .isEqualTo(hash);
        Event written = ok(base.replace("\"t\"", "\"\\u0074\"").replace("evt_1", "evt_2"));
        assertThat(written.contentHash()).isEqualTo(hash);
        assertThat(written.sameContent(ok(base))).isTrue();
        assertThat(ok(base).sameContent(written)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "task.submitted|task.escalated",
                "agent:b|agent:c",
                "\"t\"|\"u\"",
                "{\"n\":1}|{\"n\":1.0}",
                "{\"n\":1}|{}",
                "\"target\":\"agent:b\"|\"topic\":\"agent:b\"",
                "\"task_id\":\"t\"|\"task_id\":\"t\",\"correlation_id\":\"c\""
            })
    void theContentHashTellsContentsApart(String change) {
        String base = event("task.submitted", "\"task_id\":\"t\",\"target\":\"agent:b\"", "{\"n\":1}");
        String[] parts = change.split("\\|");
        assertThat(base).contains(parts[0]);
        assertThat(ok(base.replace(parts[0], parts[1])).contentHash()).isNotEqualTo(ok(base).contentHash());
    }

    @Test
    void theContentHashIsTheSameInEveryBuild() {
        Event e = ok(event("task.submitted", "\"task_id\":\"t\"", "{\"note\":\"twelve bytes\"}"));
        assertThat(Long.toHexString(e.contentHash())).isEqualTo("51a67dec6208028c");
    }

    @Test
    void eventsShowTypeAndIdOnly() {
        assertThat(ok(event("context.updated", "", "{\"secret\":1}"))).hasToString("context.updated evt_1");
        assertThat(object("{}").size()).isZero();
    }
}
