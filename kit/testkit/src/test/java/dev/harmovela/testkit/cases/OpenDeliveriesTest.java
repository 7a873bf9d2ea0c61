package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deliveries that have not ended, as an operator sees them (§6, D34). */
class OpenDeliveriesTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");

    private List<Json.Obj> rows(String filter) {
        Answer answer = hub.answer(new Ask("deliveries", null, (Json.Obj) Json.parse(filter), 1000, null));
        return ((Answer.Found) answer)
                .body().array("items").items().stream()
                        .map(Json.Obj.class::cast)
                        .toList();
    }

    @Test
    void a_delivery_shows_its_attempt_its_deadline_and_then_its_next_retry() {
        TestWire worker = hub.session("agent:w");
        String sub = worker.subscribe("{\"types\":[\"task.submitted\"],"
                + "\"retry\":{\"max_attempts\":3,\"backoff_ms\":1000,\"ack_timeout_ms\":5000}}");
        String id = publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        assertThat(rows("{}")).singleElement().satisfies(row -> {
            assertThat(row.string("state")).isEqualTo("in_flight");
            assertThat(row.string("event_id")).isEqualTo(id);
            assertThat(row.string("type")).isEqualTo("task.submitted");
            assertThat(row.string("owner")).isEqualTo("agent:w");
            assertThat(row.integer("attempt")).isEqualTo(1);
            assertThat(row.integer("max_attempts")).isEqualTo(3);
            assertThat(row.string("due_at")).isEqualTo(Timestamps.format(hub.now() + 5000));
        });
        hub.advance(5_000);
        assertThat(rows("{\"task_id\":\"t1\"}")).singleElement().satisfies(row -> {
            assertThat(row.string("state")).isEqualTo("retrying");
            assertThat(row.integer("attempt")).isEqualTo(2);
            assertThat(row.string("next_retry_at")).isEqualTo(Timestamps.format(hub.now() + 1000));
            assertThat(row.object("last_error").string("code")).isEqualTo("timeout");
        });
        hub.advance(1_000);
        assertThat(rows("{\"subscription_id\":\"" + sub + "\"}"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.string("state")).isEqualTo("in_flight");
                    assertThat(row.integer("attempt")).isEqualTo(2);
                });
        assertThat(rows("{\"task_id\":\"t2\"}")).isEmpty();
        worker.ack(worker.deliveries("task.submitted").getFirst());
        assertThat(rows("{}")).isEmpty();
    }

    @Test
    void what_an_absent_worker_has_not_been_handed_waits_in_one_row() {
        TestWire worker = hub.session("agent:w");
        worker.cut();
        publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"target\":\"agent:w\"");
        publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t2\",\"target\":\"agent:w\"");
        assertThat(rows("{\"task_id\":\"t1\"}")).singleElement().satisfies(row -> {
            assertThat(row.string("state")).isEqualTo("waiting");
            assertThat(row.string("owner")).isEqualTo("agent:w");
            assertThat(row.string("reason")).isEqualTo("detached");
            assertThat(row.integer("events")).isEqualTo(2);
        });
    }
}
