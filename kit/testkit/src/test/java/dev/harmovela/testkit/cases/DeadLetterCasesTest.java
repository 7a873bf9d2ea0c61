package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deliveries that fail: retried, given up, looked at, put back (§6). */
class DeadLetterCasesTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");
    private final TestWire consumer = hub.session("agent:c");

    private Answer answer(String action, String args) {
        Answer[] got = new Answer[1];
        hub.hub().act(Caller.open(), action, (Json.Obj) Json.parse(args), answer -> got[0] = answer);
        hub.drain();
        return got[0];
    }

    private Json.Obj act(String action, String args) {
        Answer answer = answer(action, args);
        assertThat(answer).isInstanceOf(Answer.Found.class);
        return ((Answer.Found) answer).body();
    }

    private ProtocolError refused(String action, String args) {
        Answer answer = answer(action, args);
        assertThat(answer).isInstanceOf(Answer.Failed.class);
        return ((Answer.Failed) answer).error();
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
        ProtocolError parked = refused("dlq.replay", "{\"event_ids\":[\"" + id + "\"]}");
        assertThat(parked.code()).isEqualTo(ErrorCode.CONFLICT);
        assertThat(parked.reason()).isEqualTo("parked");
        assertThat(act("dlq.replay", "{\"filter\":{}}").integer("parked")).isEqualTo(1);
        assertThat(letters()).hasSize(1);
        assertThat(((Json.Obj) letters().get(0)).array("history").items()).hasSize(6);
    }

    @Test
    void del_13_a_replay_keeps_to_its_rate_and_batch() {
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        for (int i = 0; i < 25; i++) {
            publisher.send("\"type\":\"context.updated\",\"payload\":{\"n\":" + i + "}");
        }
        consumer.deliveries().forEach(d -> nack(d, "{\"code\":\"not_supported\",\"message\":\"no\"}"));
        consumer.clear();
        Json.Obj counts = act(
                "dlq.replay", "{\"filter\":{\"type\":\"context.*\"},\"limit\":20,\"rate_per_s\":10,\"batch_size\":5}");
        assertThat(counts.integer("replayed")).isEqualTo(20);
        assertThat(consumer.deliveries()).hasSize(5);
        hub.advance(499);
        assertThat(consumer.deliveries()).hasSize(5);
        hub.advance(1);
        assertThat(consumer.deliveries()).hasSize(10);
        hub.advance(2_000);
        assertThat(consumer.deliveries()).hasSize(20);
        assertThat(letters()).hasSize(5);
        assertThat(consumer.deliveries().getFirst().object("payload").integer("n"))
                .as("the oldest letter comes first")
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | event_ids",
                "{\"event_ids\":[\"a\"],\"filter\":{}} | event_ids",
                "{\"event_ids\":[]} | event_ids",
                "{\"event_ids\":[\"a\"],\"dryrun\":true} | dryrun",
                "{\"filter\":{\"typ\":\"task.*\"}} | filter.typ",
                "{\"filter\":{\"types\":[\"task.**\"]}} | filter.types",
                "{\"filter\":{\"task_id\":7}} | filter.task_id",
                "{\"filter\":\"all\"} | filter",
                "{\"from\":\"yesterday\"} | from",
                "{\"filter\":{},\"limit\":0} | limit",
                "{\"filter\":{},\"batch_size\":1001} | batch_size",
                "{\"filter\":{},\"max_per_second\":1.5} | max_per_second",
                "{\"filter\":{},\"rate_per_s\":\"fast\"} | rate_per_s",
                "{\"filter\":{},\"dry_run\":\"yes\"} | dry_run"
            })
    void del_13_a_misspelt_replay_puts_nothing_back(String args, String path) {
        consumer.subscribe("{\"types\":[\"task.submitted\"]}");
        publish("");
        nack(consumer.deliveries().get(0), "{\"code\":\"invalid_payload\",\"message\":\"no\"}");
        ProtocolError error = refused("dlq.replay", args);
        assertThat(error.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
        assertThat(error.details().string("path")).isEqualTo(path);
        assertThat(letters()).hasSize(1);
    }

    @Test
    void del_13_letters_are_found_by_type_task_code_subscription_and_time() {
        String sub = consumer.subscribe("{\"types\":[\"task.submitted\",\"context.updated\"]}");
        publish("");
        nack(consumer.deliveries().get(0), "{\"code\":\"invalid_payload\",\"message\":\"no\"}");
        hub.advance(1_000);
        consumer.clear();
        publisher.send("\"type\":\"context.updated\"");
        nack(consumer.deliveries().get(0), "{\"code\":\"not_supported\",\"message\":\"no\"}");
        String between = Timestamps.format(hub.now() - 500);
        assertThat(matched("{\"type\":\"task.*\"}")).isEqualTo(1);
        assertThat(matched("{\"types\":[\"task.*\",\"context.*\"]}")).isEqualTo(2);
        assertThat(matched("{\"task_id\":\"t1\"}")).isEqualTo(1);
        assertThat(matched("{\"code\":\"not_supported\"}")).isEqualTo(1);
        assertThat(matched("{\"code\":[\"not_supported\",\"invalid_payload\"]}"))
                .isEqualTo(2);
        assertThat(matched("{\"subscription_id\":\"" + sub + "\"}")).isEqualTo(2);
        assertThat(matched("{\"owner\":\"agent:c\"}")).isEqualTo(2);
        assertThat(matched("{\"owner\":\"agent:other\"}")).isZero();
        assertThat(matched("{\"from\":\"" + between + "\"}")).isEqualTo(1);
        assertThat(matched("{\"to\":\"" + between + "\",\"type\":\"context.*\"}"))
                .isZero();
    }

    private long matched(String filter) {
        long replayable = act("dlq.replay", "{\"filter\":" + filter + ",\"dry_run\":true}")
                .integer("matched");
        Answer listed = hub.answer(new Ask("dead_letters", null, (Json.Obj) Json.parse(filter), 10, null));
        assertThat(((Answer.Found) listed).body().array("items").items()).hasSize((int) replayable);
        return replayable;
    }

    @Test
    void del_13_what_is_not_there_is_not_found_and_nothing_is_taken_twice() {
        consumer.subscribe("{\"types\":[\"task.submitted\"]}");
        String id = publish("");
        nack(consumer.deliveries().get(0), "{\"code\":\"invalid_payload\",\"message\":\"no\"}");
        consumer.clear();
        assertThat(refused("dlq.replay", "{\"event_ids\":[\"none\"]}").reason()).isEqualTo("not_found");
        assertThat(refused("dlq.discard", "{\"id\":\"none\"}").reason()).isEqualTo("not_found");
        Json.Obj counts = act("dlq.replay", "{\"event_ids\":[\"none\",\"t1\",\"" + id + "\"]}");
        assertThat(counts.integer("replayed")).isEqualTo(1);
        assertThat(counts.strings("not_found")).containsExactly("none");
        assertThat(consumer.deliveries()).hasSize(1);
    }

    @Test
    void del_13_a_letter_nobody_wants_any_more_stays_a_letter() {
        consumer.subscribe("{\"types\":[\"task.submitted\"]}");
        String id = publish("");
        nack(consumer.deliveries().get(0), "{\"code\":\"invalid_payload\",\"message\":\"no\"}");
        consumer.send("\"type\":\"session.closed\",\"payload\":{}");
        ProtocolError error = refused("dlq.replay", "{\"event_ids\":[\"" + id + "\"]}");
        assertThat(error.code()).isEqualTo(ErrorCode.CONFLICT);
        assertThat(error.reason()).isEqualTo("unwanted");
        assertThat(letters()).hasSize(1);
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
        Answer last = hub.answer(new Ask(
                "dead_letters",
                null,
                Json.Obj.of(),
                10,
                ((Answer.Found) second).body().string("next_cursor")));
        Json.Obj rest = ((Answer.Found) last).body();
        assertThat(rest.array("items").items()).hasSize(5);
        assertThat(rest.string("next_cursor")).isNull();
        assertThat(hub.answer(new Ask("dead_letters", null, Json.Obj.of(), 10, "17")))
                .isInstanceOf(Answer.Failed.class);
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
