package dev.harmovela.contract;

import static dev.harmovela.contract.Events.AT;
import static dev.harmovela.contract.Events.bad;
import static dev.harmovela.contract.Events.error;
import static dev.harmovela.contract.Events.event;
import static dev.harmovela.contract.Events.object;
import static dev.harmovela.contract.Events.ok;
import static dev.harmovela.contract.Events.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventReader.Read;
import dev.harmovela.contract.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventReaderTest {

    @Test
    void everyRoutedFieldIsFound() {
        String members = """
                "target":"agent:b","topic":"t","session_id":"s","conversation_id":"c","task_id":"k",
                "parent_task_id":"p","correlation_id":"co","causation_id":"ca","tenant_id":"te","target_tenant_id":"tt",
                "expires_at":"2026-07-10T10:00:01.5+02:00","x_more":[1],
                "delivery":{"mode":"replayable","retry":{"max_attempts":5}},"roles":["viewer"]""";
        Event e = ok(event("task.progress", members, "{\"progress\":0.5}"));
        assertThat(List.of(e.id(), e.type().name(), e.source(), e.createdAt()))
                .containsExactly("evt_1", "task.progress", "agent:a", AT);
        assertThat(List.of(e.target(), e.topic(), e.sessionId(), e.conversationId(), e.taskId(), e.parentTaskId()))
                .containsExactly("agent:b", "t", "s", "c", "k", "p");
        assertThat(List.of(e.correlationId(), e.causationId(), e.tenantId(), e.targetTenantId()))
                .containsExactly("co", "ca", "te", "tt");
        assertThat(e.createdAtMillis()).isEqualTo(1_783_677_600_000L);
        assertThat(e.expiresAt()).isEqualTo(1_783_677_600_000L - 7_200_000 + 1500);
        assertThat(e.delivery().mode()).isEqualTo(DeliveryMode.REPLAYABLE);
        assertThat(e.delivery().retry().maxAttempts()).isEqualTo(5);
        assertThat(e.payload()).isEqualTo(object("{\"progress\":0.5}"));
        assertThat(e.member("roles")).isEqualTo(Json.of(List.of("viewer")));
        assertThat(e.member("x_more")).hasToString("[1]");
        assertThat(e.member("topic")).isEqualTo(Json.of("t"));
        assertThat(e.member("nothing")).isNull();
        assertThat(e.member("delivery")).isEqualTo(e.delivery().raw());
    }

    /** What the one pass notes of a payload may only ever spare a closer look at a payload that is right. */
    @Test
    void aWrongPayloadIsRefusedHoweverItIsWritten() {
        String many =
                IntStream.range(0, 60).mapToObj(i -> "\"m" + i + "\":" + i).collect(Collectors.joining(","));
        for (String wrong : List.of(
                "{\"context_id\":5}",
                "{\"context_id\":{\"context_id\":\"c\"}}",
                "{\"context_id\":[]}",
                "{\"\\u0063ontext_id\":5}",
                "{" + many + ",\"context_id\":5}")) {
            assertThat(bad(event("context.updated", "", wrong)).first().code())
                    .as(wrong)
                    .isEqualTo(ErrorCode.INVALID_PAYLOAD);
        }
        for (String wrong : List.of("{}", "{\"acknowledged_event_id\":\"\"}", "{\"acknowledged_event_id\":null}")) {
            assertThat(bad(event("event.acknowledged", "", wrong)).first().code())
                    .as(wrong)
                    .isEqualTo(ErrorCode.INVALID_PAYLOAD);
        }
        ok(event("context.updated", "", "{\"context_id\":null,\"other\":{\"context_id\":5}}"));
    }

    @Test
    void anAcknowledgementTellsWhatItSettlesBeforeItsPayloadIsParsed() {
        String payload = "{\"acknowledged_event_id\":\"e\\u0031\",\"subscription_id\":\"sub_1\"}";
        Event e = ok(event("event.acknowledged", "", payload));
        assertThat(e.settles()).isEqualTo(new Event.Settles("e1", "sub_1"));
        Event all = ok(event("event.acknowledged", "", "{\"acknowledged_event_id\":\"e1\",\"subscription_id\":null}"));
        assertThat(all.settles()).isEqualTo(new Event.Settles("e1", null));
        Out record = new Out();
        e.writeRecord(record);
        assertThat(Event.readRecord(new In(record.toByteArray()), EventRegistry.standard())
                        .settles())
                .isEqualTo(e.settles());
    }

    @Test
    void absentFieldsAreNull() {
        Event e = ok(event("session.heartbeat", "", "{}"));
        assertThat(e.target()).isNull();
        assertThat(e.taskId()).isNull();
        assertThat(e.expiresAt()).isEqualTo(Long.MAX_VALUE);
        assertThat(e.delivery()).isSameAs(DeliveryAsk.NONE);
        assertThat(e.authorization()).isNull();
        assertThat(e.payloadOffset()).isPositive();
        assertThat(e.payloadLength()).isEqualTo(2);
    }

    @Test
    void escapesInNamesAndKeysAreRead() {
        Event e = ok(event("task.progress", "\"t\\u006fpic\":\"caf\\u00e9 \\n\",\"task_id\":\"é\"", "{}"));
        assertThat(e.topic()).isEqualTo("café \n");
        assertThat(e.taskId()).isEqualTo("é");
        assertThat(ok(event("task.pr\\u006fgress", "", "{}")).type().name()).isEqualTo("task.progress");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "\"delivery\":{\"mode\":\"best_effort\"},E|E",
                "E,\"delivery\":{}|E",
                "\"delivery\":null,E|E",
                "\"delivery\":{},\"authorization\":{\"token\":\"x\"},E|E",
                "E,\"delivery\":{},\"authorization\":{\"token\":\"x\"}|E",
                "\"authorization\":null,E,\"delivery\":{}|E",
                "\"authorization\":{}, E , \"delivery\":{}, \"topic\":\"t\"| E , \"topic\":\"t\"",
                "E, \"delivery\" : {} , \"authorization\" : {}, \"topic\":\"t\"|E , \"topic\":\"t\"",
                "E,\"d\\u0065livery\":{}|E",
                "\"topic\":\"t\",\"delivery\":{\"a\":[{}]},E|\"topic\":\"t\",E"
            })
    void deliveryAndAuthorizationAreCutAndNothingElseChanges(String members, String kept) {
        String full = event("context.updated", "\"note\" : [ 1.10 , { } ]", "{ \"delivery\": {}, \"n\":1e2 }");
        String inside = full.substring(1, full.length() - 1);
        Event e = ok("  {" + members.replace("E", inside) + "}\r\n");
        String stored = text(e);
        assertThat(stored.replace(inside, "E")).isEqualTo("{" + kept + "}");
        assertThat(Json.parse(stored)).isInstanceOf(Json.Obj.class);
        assertThat(e.id()).isEqualTo("evt_1");
        assertThat(e.source()).isEqualTo("agent:a");
        assertThat(e.payload()).hasToString("{\"delivery\":{},\"n\":1e2}");
    }

    @Test
    void theAuthorizationClaimIsShownOnceAndNeverStored() {
        Event e = ok(event("context.updated", "\"authorization\":{\"scheme\":\"bearer\",\"token\":\"s3cret\"}", "{}"));
        assertThat(e.authorization().string("token")).isEqualTo("s3cret");
        assertThat(text(e)).doesNotContain("s3cret").doesNotContain("authorization");
        assertThat(e.member("authorization")).isNull();
        ProtocolError wrong = error(event("context.updated", "\"authorization\":\"s3cret\"", "{}"));
        assertThat(wrong.toJson().toString()).doesNotContain("s3cret");
    }

    @Test
    void env01ARepeatedKeyIsRefusedAndNamed() {
        Read.Bad bad = bad("{\"spec_version\":\"0.2\",\"id\":\"evt_d1\",\"type\":\"session.heartbeat\","
                + "\"source\":\"agent:a\",\"source\":\"agent:admin\",\"created_at\":\"" + AT
                + "\",\"payload\":{\"session_id\":\"s1\"}}");
        assertThat(bad.first().code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(bad.first().details().string("path")).isEqualTo("source");
        assertThat(bad.first().details().string("got")).contains("\"source\"");
        assertThat(bad.id()).isEqualTo("evt_d1");
        assertThat(bad.json()).isTrue();
        assertThat(bad.envelopeValid()).isFalse();
        assertThat(error(event("context.updated", "", "{\"a\":{\"b\":1,\"b\":2}}"))
                        .details()
                        .string("path"))
                .isEqualTo("payload.a.b");
        assertThat(error(event("context.updated", "\"delivery\":{},\"delivery\":{}", "{}"))
                        .details()
                        .string("path"))
                .isEqualTo("delivery");
    }

    @Test
    void env03PayloadNumbersAreStoredDigitForDigit() {
        String payload = "{\"subject\":\"s\",\"value\":1724442618569203714,\"amount\":1.10,\"e\":1e400}";
        String sent = event("memory.fact.added", "", payload);
        Event e = ok(sent);
        assertThat(text(e)).isEqualTo(sent);
        assertThat(e.payload()).hasToString(payload);
    }

    @Test
    void env04NullInAnOptionalFieldMeansAbsent() {
        Event e = ok(event(
                "session.heartbeat",
                "\"target\":null,\"task_id\":null,\"expires_at\":null,\"delivery\":null,\"budget_cost\":null",
                "{\"session_id\":\"s1\"}"));
        assertThat(e.target()).isNull();
        assertThat(e.taskId()).isNull();
        assertThat(e.expiresAt()).isEqualTo(Long.MAX_VALUE);
        assertThat(e.delivery()).isSameAs(DeliveryAsk.NONE);
        assertThat(text(e)).contains("\"target\":null").doesNotContain("delivery");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "type", "source", "created_at", "payload", "spec_version"})
    void env04NullOrNothingInARequiredFieldNamesIt(String field) {
        Json.Obj full = object(event("context.updated", "", "{}"));
        ProtocolError none = error(full.without(field).toString());
        assertThat(none.code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(none.details().string("path")).isEqualTo(field);
        assertThat(none.details().string("got")).isEqualTo("nothing");
        ProtocolError nil = error(full.with(field, Json.Null.NULL).toString());
        assertThat(nil.code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(nil.details().string("path")).isEqualTo(field);
        assertThat(nil.details().string("got")).isEqualTo("null");
    }

    @Test
    void env05EveryRefusalSaysWhereWhatAndWhy() {
        Read.Bad bad =
                bad("{\"spec_version\":\"0.2\",\"id\":\"evt_5\",\"type\":\"task.submitted\",\"source\":\"agent:a\","
                        + "\"created_at\":1720000000,\"task_id\":\"t1\","
                        + "\"payload\":{\"task_id\":\"t1\",\"timeout_ms\":\"soon\"}}");
        assertThat(bad.first().code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(bad.first().details().string("path")).isEqualTo("created_at");
        assertThat(bad.first().details().string("expected")).contains("RFC 3339");
        assertThat(bad.first().details().string("got")).isEqualTo("the number 1720000000");
        assertThat(bad.id()).isEqualTo("evt_5");
        assertThat(bad.taskId()).isEqualTo("t1");
        ProtocolError payload = error(event("task.submitted", "\"task_id\":\"t1\"", "{\"timeout_ms\":\"soon\"}"));
        assertThat(payload.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
        assertThat(payload.details().string("path")).isEqualTo("payload.timeout_ms");
        assertThat(payload.details().string("got")).isEqualTo("\"soon\"");
        assertThat(payload.details().string("expected")).startsWith("an integer");
    }

    @Test
    void everyEnvelopeProblemIsListed() {
        Read.Bad bad =
                bad("{\"spec_version\":\"0.3\",\"type\":\"nope\",\"source\":5,\"created_at\":\"x\",\"topic\":\"\","
                        + "\"confidence\":2,\"delivery\":{\"mode\":\"fast\"},\"payload\":[]}");
        assertThat(bad.all())
                .extracting(e -> e.details().string("path"))
                .containsExactly(
                        "id",
                        "source",
                        "created_at",
                        "payload",
                        "topic",
                        "confidence",
                        "delivery.mode",
                        "spec_version",
                        "type");
        assertThat(bad.all().getFirst()).isSameAs(bad.first());
        assertThat(bad.envelopeValid()).isFalse();
        assertThat(bad.all()).allSatisfy(e -> assertThat(e.details().has("got")).isTrue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "null|true",
                "[]|true",
                "42|true",
                "\"x\"|true",
                "true|true",
                "{\"spec_version\":\"0.2\"|false",
                "|false",
                "nul|false",
                "{} x|false"
            })
    void env07WhatIsNoObjectIsRefusedByName(String line, boolean json) {
        Read.Bad bad = bad(line == null ? "" : line);
        assertThat(bad.first().code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(bad.json()).isEqualTo(json);
        assertThat(bad.first().details().string("got")).isNotEmpty();
    }

    @Test
    void env07TheReaderGoesOnAfterABadLine() {
        EventReader reader = new EventReader(EventRegistry.standard(), Limits.DEFAULT);
        byte[] good = event("session.heartbeat", "", "{\"session_id\":\"s1\"}").getBytes(StandardCharsets.UTF_8);
        for (String line : List.of("null", "[", "{\"a\":[[[", "{\"a\":1,\"a\":1}", "\"\\ud800\"")) {
            byte[] broken = line.getBytes(StandardCharsets.UTF_8);
            assertThat(reader.read(broken, 0, broken.length)).isInstanceOf(Read.Bad.class);
            assertThat(reader.read(good, 0, good.length)).isInstanceOf(Read.Ok.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"0.3\"", "\"1.0\"", "0.2", "\"\"", "\"0.20\"", "{}"})
    void env08OtherVersionsAreUnsupported(String version) {
        ProtocolError e = error(event("session.heartbeat", "", "{}").replace("\"0.2\"", version));
        assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
        assertThat(e.details().strings("supported")).containsExactly("0.2");
        assertThat(e.details().string("path")).isEqualTo("spec_version");
    }

    @Test
    void env08TheOldNameOfTheVersionIsUnsupportedOnOrdinaryEvents() {
        for (String version : List.of("0.1", "0.2")) {
            ProtocolError e = error(event("session.heartbeat", "", "{}")
                    .replace("\"spec_version\":\"0.2\"", "\"aep_version\":\"" + version + "\""));
            assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
            assertThat(e.details().strings("supported")).containsExactly("0.2");
            assertThat(e.details().string("hint")).contains("spec_version");
        }
        ProtocolError none = error(object(event("session.heartbeat", "", "{}"))
                .without("spec_version")
                .toString());
        assertThat(none.code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(none.details().strings("supported")).containsExactly("0.2");
        Event both = ok(event("session.heartbeat", "\"aep_version\":\"0.1\"", "{}"));
        assertThat(both.member("aep_version")).isEqualTo(Json.of("0.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "opened", "ready", "error", "closed"})
    void d2HandshakeEventsMayBeAbbreviated(String action) {
        Event e = ok("{\"type\":\"session." + action
                + "\",\"aep_version\":\"0.2\",\"session_id\":\"s\",\"capabilities\":{\"aep_version\":\"0.2\"}}");
        assertThat(e.id()).isEmpty();
        assertThat(e.source()).isEmpty();
        assertThat(e.createdAt()).isEmpty();
        assertThat(e.createdAtMillis()).isZero();
        assertThat(e.payload()).isEqualTo(Json.Obj.of());
        assertThat(e.sessionId()).isEqualTo("s");
        assertThat(e.member("capabilities")).hasToString("{\"aep_version\":\"0.2\"}");
        assertThat(ok("{\"type\":\"session." + action + "\"}").bytes()).isNotEmpty();
    }

    @Test
    void d2WhatAnAbbreviatedHandshakeSaysMustStillBeRight() {
        assertThat(error("{\"type\":\"session.open\",\"id\":5}").details().string("path"))
                .isEqualTo("id");
        assertThat(error("{\"type\":\"session.open\",\"payload\":[]}").details().string("path"))
                .isEqualTo("payload");
        assertThat(error("{\"type\":\"session.open\",\"capabilities\":1}")
                        .details()
                        .string("path"))
                .isEqualTo("capabilities");
        assertThat(error("{\"type\":\"session.open\",\"aep_version\":\"0.1\"}").code())
                .isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
        assertThat(error("{\"type\":\"session.heartbeat\"}").code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
    }

    @ParameterizedTest
    @CsvSource({
        "Task.submitted,INVALID_EVENT_TYPE",
        "task,INVALID_EVENT_TYPE",
        "task..submitted,INVALID_EVENT_TYPE",
        ".task,INVALID_EVENT_TYPE",
        "task.,INVALID_EVENT_TYPE",
        "task submitted,INVALID_EVENT_TYPE",
        "'',INVALID_EVENT_TYPE",
        "task.Submitted,INVALID_EVENT_TYPE",
        "task.submittedd,UNKNOWN_EVENT_TYPE",
        "session.unknown,UNKNOWN_EVENT_TYPE",
        "com.example.thing,UNKNOWN_EVENT_TYPE"
    })
    void d3IllFormedAndUnregisteredTypesDiffer(String type, ErrorCode code) {
        Read.Bad bad = bad(event(type, "", "{}"));
        assertThat(bad.first().code()).isEqualTo(code);
        assertThat(bad.first().details().string("path")).isEqualTo("type");
        assertThat(bad.envelopeValid()).isFalse();
    }

    @Test
    void d18DeepNestingIsRefusedAndStillKnownAsJson() {
        Read.Bad bad = bad(event("context.updated", "", "{\"a\":" + "[".repeat(80) + "]".repeat(80) + "}"));
        assertThat(bad.first().code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(bad.first().details().string("path")).startsWith("payload.a.0.0");
        assertThat(bad.all()).hasSize(1);
        assertThat(bad.json()).isTrue();
        assertThat(bad.id()).isEqualTo("evt_1");
    }

    @Test
    void tooLargePayloadsAreRefusedAfterJsonAndBeforeTheRest() {
        String large = "x".repeat(1 << 20);
        Read.Bad bad = bad(event("nope", "", "{\"x\":\"" + large + "\"}"));
        assertThat(bad.first().code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(bad.first().details().integer("limit")).isEqualTo(1 << 20);
        assertThat(bad.all()).hasSize(2);
        assertThat(error(event("context.updated", "\"x\":\"" + large + large.substring(1 << 19) + "\"", "{}"))
                        .code())
                .isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    }

    @Test
    void namesHaveALongestLength() {
        ProtocolError e = error(event("context.updated", "\"topic\":\"" + "t".repeat(513) + "\"", "{}"));
        assertThat(e.details().string("path")).isEqualTo("topic");
        assertThat(ok(event("context.updated", "\"topic\":\"" + "t".repeat(512) + "\"", "{}"))
                        .topic())
                .hasSize(512);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"target\":5",
                "\"topic\":\"\"",
                "\"expires_at\":\"tomorrow\"",
                "\"expires_at\":17",
                "\"roles\":[1]",
                "\"budget_cost\":\"much\"",
                "\"budget_cost\":-1",
                "\"confidence\":1.5",
                "\"belief_status\":\"sure\"",
                "\"stale_after\":\"soon\"",
                "\"valid_from\":\"2026-07-10\"",
                "\"evidence_chain\":{}",
                "\"evidence_chain\":[1]",
                "\"attestation_count\":1.5",
                "\"authorization\":[]",
                "\"delivery\":\"at_least_once\"",
                "\"delivery\":{\"mode\":1}",
                "\"delivery\":{\"retry\":[]}",
                "\"delivery\":{\"retry\":{\"max_attempts\":0}}",
                "\"delivery\":{\"retry\":{\"backoff_ms\":\"1\"}}",
                "\"interruption_policy\":\"now\""
            })
    void optionalMembersHaveTypesAndRanges(String member) {
        Read.Bad bad = bad(event("context.updated", member, "{}"));
        assertThat(bad.first().code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(bad.first().details().string("path")).startsWith(member.split("\"")[1]);
        assertThat(bad.envelopeValid()).isTrue();
    }

    @Test
    void fieldsThatAreRightPass() {
        String members = """
                "belief_status":"revised","belief_scope":"fact","confidence":1,"stale_after":"PT5M",
                "valid_from":"2026-07-10T10:00:00+02:00","evidence_chain":[{"source":"agent:a","id":"e"}],
                "attestation_count":2,"budget_cost":1.5,"roles":"viewer","requested_action":"x",
                "delivery":{"mode":null,"retry":null,"sequence":3,"odd":"kept"}""";
        Event e = ok(event("belief.revised", members, "{\"corrected\":1}"));
        assertThat(e.delivery().raw().string("odd")).isEqualTo("kept");
        assertThat(e.delivery().mode()).isNull();
        assertThat(e.delivery().retry()).isNull();
        assertThat(e.member("confidence")).isEqualTo(Json.of(1));
    }

    @Test
    void reservedPayloadKeysAreRefusedUnlessAllowed() {
        String sent = event("context.updated", "", "{\"a\":{\"_in\":1},\"_redacted\":[]}");
        ProtocolError e = error(sent);
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
        assertThat(e.details().string("path")).isEqualTo("payload._redacted");
        byte[] bytes = sent.getBytes(StandardCharsets.UTF_8);
        Limits taking = Limits.DEFAULT.withReservedKeys(Limits.ReservedKeys.TAKEN);
        assertThat(new EventReader(EventRegistry.standard(), taking).read(bytes, 0, bytes.length))
                .isInstanceOf(Read.Ok.class);
        assertThat(ok(event("context.updated", "", "{\"a\":{\"_in\":1}}"))
                        .payload()
                        .size())
                .isEqualTo(1);
    }

    @Test
    void taskIdsInEnvelopeAndPayloadAgree() {
        assertThat(ok(event("task.started", "", "{\"task_id\":\"t\\u0031\"}")).taskId())
                .isEqualTo("t1");
        assertThat(ok(event("tool.call.started", "", "{\"task_id\":\"t1\"}")).taskId())
                .isEqualTo("t1");
        assertThat(ok(event("context.updated", "", "{\"task_id\":\"t1\"}")).taskId())
                .isNull();
        assertThat(ok(event("task.started", "\"task_id\":\"t1\"", "{\"task_id\":\"t\\u0031\"}"))
                        .taskId())
                .isEqualTo("t1");
        ProtocolError e = error(event("task.started", "\"task_id\":\"t1\"", "{\"task_id\":\"t2\"}"));
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
        assertThat(e.details().string("path")).isEqualTo("payload.task_id");
        assertThat(ok(event("context.updated", "\"task_id\":\"t1\"", "{\"task_id\":\"t2\"}"))
                        .taskId())
                .isEqualTo("t1");
        assertThat(error(event("task.started", "", "{\"task_id\":7}")).details().string("path"))
                .isEqualTo("payload.task_id");
    }

    @ParameterizedTest
    @CsvSource({"0,true", "1,true", "0.5,true", "1.0,true", "1.01,false", "-0.1,false", "1e400,false", "\"half\",false"
    })
    void progressLiesBetweenZeroAndOne(String progress, boolean taken) {
        String sent = event("task.progress", "\"task_id\":\"t\"", "{\"progress\":" + progress + "}");
        assertThat(Events.read(sent) instanceof Read.Ok).isEqualTo(taken);
    }

    @Test
    void commandsAndQueriesNeedTargetAndCorrelation() {
        Read.Bad bad = bad(event("command.requested", "\"correlation_id\":\"c\"", "{\"command\":\"x\"}"));
        assertThat(bad.first().code()).isEqualTo(ErrorCode.INVALID_COMMAND);
        assertThat(bad.first().details().string("path")).isEqualTo("target");
        assertThat(bad.envelopeValid()).isTrue();
        assertThat(bad.correlationId()).isEqualTo("c");
        assertThat(error(event("query.requested", "\"target\":\"agent:b\"", "{}"))
                        .code())
                .isEqualTo(ErrorCode.INVALID_QUERY);
        assertThat(ok(event("command.requested", "\"target\":\"agent:b\",\"correlation_id\":\"c\"", "{}"))
                        .target())
                .isEqualTo("agent:b");
    }

    @Test
    void aFilterIsReadWithItsEvent() {
        ProtocolError e = error(event("subscription.requested", "", "{\"types\":[\"task.**\"]}"));
        assertThat(e.code()).isEqualTo(ErrorCode.SUBSCRIPTION_REJECTED);
        assertThat(e.details().string("path")).isEqualTo("payload.types.0");
        assertThat(ok(event("subscription.requested", "", "{\"types\":\"task.*\"}"))
                        .payload()
                        .string("types"))
                .isEqualTo("task.*");
    }

    @Test
    void operatorsTypesAreReadAndChecked() {
        EventRegistry registry = EventRegistry.standard()
                .withFamilies(List.of(new CustomFamily(
                        "com.example.orders",
                        List.of("placed", "item.added"),
                        java.util.Map.of("placed", object("{\"required\":[\"total\"],\"properties\":{}}")))));
        EventReader reader = new EventReader(registry, Limits.DEFAULT);
        byte[] placed = event("com.example.orders.placed", "", "{}").getBytes(StandardCharsets.UTF_8);
        assertThat(reader.read(placed, 0, placed.length)).isInstanceOfSatisfying(Read.Bad.class, bad -> {
            assertThat(bad.first().details().string("path")).isEqualTo("payload.total");
            assertThat(bad.envelopeValid()).isTrue();
        });
        byte[] added = event("com.example.orders.item.added", "", "{}").getBytes(StandardCharsets.UTF_8);
        assertThat(reader.read(added, 0, added.length)).isInstanceOf(Read.Ok.class);
    }
}
