package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import org.junit.jupiter.api.Test;

/**
 * Malformed, mistyped, foreign or outdated lines through a whole hub (§1); the reader itself is tested where it
 * lives.
 */
class EnvelopeCasesTest {

    private static final String HEARTBEAT = "{\"spec_version\":\"0.2\",\"id\":\"ok\",\"type\":\"session.heartbeat\","
            + "\"source\":\"agent:a\",\"created_at\":\"2026-07-10T10:00:00Z\",\"payload\":{\"session_id\":\"s1\"}}";

    private final TestHub hub = TestHub.inMemory();
    private final TestWire pipe = hub.pipe();

    private static Json.Obj error(Json.Obj answer) {
        return answer.object("payload").object("error");
    }

    @Test
    void env_01_a_repeated_key_is_refused_with_its_path_and_never_routed() {
        pipe.raw("{\"spec_version\":\"0.2\",\"id\":\"evt_d1\",\"type\":\"session.heartbeat\",\"source\":\"agent:a\","
                + "\"source\":\"agent:admin\",\"created_at\":\"2026-07-10T10:00:00Z\","
                + "\"payload\":{\"session_id\":\"s1\"}}");
        Json.Obj refused = error(pipe.last("event.rejected"));
        assertThat(refused.string("code")).isEqualTo("invalid_envelope");
        assertThat(refused.object("details").string("path")).isEqualTo("source");
    }

    @Test
    void env_01_at_any_depth_and_nobody_ever_sees_such_an_event() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        TestWire publisher = hub.session("agent:a");
        publisher.raw("{\"spec_version\":\"0.2\",\"id\":\"evt_d2\",\"type\":\"context.updated\",\"source\":\"agent:a\","
                + "\"created_at\":\"2026-07-10T10:00:00Z\","
                + "\"payload\":{\"parts\":[{\"role\":\"user\",\"role\":\"admin\"}]}}");
        Json.Obj refused = error(publisher.last("event.rejected"));
        assertThat(refused.string("code")).isEqualTo("invalid_envelope");
        assertThat(refused.object("details").string("path")).isEqualTo("payload.parts.0.role");
        assertThat(consumer.deliveries()).isEmpty();
        assertThat(hub.ask("stats", null).integer("events_published")).isZero();
    }

    @Test
    void env_03_numbers_keep_their_digits_in_a_dead_letter() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        String payload = "{\"value\":1724442618569203714,\"amount\":1.10,\"e\":1e400}";
        String id = hub.session("agent:a").send("\"type\":\"context.updated\",\"payload\":" + payload);
        consumer.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + id
                + "\",\"error\":{\"code\":\"not_supported\",\"message\":\"no\"}}");
        assertThat(hub.ask("dead_letter", id).object("original_event").object("payload"))
                .hasToString(payload);
    }

    @Test
    void env_03_numbers_come_out_digit_for_digit() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"memory.*\"]}");
        TestWire publisher = hub.session("agent:a");
        publisher.raw(
                "{\"spec_version\":\"0.2\",\"id\":\"evt_n1\",\"type\":\"memory.fact.added\",\"source\":\"agent:a\","
                        + "\"created_at\":\"2026-07-10T10:00:00Z\",\"payload\":{\"fact_id\":\"f\","
                        + "\"value\":1724442618569203714,"
                        + "\"amount\":1.10,\"e\":1e400}}");
        assertThat(consumer.deliveries().get(0).object("payload"))
                .hasToString("{\"fact_id\":\"f\",\"value\":1724442618569203714,\"amount\":1.10,\"e\":1e400}");
    }

    @Test
    void env_04_null_is_absent_where_optional_and_named_where_required() {
        pipe.raw(HEARTBEAT.replace(
                "\"payload\"", "\"target\":null,\"task_id\":null,\"expires_at\":null,\"delivery\":null,\"payload\""));
        assertThat(pipe.last("event.acknowledged").string("causation_id")).isEqualTo("ok");
        pipe.raw(HEARTBEAT.replace("\"agent:a\"", "null"));
        Json.Obj refused = error(pipe.last("event.rejected"));
        assertThat(refused.string("code")).isEqualTo("invalid_envelope");
        assertThat(refused.object("details").string("path")).isEqualTo("source");
    }

    @Test
    void env_05_a_refusal_names_path_expectation_and_what_was_there() {
        pipe.raw("{\"spec_version\":\"0.2\",\"id\":\"evt_5\",\"type\":\"task.submitted\",\"source\":\"agent:a\","
                + "\"created_at\":1720000000,\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\","
                + "\"timeout_ms\":\"soon\"}}");
        Json.Obj answer = pipe.last("event.rejected");
        assertThat(answer.string("causation_id")).isEqualTo("evt_5");
        Json.Obj details = error(answer).object("details");
        assertThat(details.string("path")).isEqualTo("created_at");
        assertThat(details.has("expected")).isTrue();
        assertThat(details.has("got")).isTrue();
    }

    @Test
    void env_07_each_bad_line_has_its_answer_and_the_next_good_one_works() {
        for (String line : new String[] {"null", "[]", "42", "{\"spec_version\":\"0.2\""}) {
            pipe.raw(line);
        }
        pipe.raw(HEARTBEAT);
        assertThat(pipe.received("event.rejected")).hasSize(3);
        assertThat(pipe.diagnostics()).as("not JSON at all: told on the side").hasSize(1);
        assertThat(pipe.received().get(3).string("type")).isEqualTo("event.acknowledged");
    }

    @Test
    void env_08_other_versions_are_refused_with_what_is_supported() {
        pipe.raw("{\"aep_version\":\"0.1\",\"id\":\"v1\",\"type\":\"session.heartbeat\",\"source\":\"agent:a\","
                + "\"created_at\":\"2026-07-10T10:00:00Z\",\"payload\":{}}");
        pipe.raw(HEARTBEAT.replace("\"0.2\"", "\"0.3\""));
        pipe.raw(HEARTBEAT.replace("\"0.2\"", "\"1.0\""));
        pipe.raw(HEARTBEAT.replace("\"0.2\"", "0.2"));
        assertThat(pipe.received("event.rejected")).hasSize(4).allSatisfy(answer -> {
            assertThat(error(answer).string("code")).isEqualTo("unsupported_version");
            assertThat(error(answer).object("details").array("supported")).hasToString("[\"0.2\"]");
        });
        pipe.clear();
        pipe.raw(HEARTBEAT.replace("\"spec_version\":\"0.2\",", ""));
        assertThat(error(pipe.last("event.rejected")).string("code")).isEqualTo("invalid_envelope");
    }
}
