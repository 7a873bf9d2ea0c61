package dev.harmovela.contract;

import static dev.harmovela.contract.Events.event;
import static dev.harmovela.contract.Events.object;
import static dev.harmovela.contract.Events.ok;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionFilterTest {

    private static SubscriptionFilter filter(String json) {
        return switch (SubscriptionFilter.parse(object(json))) {
            case SubscriptionFilter.Parsed.Ok(SubscriptionFilter filter) -> filter;
            case SubscriptionFilter.Parsed.Bad(ProtocolError error) -> throw new AssertionError(error);
        };
    }

    private static ProtocolError error(String json) {
        return switch (SubscriptionFilter.parse(object(json))) {
            case SubscriptionFilter.Parsed.Ok ok -> throw new AssertionError(ok);
            case SubscriptionFilter.Parsed.Bad(ProtocolError error) -> error;
        };
    }

    @Test
    void everyMemberIsRead() {
        SubscriptionFilter f = filter("""
                {"types":["task.*","memory.*"],"source":"agent:a","target":["agent:b"],"topic":"t","session_id":"s",
                "conversation_id":"c","task_id":["k"],"metadata":{"x_kind":1},"from_cursor":"earliest","inclusive":true,
                "delivery_mode":"replayable","expires_at":"2026-07-10T10:00:00Z","ttl_ms":5000,
                "retry":{"max_attempts":2},"max_in_flight":10,"consumer_group":"g"}""");
        assertThat(f.types()).extracting(TypePattern::toString).containsExactly("task.*", "memory.*");
        assertThat(f.source()).containsExactly("agent:a");
        assertThat(f.target()).containsExactly("agent:b");
        assertThat(f.topic()).containsExactly("t");
        assertThat(f.sessionId()).containsExactly("s");
        assertThat(f.conversationId()).containsExactly("c");
        assertThat(f.taskId()).containsExactly("k");
        assertThat(f.metadata()).containsOnlyKeys("x_kind");
        assertThat(f.fromCursor()).isEqualTo("earliest");
        assertThat(f.inclusive()).isTrue();
        assertThat(f.mode()).isEqualTo(DeliveryMode.REPLAYABLE);
        assertThat(f.expiresAt()).isEqualTo(1_783_677_600_000L);
        assertThat(f.ttlMs()).isEqualTo(5000);
        assertThat(f.retry().maxAttempts()).isEqualTo(2);
        assertThat(f.maxInFlight()).isEqualTo(10);
        assertThat(f.group()).isEqualTo("g");
    }

    @Test
    void defaultsAreOpenEnded() {
        SubscriptionFilter f = filter("{\"types\":\"*\",\"topic\":null,\"retry\":null}");
        assertThat(f.expiresAt()).isEqualTo(Long.MAX_VALUE);
        assertThat(f.ttlMs()).isZero();
        assertThat(f.maxInFlight()).isZero();
        assertThat(f.retry()).isEqualTo(RetryPolicy.Partial.UNSET);
        assertThat(f.mode()).isNull();
        assertThat(f.group()).isNull();
        assertThat(f.fromCursor()).isNull();
        assertThat(f.inclusive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"task_id\":\"t\"}", "{\"types\":null,\"session_id\":\"s\"}", "{\"metadata\":{}}"})
    void oneOfFourSelectorsIsRequiredAndTheMessageSaysSo(String json) {
        ProtocolError e = error(json);
        assertThat(e.code()).isEqualTo(ErrorCode.SUBSCRIPTION_REJECTED);
        assertThat(e.message())
                .contains("types")
                .contains("source")
                .contains("target")
                .contains("topic");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"types\":5}|payload.types",
                "{\"types\":[\"a.b\",5]}|payload.types.1",
                "{\"types\":[]}|payload.types",
                "{\"types\":\"\"}|payload.types",
                "{\"types\":[\"task.**\"]}|payload.types.0",
                "{\"types\":\"ta*k\"}|payload.types",
                "{\"topic\":{}}|payload.topic",
                "{\"types\":\"*\",\"task_id\":7}|payload.task_id",
                "{\"types\":\"*\",\"metadata\":[]}|payload.metadata",
                "{\"types\":\"*\",\"inclusive\":\"yes\"}|payload.inclusive",
                "{\"types\":\"*\",\"from_cursor\":7}|payload.from_cursor",
                "{\"types\":\"*\",\"consumer_group\":\"\"}|payload.consumer_group",
                "{\"types\":\"*\",\"delivery_mode\":\"sometimes\"}|payload.delivery_mode",
                "{\"types\":\"*\",\"expires_at\":\"later\"}|payload.expires_at",
                "{\"types\":\"*\",\"ttl_ms\":0}|payload.ttl_ms",
                "{\"types\":\"*\",\"max_in_flight\":1.5}|payload.max_in_flight",
                "{\"types\":\"*\",\"ordering\":\"total\"}|payload.ordering",
                "{\"types\":\"*\",\"lag\":7}|payload.lag",
                "{\"types\":\"*\",\"lag\":{\"max_bytes\":0}}|payload.lag.max_bytes",
                "{\"types\":\"*\",\"lag\":{\"on_lag\":\"stop\"}}|payload.lag.on_lag",
                "{\"types\":\"*\",\"retry\":{\"jitter\":1.1}}|payload.retry.jitter",
                "{\"types\":\"*\",\"retry\":3}|payload.retry",
                "{\"types\":\"*\",\"retry\":{\"ack_timeout_ms\":0}}|payload.retry.ack_timeout_ms"
            })
    void wrongMembersAreNamed(String json, String path) {
        ProtocolError e = error(json);
        assertThat(e.code()).isEqualTo(ErrorCode.SUBSCRIPTION_REJECTED);
        assertThat(e.details().string("path")).isEqualTo(path);
        assertThat(e.details().has("expected")).isTrue();
        assertThat(e.details().has("got")).isTrue();
    }

    @Test
    void sub07ADoubleWildcardIsRefusedWithAReason() {
        assertThat(error("{\"types\":[\"task.**\"]}").message()).contains("**").contains(".*");
        assertThat(error("{\"types\":[\"task.**\"]}").reason()).isEqualTo("invalid_pattern");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"types\":\"task.*\"}|true",
                "{\"types\":[\"memory.*\",\"task.started\"]}|true",
                "{\"types\":\"TASK.*\"}|false",
                "{\"source\":\"agent:a\"}|true",
                "{\"source\":[\"agent:x\",\"agent:a\"]}|true",
                "{\"source\":\"agent:*\"}|false",
                "{\"target\":\"agent:b\"}|false",
                "{\"topic\":\"t\",\"task_id\":\"k\"}|true",
                "{\"topic\":\"t\",\"task_id\":\"other\"}|false",
                "{\"topic\":\"t\",\"session_id\":\"s\"}|false",
                "{\"topic\":\"t\",\"conversation_id\":\"c\"}|true",
                "{\"topic\":\"t\",\"metadata\":{\"x_kind\":\"k\",\"correlation_id\":\"co\"}}|true",
                "{\"topic\":\"t\",\"metadata\":{\"x_kind\":\"other\"}}|false",
                "{\"topic\":\"t\",\"metadata\":{\"x_none\":null}}|true",
                "{\"topic\":\"t\",\"metadata\":{\"x_none\":1}}|false"
            })
    void allFieldsMustMatchAndAnyOfTheirValuesMay(String json, boolean matches) {
        Event e = ok(event(
                "task.started",
                "\"topic\":\"t\",\"task_id\":\"k\",\"conversation_id\":\"c\","
                        + "\"x_kind\":\"k\",\"correlation_id\":\"co\"",
                "{}"));
        assertThat(filter(json).matches(e)).isEqualTo(matches);
    }

    @Test
    void theSameFilterLooksTheSameHoweverItIsWritten() {
        String one = """
                {"types":["b.*","a.*","a.*"],"topic":"t","metadata":{"y":1,"x":2},"ttl_ms":9}""";
        String other = """
                {"metadata":{"x":2,"y":1},"topic":["t"],"types":["a.*","b.*"]}""";
        assertThat(filter(one).canonical())
                .hasToString(filter(other).canonical().toString());
        assertThat(filter("{\"types\":\"a.*\"}").canonical())
                .isNotEqualTo(filter("{\"types\":\"a.b\"}").canonical());
    }

    @Test
    void onlyAPatternThatSpellsTheFamilyNamesIt() {
        assertThat(filter("{\"types\":[\"*\",\"event.delivered\"]}").namesFamily("event"))
                .isTrue();
        assertThat(filter("{\"types\":[\"*\"]}").namesFamily("event")).isFalse();
        assertThat(filter("{\"topic\":\"t\"}").namesFamily("event")).isFalse();
    }
}
