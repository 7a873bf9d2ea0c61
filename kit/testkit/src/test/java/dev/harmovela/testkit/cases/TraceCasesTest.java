package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Following one event through everything that happens to it (OBS-04). */
class TraceCasesTest {

    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:a");
    private final TestWire consumer = hub.session("agent:c");

    private List<Json.Obj> history(String filter) {
        Answer answer = hub.answer(new Ask("history", null, (Json.Obj) Json.parse(filter), 100, null));
        return Objects.requireNonNull(((Answer.Found) answer).body().array("items")).items().stream()
                .map(item -> (Json.Obj) item)
                .toList();
    }

    private void nack(Json.Obj delivery, String code) {
        consumer.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + delivery.string("id")
                + "\",\"error\":{\"code\":\"" + code + "\",\"message\":\"no\"}}");
    }

    /** Publishes with a trace, lets it fail twice, replays the letter; returns the id. */
    private String story() {
        consumer.subscribe("{\"types\":[\"task.submitted\",\"event.dead_lettered\"]}");
        String id = publisher.send(
                "\"type\":\"task.submitted\",\"task_id\":\"t1\",\"correlation_id\":\"c1\",\"traceparent\":\"" + TRACE
                        + "\",\"payload\":{\"task_id\":\"t1\"}");
        nack(consumer.deliveries("task.submitted").get(0), "busy");
        hub.advance(1_000);
        nack(consumer.deliveries("task.submitted").get(1), "invalid_payload");
        hub.hub()
                .act(
                        Caller.open(),
                        "dlq.replay",
                        (Json.Obj) Json.parse("{\"event_ids\":[\"t1\"]}"),
                        answer -> assertThat(answer).isInstanceOf(Answer.Found.class));
        hub.drain();
        return id;
    }

    @Test
    void obs_04_the_trace_survives_store_redelivery_dead_letter_and_replay() {
        String id = story();
        assertThat(consumer.deliveries("task.submitted")).hasSize(3);
        for (Json.Obj copy : consumer.deliveries("task.submitted")) {
            assertThat(copy.string("id")).isEqualTo(id);
            assertThat(copy.string("traceparent")).isEqualTo(TRACE);
        }
        assertThat(consumer.last("event.redelivered").string("traceparent")).isEqualTo(TRACE);
        Json.Obj letter = consumer.last("event.dead_lettered");
        assertThat(letter.string("traceparent")).isEqualTo(TRACE);
        assertThat(letter.object("payload").object("original_event").string("traceparent"))
                .isEqualTo(TRACE);
    }

    @Test
    void obs_04_one_question_by_correlation_tells_the_whole_story_in_order() {
        String id = story();
        List<Json.Obj> rows = history("{\"correlation_id\":\"c1\"}").stream()
                .filter(row -> !"task.accepted".equals(row.object("event").string("type")))
                .toList();
        assertThat(rows.stream().map(row -> row.string("record")).toList())
                .containsExactly("published", "dead_lettered", "replayed");
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(row.object("event").string("traceparent")).isEqualTo(TRACE));
        assertThat(rows.get(0).object("event").string("id")).isEqualTo(id);
        assertThat(rows.get(1).array("attempts").items()).hasSize(2);
        assertThat(rows.get(2).object("event").string("id")).isEqualTo(id);
        assertThat(rows.get(2).string("replayed_from")).isEqualTo(rows.get(0).string("cursor"));
        assertThat(history("{\"task_id\":\"t1\"}")).hasSameSizeAs(history("{\"correlation\":\"c1\"}"));
    }

    @Test
    void obs_04_what_an_observer_hears_carries_the_trace_too() {
        TestWire observer = hub.session("agent:o");
        observer.subscribe("{\"types\":[\"event.*\"]}");
        story();
        assertThat(observer.deliveries("event.dispatched"))
                .as("three copies of the event, two of the letter about it")
                .hasSize(5)
                .allSatisfy(told -> assertThat(told.string("traceparent")).isEqualTo(TRACE));
    }

    @Test
    void obs_04_a_question_that_names_nothing_or_too_much_is_refused() {
        for (String filter : List.of("{}", "{\"task_id\":\"t\",\"correlation_id\":\"c\"}")) {
            Answer answer = hub.answer(new Ask("history", null, (Json.Obj) Json.parse(filter), 100, null));
            assertThat(((Answer.Failed) answer).error().reason()).isEqualTo("missing_filter");
        }
    }
}
