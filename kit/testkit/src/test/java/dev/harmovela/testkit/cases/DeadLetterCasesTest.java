package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deliveries that fail: retried, given up, looked at, put back (§6). */
class DeadLetterCasesTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");
    private final TestWire consumer = hub.session("agent:c");

    private Json.Obj act(String action, String args) {
        Answer[] got = new Answer[1];
        hub.hub().act(Caller.open(), action, (Json.Obj) Json.parse(args), answer -> got[0] = answer);
        hub.drain();
        assertThat(got[0]).isInstanceOf(Answer.Found.class);
        return ((Answer.Found) got[0]).body();
    }

    private List<Json> letters() {
        return hub.ask("dead_letters", null).array("items").items();
    }

    private String publish(String members) {
        String id = publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"" + members);
        publisher.clear();
        return id;
    }

    private void nack(Json.Obj delivery, String error) {
        consumer.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + delivery.string("id")
                + "\",\"error\":" + error + "}");
    }

    @Test
    void del_02_exhausted_deliveries_become_one_letter_and_the_counts_add_up() {
        String sub =
                consumer.subscribe("{\"types\":[\"task.submitted\"],\"retry\":{\"max_attempts\":3,\"backoff_ms\":100,"
                        + "\"ack_timeout_ms\":200}}");
        String id = publish("");
        hub.advance(10_000);
        assertThat(consumer.deliveries("task.submitted")).hasSize(3);
        assertThat(letters()).hasSize(1);
        Json.Obj letter = hub.ask("dead_letter", id);
        assertThat(letter.integer("attempts")).isEqualTo(3);
        assertThat(letter.array("history").items()).hasSize(3);
        assertThat(letter.object("original_event").string("id")).isEqualTo(id);
        Json.Obj counts = hub.ask("subscription", sub).object("deliveries");
        assertThat(counts.integer("total")).isEqualTo(1);
        assertThat(counts.integer("deadLettered")).isEqualTo(1);
        assertThat(counts.integer("pending")).isZero();
    }

    @Test
    void del_04_a_permanent_refusal_is_dead_at_once_with_the_consumers_own_code() {
        consumer.subscribe("{\"types\":[\"task.submitted\"]}");
        publish("");
        nack(
                consumer.deliveries().get(0),
                "{\"code\":\"protocol_error\",\"message\":\"bad data\",\"retryable\":false}");
        Json.Obj letter = (Json.Obj) letters().get(0);
        assertThat(letter.integer("attempts")).isEqualTo(1);
        assertThat(letter.object("last_error").string("code")).isEqualTo("protocol_error");
    }

    @Test
    void del_13_replay_moves_keeps_the_id_and_stops_after_a_while() {
        consumer.subscribe("{\"types\":[\"task.submitted\"]}");
        String id = publish("");
        String refusal = "{\"code\":\"invalid_payload\",\"message\":\"no\"}";
        nack(consumer.deliveries().get(0), refusal);
        Json.Obj dry = act(
                "dlq.replay", "{\"filter\":{\"types\":[\"task.*\"]},\"limit\":100,\"rate_per_s\":10,\"dry_run\":true}");
        assertThat(dry.integer("matched")).isEqualTo(1);
        assertThat(dry.integer("replayed")).isZero();
        assertThat(letters()).hasSize(1);
        for (int i = 1; i <= 5; i++) {
            consumer.clear();
            assertThat(act("dlq.replay", "{\"event_ids\":[\"" + id + "\"]}").integer("replayed"))
                    .isEqualTo(1);
            assertThat(letters()).isEmpty();
            Json.Obj again = consumer.deliveries().get(0);
            assertThat(again.string("id")).isEqualTo(id);
            assertThat(again.object("delivery").integer("attempt")).isEqualTo(1);
            assertThat(again.object("delivery").string("replayed_from")).isNotNull();
            nack(again, refusal);
            assertThat(((Json.Obj) letters().get(0)).integer("replays")).isEqualTo(i);
        }
        Json.Obj refused = act("dlq.replay", "{\"event_ids\":[\"" + id + "\"]}");
        assertThat(refused.integer("parked")).isEqualTo(1);
        assertThat(letters()).hasSize(1);
        assertThat(((Json.Obj) letters().get(0)).array("history").items()).hasSize(6);
    }

    @Test
    void del_13_a_replayed_letter_that_is_acknowledged_is_done() {
        consumer.subscribe("{\"types\":[\"task.submitted\"]}");
        publish("");
        nack(consumer.deliveries().get(0), "{\"code\":\"invalid_payload\",\"message\":\"no\"}");
        consumer.clear();
        act("dlq.replay", "{\"event_ids\":[\"t1\"]}");
        consumer.ack(consumer.deliveries().get(0));
        assertThat(letters()).isEmpty();
        Json.Obj counts = hub.ask("stats", null).object("deliveries");
        assertThat(counts.integer("pending")).isZero();
    }

    @Test
    void del_14_looking_changes_nothing_and_pages() {
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        for (int i = 0; i < 25; i++) {
            publisher.send("\"type\":\"context.updated\",\"payload\":{\"n\":" + i + "}");
        }
        consumer.deliveries().forEach(d -> nack(d, "{\"code\":\"not_supported\",\"message\":\"no\"}"));
        String stats = hub.ask("stats", null).object("deliveries").toString();
        Answer first = hub.answer(new Ask("dead_letters", null, Json.Obj.of(), 10, null));
        Json.Obj page = ((Answer.Found) first).body();
        assertThat(page.array("items").items()).hasSize(10);
        Answer second = hub.answer(new Ask("dead_letters", null, Json.Obj.of(), 10, page.string("next_cursor")));
        assertThat(((Answer.Found) second).body().array("items").items())
                .hasSize(10)
                .doesNotContainAnyElementsOf(page.array("items").items());
        assertThat(hub.ask("stats", null).object("deliveries")).hasToString(stats);
        act("dlq.discard", "{\"id\":\"" + ((Json.Obj) letters().get(0)).string("id") + "\"}");
        assertThat(letters()).hasSize(24);
    }

    @Test
    void del_07_a_failing_event_delays_only_itself() {
        consumer.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":10}");
        for (int i = 1; i <= 100; i++) {
            publisher.send("\"type\":\"context.updated\",\"payload\":{\"n\":" + i + "}");
        }
        int acked = 0;
        for (int round = 0; round < 40; round++) {
            List<Json.Obj> got = consumer.deliveries();
            consumer.clear();
            for (Json.Obj delivery : got) {
                if (delivery.object("payload").integer("n") == 1) {
                    nack(delivery, "{\"code\":\"busy\",\"message\":\"later\"}");
                } else {
                    consumer.ack(delivery);
                    acked++;
                }
            }
        }
        assertThat(acked).isEqualTo(99);
    }
}
