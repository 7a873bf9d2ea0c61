package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.WireInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON interface below {@code /harmovela/api} (D34) and POST to the event stream (D27, D39). */
class ApiTest {

    private static final String POST_EVENTS = "POST /harmovela/api/events HTTP/1.1\nContent-Type: application/json";
    private static final String POST_LINES = "POST /harmovela/api/events HTTP/1.1\nContent-Type: application/x-ndjson";
    private static final String POST_STREAM = "POST /harmovela/events HTTP/1.1\nContent-Type: application/x-ndjson";

    private Served served;

    @BeforeEach
    void serve() throws PortTaken {
        served = new Served();
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private static String refuseBad(Json.Obj event) {
        String id = event.string("id");
        if (id != null && id.startsWith("bad")) {
            return FakeHub.rejected(event, ProtocolError.of(ErrorCode.INVALID_ENVELOPE, "bad"));
        }
        return FakeHub.acknowledged(event);
    }

    // --- POST events

    @Test
    void oneEventIsAnsweredByItself() throws IOException {
        Probe.Response response = served.ask(POST_EVENTS, "{\n  \"id\": \"e1\",\n  \"n\": 1.10\n}\n");

        assertThat(response.status()).isEqualTo(202);
        assertThat(response.body()).isEqualTo("{\"accepted\":true,\"id\":\"e1\",\"cursor\":\"c1\",\"task_id\":\"t1\"}");
        assertThat(served.hub.received()).containsExactly("{\n  \"id\": \"e1\",\n  \"n\": 1.10\n}");
        assertThat(served.hub.wire().info.kind()).isEqualTo(WireInfo.Kind.REQUEST);
        assertThat(served.hub.wire().info.transport()).isEqualTo("http");
        assertThat(served.hub.wire().closed.get()).isEqualTo(1);
    }

    @Test
    void aDuplicateIsToldSo() throws IOException {
        served.hub.answer = event -> "{\"type\":\"event.acknowledged\",\"causation_id\":\"e1\","
                + "\"payload\":{\"acknowledged_event_id\":\"e1\",\"duplicate\":true,\"cursor\":null}}";

        assertThat(served.ask(POST_EVENTS, "{\"id\":\"e1\"}").body())
                .isEqualTo("{\"accepted\":true,\"id\":\"e1\",\"duplicate\":true}");
    }

    @Test
    void anAcknowledgementThatIsNotAnsweredIsAccepted() throws IOException {
        served.hub.answer = event -> null;

        assertThat(served.ask(POST_EVENTS, "{\"id\":\"ack1\"}").body())
                .isEqualTo("{\"accepted\":true,\"id\":\"ack1\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ENVELOPE, 400",
        "UNKNOWN_EVENT_TYPE, 400",
        "INVALID_PAYLOAD, 400",
        "UNAUTHENTICATED, 401",
        "UNAUTHORIZED, 403",
        "UNKNOWN_TARGET, 404",
        "SESSION_ERROR, 404",
        "CONFLICT, 409",
        "TASK_ERROR, 409",
        "STALE_STATE, 409",
        "SESSION_CLOSED, 410",
        "PAYLOAD_TOO_LARGE, 413",
        "RATE_LIMITED, 429",
        "BUSY, 503",
        "TRANSPORT_UNAVAILABLE, 503"
    })
    void aRefusalHasTheStatusOfItsCode(ErrorCode code, int status) throws IOException {
        served.hub.answer = event -> FakeHub.rejected(event, ProtocolError.of(code, "no"));

        Probe.Response response = served.ask(POST_EVENTS, "{\"id\":\"e1\"}");

        assertThat(response.status()).isEqualTo(status);
        assertThat(response.body()).startsWith("{\"accepted\":false,\"errors\":[{\"code\":\"" + code.wire() + "\"");
        if (status == 429 || status == 503) {
            assertThat(response.headers()).containsKey("retry-after");
        }
    }

    @Test
    void theDetailsOfARefusalSurvive() throws IOException {
        served.hub.answer = event ->
                FakeHub.rejected(event, ProtocolError.invalidPayload("payload.timeout_ms", "a number", "\"soon\""));

        assertThat(served.ask(POST_EVENTS, "{\"id\":\"e1\"}").body()).contains("\"path\":\"payload.timeout_ms\"");
    }

    @Test
    void severalLinesAreAnsweredTogetherAndInTheirOrder() throws IOException {
        served.hub.answer = ApiTest::refuseBad;

        Probe.Response response =
                served.ask(POST_LINES, "{\"id\":\"e1\"}\r\n\n{\"id\":\"bad2\"}\nnot json\n{\"id\":\"e4\"}");

        assertThat(response.status()).isEqualTo(202);
        Json.Obj body = (Json.Obj) Json.parse(response.body());
        assertThat(body.integer("accepted")).isEqualTo(2);
        assertThat(body.integer("rejected")).isEqualTo(2);
        assertThat(body.array("errors").items().toString())
                .contains("\"event_index\":1", "\"event_index\":2", "invalid_envelope");
        assertThat(body.array("replies").items()).hasSize(4);
        assertThat(body.array("replies").items().getLast().toString()).contains("e4");
    }

    /** A refusal of the gate may overtake answers that wait for the disk: what belongs together is told by ids. */
    @Test
    void answersFindTheirLinesByTheirCause() throws IOException {
        served.hub.answer = event -> null;
        served.hub.holdFences = true;
        try (Probe probe = served.probe()) {
            probe.request(POST_LINES, "{\"id\":\"e1\"}\n{\"id\":\"bad2\"}\n");
            await().until(() ->
                    !served.hub.wires.isEmpty() && !served.hub.wire().fences.isEmpty());
            FakeHub.Wire wire = served.hub.wire();
            served.hub.on(() -> {
                wire.say(refuseBad((Json.Obj) Json.parse("{\"id\":\"bad2\"}")), true);
                wire.say(refuseBad((Json.Obj) Json.parse("{\"id\":\"e1\"}")), true);
                wire.fences.getFirst().run();
            });

            Json.Obj body = (Json.Obj) Json.parse(probe.response().body());
            assertThat(body.array("errors").toString()).contains("\"event_index\":1");
            assertThat(body.array("replies").items().getFirst().toString()).contains("\"e1\"");
        }
    }

    @Test
    void anArrayIsSeveralEvents() throws IOException {
        Probe.Response response =
                served.ask(POST_EVENTS, " [ {\"id\":\"e1\",\"s\":\"],[\\\"\"} ,\n{\"id\":\"e2\",\"a\":[1,[2]]} ] ");

        assertThat(response.body()).startsWith("{\"accepted\":2,\"rejected\":0");
        assertThat(served.hub.received())
                .containsExactly("{\"id\":\"e1\",\"s\":\"],[\\\"\"}", "{\"id\":\"e2\",\"a\":[1,[2]]}");
    }

    @Test
    void whatIsNoJsonAtAllIsABadRequest() throws IOException {
        assertThat(served.ask(POST_LINES, "nope\nneither\n").status()).isEqualTo(400);
        assertThat(served.ask(POST_STREAM, "nope\n").status()).isEqualTo(400);
        assertThat(served.ask(POST_EVENTS, "[{},").status()).isEqualTo(400);
        assertThat(served.ask(POST_EVENTS, "  ").status()).isEqualTo(400);
        assertThat(served.ask(POST_EVENTS, "[]").status()).isEqualTo(400);
        assertThat(served.ask(POST_EVENTS, "").status()).isEqualTo(400);
    }

    @Test
    void formsAreNotEvents() throws IOException {
        Probe.Response response = served.ask(
                "POST /harmovela/api/events HTTP/1.1\nContent-Type: application/x-www-form-urlencoded", "{}");

        assertThat(response.status()).isEqualTo(415);
        assertThat(response.body()).contains("application/json");
    }

    /** TRN-15: of one line too long the hub is told; a body beyond the limit is not read. */
    @Test
    void whatIsTooLargeIsToldSo() throws IOException {
        String large = "{\"id\":\"big\",\"pad\":\"" + "x".repeat(Served.MAX_EVENT) + "\"}";

        assertThat(served.ask(POST_EVENTS, large).status()).isEqualTo(413);
        assertThat(served.ask(POST_STREAM, large).status()).isEqualTo(413);
        assertThat(served.hub.wire().tooLarge).hasSize(1);
        Probe.Response mixed = served.ask(POST_LINES, large + "\n{\"id\":\"e2\"}\n");
        assertThat(mixed.body()).startsWith("{\"accepted\":1,\"rejected\":1").contains("\"event_index\":0");
    }

    @Test
    void manyLinesWaitForTheHub() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            lines.append("{\"id\":\"e").append(i).append("\"}\n");
        }
        served.hub.stopNewWiresAfter = 10;
        try (Probe probe = served.probe()) {
            probe.request(POST_LINES, lines.toString());
            await().until(() ->
                    !served.hub.wires.isEmpty() && served.hub.wire().received.size() == 10);

            served.hub.wire().want();

            assertThat(probe.response().body()).startsWith("{\"accepted\":100");
        }
    }

    // --- POST to the stream

    @Test
    void theFirstEventMayOpenASession() throws IOException {
        served.hub.answer = event -> "{\"type\":\"session.opened\",\"session_id\":\"s1\"}";
        served.hub.newSessionId = "s1";

        Probe.Response response = served.ask(POST_STREAM, "{\"type\":\"session.open\"}");

        assertThat(response.status()).isEqualTo(202);
        Json.Obj body = (Json.Obj) Json.parse(response.body());
        assertThat(body.string("session_id")).isEqualTo("s1");
        assertThat(body.array("replies").toString()).contains("session.opened");
        assertThat(served.hub.wire().info.transport()).isEqualTo("sse");
    }

    @Test
    void eventsOfASessionAreSentForIt() throws IOException {
        served.hub.refusedSessions.put("gone", ProtocolError.of(ErrorCode.SESSION_CLOSED, "closed"));
        served.hub.refusedSessions.put("unknown", ProtocolError.of(ErrorCode.SESSION_ERROR, "no such session"));
        String of = "POST /aep/events?session_id=%s HTTP/1.1\nContent-Type: application/json";

        assertThat(served.ask(of.formatted("s1"), "{\"id\":\"e1\"}").body()).startsWith("{\"accepted\":1");
        assertThat(served.hub.wire().how).isEqualTo("join s1");
        assertThat(served.ask(of.formatted("unknown"), "{\"id\":\"e1\"}").status())
                .isEqualTo(404);
        assertThat(served.ask(of.formatted("gone"), "{\"id\":\"e1\"}").status()).isEqualTo(410);
    }

    @Test
    void aRefusedEventInAStreamsPostIsAnEntryOfTheReport() throws IOException {
        served.hub.answer = ApiTest::refuseBad;

        Probe.Response response = served.ask(POST_STREAM, "{\"id\":\"bad1\"}");

        assertThat(response.status()).isEqualTo(202);
        assertThat(response.body()).startsWith("{\"accepted\":0,\"rejected\":1");
    }

    /** ENV-05, D39: every refusal is told, also where the hub cannot repeat the id of what it refused. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":\"\"}", "{\"id\":7}", "{}", "null", "LONG"})
    void aRefusalWithoutANameBelongsToTheLineWithoutOne(String odd) throws IOException {
        String line = odd.equals("LONG") ? "{\"id\":\"" + "x".repeat(600) + "\"}" : odd;
        served.hub.answer = event -> "good".equals(event.string("id"))
                ? FakeHub.acknowledged(event)
                : "{\"type\":\"event.rejected\",\"payload\":{\"error\":{\"code\":\"invalid_envelope\","
                        + "\"message\":\"id\",\"retryable\":false}}}";

        Probe.Response response = served.ask(POST_STREAM, "{\"id\":\"good\"}\n" + line + "\n{\"id\":\"good\"}");

        Json.Obj report = (Json.Obj) Json.parse(response.body());
        assertThat(report.integer("accepted")).isEqualTo(2);
        assertThat(report.integer("rejected")).isEqualTo(1);
        assertThat(((Json.Obj) report.array("errors").items().getFirst()).integer("event_index"))
                .isEqualTo(1);
        assertThat(report.array("replies").items())
                .extracting(reply -> ((Json.Obj) reply).string("type"))
                .containsExactly("event.acknowledged", "event.rejected", "event.acknowledged");
    }

    // --- subscriptions

    @Test
    void aFilterBecomesASubscription() throws IOException {
        served.hub.answer = event -> "{\"type\":\"subscription.created\",\"causation_id\":\"" + event.string("id")
                + "\",\"payload\":{\"subscription_id\":\"sub1\"}}";

        Probe.Response response = served.ask(
                "POST /harmovela/api/subscriptions HTTP/1.1\nContent-Type: application/json",
                "{\"types\":[\"task.*\"],\"max_in_flight\":7}");

        assertThat(response.status()).isEqualTo(201);
        assertThat(response.header("location")).isEqualTo("/harmovela/api/subscriptions/sub1");
        assertThat(response.body()).isEqualTo("{\"subscription_id\":\"sub1\"}");
        Json.Obj event = (Json.Obj) Json.parse(served.hub.received().getFirst());
        assertThat(event.string("type")).isEqualTo("subscription.requested");
        assertThat(event.string("source")).isEqualTo("agent:api");
        assertThat(event.string("id")).startsWith("http-");
        assertThat(event.object("payload").integer("max_in_flight")).isEqualTo(7);
    }

    @Test
    void aRefusedOrSenselessFilterIsABadRequest() throws IOException {
        String post = "POST /harmovela/api/subscriptions HTTP/1.1\nContent-Type: application/json";
        served.hub.answer = event -> "{\"type\":\"subscription.rejected\",\"causation_id\":\"" + event.string("id")
                + "\",\"payload\":{\"error\":{\"code\":\"subscription_rejected\",\"message\":\"name one\","
                + "\"retryable\":false}}}";

        assertThat(served.ask(post, "{}").status()).isEqualTo(400);
        assertThat(served.ask(post, "{}").body()).contains("subscription_rejected");
        assertThat(served.ask(post, "[]").status()).isEqualTo(400);
        assertThat(served.ask(post, "{\"types\":").status()).isEqualTo(400);
    }

    @Test
    void deletingCancels() throws IOException {
        served.hub.answer = event -> "{\"type\":\"subscription.cancelled\",\"causation_id\":\"" + event.string("id")
                + "\",\"payload\":{\"subscription_id\":\"sub 1\"}}";

        Probe.Response response = served.ask("DELETE /harmovela/api/subscriptions/sub%201 HTTP/1.1");

        assertThat(response.status()).isEqualTo(200);
        assertThat(((Json.Obj) Json.parse(served.hub.received().getFirst()))
                        .object("payload")
                        .string("subscription_id"))
                .isEqualTo("sub 1");
        served.hub.answer = event ->
                FakeHub.rejected(event, ProtocolError.of(ErrorCode.SUBSCRIPTION_ERROR, "no such subscription"));
        assertThat(served.ask("DELETE /harmovela/api/subscriptions/other HTTP/1.1")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aLongPollHandsOutWholeEvents() throws IOException {
        served.hub.pulled = new Hub.Pulled.Events(
                List.of(
                        "{\"id\":\"e1\",\"n\":1.10}".getBytes(StandardCharsets.UTF_8),
                        "{\"id\":\"e2\"}".getBytes(StandardCharsets.UTF_8)),
                "c2");

        Probe.Response response =
                served.ask("GET /harmovela/api/subscriptions/s1/events?timeout_ms=9000000&limit=5 HTTP/1.1");

        assertThat(response.body())
                .isEqualTo("{\"events\":[{\"id\":\"e1\",\"n\":1.10},{\"id\":\"e2\"}],\"cursor\":\"c2\"}");
        assertThat(served.hub.pulls).containsExactly("s1 limit 5 timeout 60000");
        served.hub.pulled = new Hub.Pulled.Events(List.of(), null);
        assertThat(served.ask("GET /harmovela/api/subscriptions/s1/events HTTP/1.1")
                        .body())
                .isEqualTo("{\"events\":[],\"cursor\":null}");
        served.hub.pulled =
                new Hub.Pulled.Refused(ProtocolError.of(ErrorCode.SUBSCRIPTION_ERROR, "no such subscription"));
        assertThat(served.ask("GET /harmovela/api/subscriptions/s2/events HTTP/1.1")
                        .status())
                .isEqualTo(404);
    }

    // --- questions

    @ParameterizedTest
    @CsvSource({
        "tasks, tasks,",
        "tasks/t%2F1, task, t/1",
        "sessions, sessions,",
        "sessions/s1, session, s1",
        "subscriptions, subscriptions,",
        "subscriptions/sub1, subscription, sub1",
        "agents, agents,",
        "dlq, dead_letters,",
        "dlq/e1, dead_letter, e1",
        "pending, deliveries,",
        "stats, stats,",
        "status, status,",
        "audit, audit,",
        "history, history,"
    })
    void everyQuestionHasItsAddress(String path, String scope, String id) throws IOException {
        served.hub.questions = ask -> new Answer.Found((Json.Obj) Json.parse("{\"items\":[],\"next_cursor\":null}"));

        Probe.Response response = served.ask("GET /harmovela/api/" + path + "?state=ACTIVE&limit=7&cursor=n1 HTTP/1.1");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"items\":[],\"next_cursor\":null}");
        assertThat(served.hub.asked)
                .containsExactly(new Ask(
                        scope, id, Json.Obj.builder().put("state", "ACTIVE").build(), 7, "n1"));
    }

    @Test
    void whatIsNotThereIsNotFound() throws IOException {
        served.hub.questions = ask -> new Answer.Failed(
                ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "none").with("reason", new Json.Str("not_found")));
        assertThat(served.ask("GET /harmovela/api/tasks/t1 HTTP/1.1").status()).isEqualTo(404);
        served.hub.questions = ask -> new Answer.Failed(ProtocolError.of(ErrorCode.TASK_ERROR, "no such task"));

        assertThat(served.ask("GET /harmovela/api/tasks/t1 HTTP/1.1").status()).isEqualTo(404);
        assertThat(served.ask("GET /harmovela/api/tasks HTTP/1.1").status()).isEqualTo(400);
        served.hub.questions = ask -> new Answer.Failed(ProtocolError.of(ErrorCode.UNAUTHORIZED, "not yours"));
        assertThat(served.ask("GET /harmovela/api/audit HTTP/1.1").status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"0", "1001", "many", "-1"})
    void aLimitIsANumberWithinReason(String limit) throws IOException {
        assertThat(served.ask("GET /harmovela/api/tasks?limit=" + limit + " HTTP/1.1")
                        .status())
                .isEqualTo(400);
    }
}
