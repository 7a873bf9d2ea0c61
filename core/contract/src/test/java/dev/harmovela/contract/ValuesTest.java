package dev.harmovela.contract;

import static dev.harmovela.contract.Events.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes, retry policies, errors, cursors, ids, profiles, limits, binary records. */
class ValuesTest {

    @Test
    void modesAreOrderedByWhatTheyPromise() {
        assertThat(DeliveryMode.REPLAYABLE.weaker(DeliveryMode.BEST_EFFORT)).isEqualTo(DeliveryMode.BEST_EFFORT);
        assertThat(DeliveryMode.AT_LEAST_ONCE.weaker(DeliveryMode.REPLAYABLE)).isEqualTo(DeliveryMode.AT_LEAST_ONCE);
        assertThat(DeliveryMode.of("at_least_once")).isEqualTo(DeliveryMode.AT_LEAST_ONCE);
        assertThat(DeliveryMode.of("AT_LEAST_ONCE")).isNull();
        assertThat(DeliveryAsk.NONE.modeOrDefault()).isEqualTo(DeliveryMode.AT_LEAST_ONCE);
    }

    @ParameterizedTest
    @CsvSource({"0,1000", "1,1000", "2,2000", "3,4000", "5,16000", "6,30000", "500,30000", "2000000000,30000"})
    void thePauseGrowsUpToItsLimit(int n, long millis) {
        assertThat(RetryPolicy.DEFAULT.delayMs(n)).isEqualTo(millis);
    }

    @Test
    void gapsOfAPolicyAreFilledFromTheNextInLine() {
        RetryPolicy.Partial event = RetryPolicy.parse(object("{\"max_attempts\":5,\"backoff_ms\":\"x\"}"));
        RetryPolicy.Partial subscription = RetryPolicy.parse(object("{\"max_attempts\":9,\"ack_timeout_ms\":7}"));
        assertThat(event.orElse(subscription).orElse(RetryPolicy.DEFAULT))
                .isEqualTo(new RetryPolicy(5, 1000, 2, 30_000, 7, 0));
        assertThat(RetryPolicy.parse(object("{\"max_attempts\":0,\"backoff_multiplier\":0.5}")))
                .isSameAs(RetryPolicy.Partial.UNSET);
        assertThat(RetryPolicy.Partial.UNSET.orElse(RetryPolicy.DEFAULT)).isSameAs(RetryPolicy.DEFAULT);
        assertThat(RetryPolicy.parse(RetryPolicy.DEFAULT.toJson()).orElse(new RetryPolicy(1, 1, 1, 1, 1, 1)))
                .isEqualTo(RetryPolicy.DEFAULT);
        assertThat(RetryPolicy.DEFAULT.toJson())
                .hasToString("{\"max_attempts\":3,\"backoff_ms\":1000,\"backoff_multiplier\":2,"
                        + "\"max_backoff_ms\":30000,\"ack_timeout_ms\":30000,\"jitter\":0}");
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeHasAWireNameAndASentence(ErrorCode code) {
        assertThat(code.wire()).matches("[a-z]+(_[a-z]+)*");
        assertThat(ErrorCode.ofWire(code.wire())).isEqualTo(code);
        assertThat(ErrorCode.isKnown(code.wire())).isTrue();
        assertThat(code.defaultText()).isNotBlank();
        assertThat(code.category()).isNotNull();
    }

    @Test
    void theRetryableCodesAreThoseOfTheErrorModel() {
        List<String> retryable = java.util.Arrays.stream(ErrorCode.values())
                .filter(ErrorCode::retryable)
                .map(ErrorCode::wire)
                .sorted()
                .toList();
        assertThat(retryable)
                .containsExactly(
                        "aborted",
                        "busy",
                        "internal_error",
                        "negotiation_timeout",
                        "rate_limited",
                        "session_timeout",
                        "stale_state",
                        "task_timeout",
                        "timeout",
                        "tool_timeout",
                        "transport_unavailable");
        assertThat(ErrorCode.values()).hasSize(38);
    }

    @Test
    void anErrorReadsBackAsItWasWritten() {
        ProtocolError e = ProtocolError.illegalTransition("COMPLETED", "task.started", List.of())
                .with("task_id", "t1");
        assertThat(e.toJson())
                .hasToString("{\"code\":\"task_error\",\"message\":\"task.started is not possible in COMPLETED\","
                        + "\"retryable\":false,\"details\":{\"from\":\"COMPLETED\",\"event\":\"task.started\","
                        + "\"allowed\":[],\"task_id\":\"t1\"}}");
        assertThat(ProtocolError.parse(e.toJson())).isEqualTo(e);
        assertThat(ProtocolError.of(ErrorCode.BUSY).toJson().names()).containsExactly("code", "message", "retryable");
    }

    @Test
    void foreignErrorsAreReadWithoutLoss() {
        ProtocolError e = ProtocolError.parse(object("{\"code\":\"my_own\",\"message\":\"m\",\"details\":{\"a\":1}}"));
        assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(e.retryable()).isTrue();
        assertThat(e.wireCode()).isEqualTo("my_own");
        assertThat(e.details().integer("a")).isEqualTo(1);
        assertThat(ProtocolError.parse(object("{\"code\":\"my_own\",\"retryable\":false}"))
                        .retryable())
                .isFalse();
        assertThat(ProtocolError.parse(object("{\"code\":\"busy\"}")).retryable())
                .isTrue();
        assertThat(ProtocolError.parse(object("{\"code\":\"invalid_payload\"}")).retryable())
                .isFalse();
        ProtocolError empty = ProtocolError.parse(Json.Obj.of());
        assertThat(empty.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(empty.retryable()).isTrue();
        assertThat(empty.message()).isNotBlank();
    }

    @Test
    void reasonsFallBackOnTheCode() {
        assertThat(ProtocolError.unauthorized("missing_role", "m").reason()).isEqualTo("missing_role");
        assertThat(ProtocolError.of(ErrorCode.UNKNOWN_TARGET).reason()).isEqualTo("unknown_target");
        assertThat(ProtocolError.of(ErrorCode.BUSY).retryable(false).retryable())
                .isFalse();
        assertThat(ProtocolError.internal().retryable()).isTrue();
    }

    @Test
    void aCursorReadsBackAndNothingElseDoes() {
        for (long lsn : new long[] {0, 1, 35, 36, 1_000_000, Long.MAX_VALUE}) {
            Cursor cursor = new Cursor("7f3k2a", lsn);
            assertThat(Cursor.parse(cursor.text())).isEqualTo(cursor);
        }
        assertThat(Cursor.parse("7f3k2a-1c9").lsn()).isEqualTo(1737);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "x", "x-", "-1", "x-+1", "x-?", "x-1C9", "x-01", "x-zzzzzzzzzzzzzzzz", "earliest"})
    void textsThatAreNoCursors(String text) {
        assertThat(Cursor.parse(text)).isNull();
    }

    @Test
    void idsRiseAndNeverRepeat() {
        MonotonicIds ids = new MonotonicIds(1_783_677_600_000L, 7);
        Set<String> seen = new HashSet<>();
        String last = "";
        for (int i = 0; i < 10_000; i++) {
            if (i % 100 == 0) {
                ids.advance(1_783_677_600_000L + i - 5000);
            }
            String id = ids.next("evt");
            assertThat(id).matches("evt_[0-7][0-9A-HJKMNP-TV-Z]{25}").isGreaterThan(last);
            assertThat(seen.add(id)).isTrue();
            last = id;
        }
        assertThat(new MonotonicIds(5, 7).next("s")).isEqualTo(new MonotonicIds(5, 7).next("s"));
        assertThat(new MonotonicIds(5, 7).next("s")).isNotEqualTo(new MonotonicIds(5, 8).next("s"));
        assertThat(new MonotonicIds(1_783_677_600_000L, 1).next("evt")).startsWith("evt_01KX5QGG80");
    }

    @Test
    void profilesBringWhatTheyDependOn() {
        assertThat(Profiles.closure(List.of(Profiles.ADAPTATION)))
                .containsExactlyInAnyOrder(
                        Profiles.ADAPTATION, Profiles.COORDINATION, Profiles.SECURITY, Profiles.CORE);
        assertThat(Profiles.closure(List.of("harmovela.delivery.v9")))
                .containsExactly("harmovela.delivery.v9", Profiles.CORE);
    }

    @Test
    void negotiationGivesTheIntersectionAndCore() {
        Profiles.Negotiation n =
                Profiles.negotiate(List.of(Profiles.DELIVERY, "harmovela.delivery.v9"), List.of(), Profiles.ALL);
        assertThat(n.agreed()).containsExactlyInAnyOrder(Profiles.CORE, Profiles.DELIVERY);
        assertThat(n.missingRequired()).isEmpty();
        assertThat(Profiles.negotiate(List.of(), List.of(), List.of()).agreed()).containsExactly(Profiles.CORE);
    }

    @Test
    void negotiationNamesWhatIsMissing() {
        assertThat(Profiles.negotiate(List.of(Profiles.DELIVERY), List.of("harmovela.delivery.v9"), Profiles.ALL)
                        .missingRequired())
                .containsExactly("harmovela.delivery.v9");
        assertThat(Profiles.negotiate(List.of(Profiles.ADAPTATION), List.of(), Profiles.ALL)
                        .missingRequired())
                .containsExactlyInAnyOrder(Profiles.COORDINATION, Profiles.SECURITY);
        assertThat(Profiles.negotiate(List.of(Profiles.DELIVERY), List.of(Profiles.DELIVERY), List.of(Profiles.CORE))
                        .missingRequired())
                .containsExactly(Profiles.DELIVERY);
    }

    @Test
    void anEventMayBeLargerThanItsPayload() {
        assertThat(Limits.DEFAULT.maxEventBytes()).isEqualTo((1 << 20) + 65_536);
        assertThat(Limits.DEFAULT.withMaxPayloadBytes(Integer.MAX_VALUE).maxEventBytes())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void binaryValuesReadBack() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            long number = random.nextLong() >>> random.nextInt(64);
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            Out out = new Out(1)
                    .u8(200)
                    .bool(true)
                    .i32((int) number)
                    .i64(number)
                    .f64(-1.5)
                    .varint(number)
                    .varint(-number)
                    .string("é😀")
                    .optional(null)
                    .optional("x")
                    .bytes(bytes);
            int patched = out.size();
            out.i32(0).patchI32(patched, 77);
            In in = new In(out.toByteArray());
            assertThat(in.u8()).isEqualTo(200);
            assertThat(in.bool()).isTrue();
            assertThat(in.i32()).isEqualTo((int) number);
            assertThat(in.i64()).isEqualTo(number);
            assertThat(in.f64()).isEqualTo(-1.5);
            assertThat(in.varint()).as("seed %d", seed).isEqualTo(number);
            assertThat(in.varint()).isEqualTo(-number);
            assertThat(in.string()).isEqualTo("é😀");
            assertThat(in.optional()).isNull();
            assertThat(in.optional()).isEqualTo("x");
            assertThat(in.bytes()).isEqualTo(bytes);
            assertThat(in.i32()).isEqualTo(77);
            assertThat(in.remaining()).isZero();
            assertThatThrownBy(in::u8).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void brokenBinaryLengthsAreRefused() {
        assertThatThrownBy(() -> new In(new byte[] {(byte) 200, 1, 'x'}).string())
                .isInstanceOf(IllegalArgumentException.class);
        In endless = new In(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
        assertThatThrownBy(endless::varint).isInstanceOf(IllegalArgumentException.class);
        In negative = new In(new Out().varint(-5).toByteArray());
        assertThatThrownBy(negative::count).isInstanceOf(IllegalArgumentException.class);
    }
}
