package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the hub counts of deliveries, and that it always adds up (D33). */
class StatisticsCasesTest {

    private static final String ONCE =
            "{\"types\":[\"context.*\"],\"retry\":{\"max_attempts\":1,\"ack_timeout_ms\":200}}";

    private TestHub hub = TestHub.inMemory();
    private TestWire publisher = hub.session("agent:p");

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            publisher.send("\"type\":\"context.updated\",\"payload\":{\"n\":" + i + "}");
        }
        publisher.clear();
    }

    private static Json.Obj counts(Json.Obj stats) {
        Json.Obj counts = Objects.requireNonNull(stats.object("deliveries"));
        long sum = 0;
        for (String name : List.of("acknowledged", "pending", "deadLettered", "expired", "discarded")) {
            sum += Objects.requireNonNull(counts.integer(name));
        }
        assertThat(counts.integer("total")).as("%s", counts).isEqualTo(sum);
        assertThat(counts.integer("in_flight")).isLessThanOrEqualTo(counts.integer("pending"));
        return counts;
    }

    private Json.Obj counts() {
        return counts(hub.ask("stats", null));
    }

    @Test
    void d33_statistics_have_exactly_the_agreed_members() {
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe("{\"types\":[\"context.*\"]}");
        publish(3);
        consumer.ack(consumer.deliveries().get(0));
        Json.Obj stats = hub.ask("stats", null);
        assertThat(stats.names())
                .containsExactly("events_published", "deliveries", "totalSequences", "lastAckCursor", "latency_ms");
        assertThat(stats.object("deliveries").names())
                .containsExactly(
                        "total",
                        "pending",
                        "in_flight",
                        "acknowledged",
                        "deadLettered",
                        "expired",
                        "discarded",
                        "redelivered");
        assertThat(stats.object("latency_ms").names()).containsExactly("p50", "p90", "p99", "p999", "max");
        Json.Obj one = hub.ask("subscription", sub);
        assertThat(one.names()).containsAll(stats.names());
        assertThat(counts(one).integer("acknowledged")).isOne();
        assertThat(counts(one).integer("in_flight")).isEqualTo(2);
        assertThat(one.integer("totalSequences")).isEqualTo(3);
        assertThat(one.integer("events_published")).isEqualTo(3);
        assertThat(one.string("lastAckCursor")).isEqualTo(one.string("acknowledged_cursor"));
        assertThat(hub.ask("delivery.stats", null))
                .hasToString(hub.ask("stats", null).toString());
    }

    @Test
    void del_02_every_end_of_a_delivery_is_counted_once() {
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe(ONCE);
        publish(4);
        publisher.send("\"type\":\"context.updated\",\"expires_at\":\"2026-07-10T10:00:00.100Z\",\"payload\":{}");
        List<Json.Obj> got = consumer.deliveries();
        consumer.ack(got.get(0)).ack(got.get(1));
        assertThat(counts().integer("pending")).isEqualTo(3);
        hub.advance(5_000);
        Json.Obj counts = counts();
        assertThat(counts.integer("acknowledged")).isEqualTo(2);
        assertThat(counts.integer("deadLettered")).isEqualTo(2);
        assertThat(counts.integer("expired")).isOne();
        assertThat(counts.integer("pending")).isZero();
        assertThat(counts(hub.ask("subscription", sub))).hasToString(counts.toString());
    }

    @Test
    void del_02_a_delivery_given_up_beside_an_acknowledgement_is_counted_as_dead() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        publish(3);
        List<Json.Obj> got = consumer.deliveries();
        for (int i = 0; i < 2; i++) {
            String error = i == 0 ? "" : ",\"error\":{\"code\":\"not_supported\",\"message\":\"no\"}";
            consumer.feed("{\"spec_version\":\"0.2\",\"id\":\"s" + i + "\",\"type\":\"event."
                    + (i == 0 ? "acknowledged" : "rejected")
                    + "\",\"source\":\"agent:c\",\"created_at\":\"2026-07-10T10:00:00Z\",\"payload\":"
                    + "{\"acknowledged_event_id\":\"" + got.get(i).string("id") + "\"" + error + "}}");
        }
        consumer.end();
        Json.Obj counts = counts();
        assertThat(counts.integer("acknowledged")).isOne();
        assertThat(counts.integer("deadLettered")).isOne();
        assertThat(counts.integer("pending")).isOne();
    }

    @Test
    void d33_best_effort_is_not_counted() {
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe("{\"types\":[\"context.*\"],\"delivery_mode\":\"best_effort\"}");
        publish(3);
        publisher.send("\"type\":\"context.updated\",\"delivery\":{\"mode\":\"best_effort\"}");
        assertThat(consumer.deliveries()).hasSize(4);
        assertThat(counts().integer("total")).isZero();
        assertThat(counts(hub.ask("subscription", sub)).integer("total")).isZero();
        assertThat(hub.hub().figures().bestEffort()).isOne();
    }

    @Test
    void d33_the_sum_holds_while_history_is_read() {
        publish(300);
        TestWire consumer = hub.session("agent:c");
        String sub =
                consumer.subscribe("{\"types\":[\"context.*\"],\"from_cursor\":\"earliest\",\"max_in_flight\":10}");
        assertThat(counts(hub.ask("subscription", sub)).integer("in_flight")).isEqualTo(10);
        int acknowledged = 0;
        while (!consumer.deliveries().isEmpty()) {
            List<Json.Obj> got = consumer.deliveries();
            consumer.clear();
            got.forEach(consumer::ack);
            acknowledged += got.size();
            counts(hub.ask("subscription", sub));
        }
        assertThat(acknowledged).isEqualTo(300);
        Json.Obj counts = counts(hub.ask("subscription", sub));
        assertThat(counts.integer("total")).isEqualTo(300);
        assertThat(counts.integer("acknowledged")).isEqualTo(300);
    }

    @Test
    void d27_a_subscription_that_ends_leaves_its_counts_behind() {
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe("{\"types\":[\"context.*\"]}");
        publish(3);
        consumer.ack(consumer.deliveries().get(0));
        consumer.send("\"type\":\"subscription.cancelled\",\"payload\":{\"subscription_id\":\"" + sub + "\"}");
        Json.Obj cancelled = counts();
        assertThat(cancelled.integer("acknowledged")).isOne();
        assertThat(cancelled.integer("discarded")).isEqualTo(2);

        consumer.subscribe("{\"types\":[\"context.*\"],\"ttl_ms\":1000}");
        publish(2);
        hub.advance(2_000);
        Json.Obj expired = counts();
        assertThat(expired.integer("expired")).isEqualTo(2);
        assertThat(expired.integer("total")).isEqualTo(5);
    }

    @Test
    void d33_latency_is_the_time_from_stored_to_acknowledged() {
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe("{\"types\":[\"context.*\"]}");
        assertThat(hub.ask("stats", null).object("latency_ms").get("p50")).isNull();
        publish(1);
        hub.advance(40);
        consumer.ack(consumer.deliveries().get(0));
        consumer.clear();
        publish(1);
        hub.advance(3_000);
        consumer.ack(consumer.deliveries().get(0));
        for (Json.Obj stats : List.of(hub.ask("stats", null), hub.ask("subscription", sub))) {
            Json.Obj latency = Objects.requireNonNull(stats.object("latency_ms"));
            assertThat(latency.number("p50")).isBetween(40.0, 41.0);
            assertThat(latency.number("max")).isBetween(3_000.0, 3_020.0);
        }
    }

    @Test
    void d33_a_retried_delivery_is_as_slow_as_its_publisher_saw_it() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"],\"retry\":{\"backoff_ms\":1000,\"max_attempts\":5}}");
        publish(1);
        consumer.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\""
                + consumer.deliveries().get(0).string("id") + "\",\"error\":{\"code\":\"busy\"}}");
        consumer.clear();
        hub.advance(1_000);
        consumer.ack(consumer.deliveries().get(0));
        assertThat(hub.ask("stats", null).object("latency_ms").number("max")).isBetween(1_000.0, 1_010.0);
        assertThat(counts().integer("redelivered")).isOne();
    }

    @Test
    void d33_histograms_are_kept_for_a_bounded_number_of_subscriptions() {
        TestWire consumer = hub.session("agent:c");
        String last = "";
        for (int i = 0; i < 300; i++) {
            last = consumer.subscribe("{\"types\":[\"context.*\"],\"topic\":\"t" + i + "\"}");
            publisher.send("\"type\":\"context.updated\",\"topic\":\"t" + i + "\"");
            consumer.ack(consumer.deliveries().get(0));
            consumer.clear();
        }
        assertThat(hub.ask("subscription", last).object("latency_ms").get("p50"))
                .isNull();
        assertThat(hub.hub().figures().latency().count()).isEqualTo(300);
    }

    @Test
    void d33_what_was_published_is_counted_across_restarts_and_once_only() {
        SimDisk disk = new SimDisk(3);
        HarmovelaHub.JournalFactory journal = (keys, listener) -> SegmentJournal.open(
                disk, JournalOptions.DEFAULT.withSegmentBytes(1 << 20), new InlineThreads(), keys, listener);
        HubConfig config = HubConfig.defaults(List.of("websocket"));
        hub = TestHub.on(config, journal, TestHub.START);
        publisher = hub.session("agent:p");
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe(ONCE);
        publish(2);
        hub.advance(1_000);
        long published = hub.ask("stats", null).integer("events_published");
        assertThat(published).as("two events and the two letters about them").isEqualTo(4);
        Answer[] got = new Answer[1];
        hub.hub().act(Caller.open(), "dlq.replay", (Json.Obj) Json.parse("{\"filter\":{}}"), answer -> got[0] = answer);
        hub.drain();
        assertThat(((Answer.Found) got[0]).body().integer("replayed")).isEqualTo(2);
        assertThat(hub.ask("stats", null).integer("events_published")).isEqualTo(published);
        assertThat(counts().integer("total")).isEqualTo(4);
        hub.close();
        hub = TestHub.on(config, journal, TestHub.START + 10_000);
        assertThat(hub.ask("stats", null).integer("events_published")).isEqualTo(published);
        assertThat(counts().integer("total")).isEqualTo(4);
    }

    @Test
    void the_fate_of_one_task_is_listed_from_flight_to_grave() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"task.submitted\"],\"retry\":{\"max_attempts\":2,\"backoff_ms\":1000}}");
        String id = publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"payload\":{}");
        publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t2\",\"payload\":{}");
        assertThat(states("{\"event_id\":\"" + id + "\"}")).containsExactly("in_flight");
        for (int attempt = 0; attempt < 2; attempt++) {
            consumer.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + id
                    + "\",\"error\":{\"code\":\"busy\"}}");
            assertThat(states("{\"event_id\":\"" + id + "\"}")).containsExactly(attempt == 0 ? "retrying" : "dead");
            hub.advance(1_000);
        }
        assertThat(states("{\"state\":\"dead\"}")).containsExactly("dead");
        assertThat(states("{}")).containsExactly("in_flight");
    }

    private List<String> states(String filter) {
        Answer answer = hub.answer(new Ask("deliveries", null, (Json.Obj) Json.parse(filter), 100, null));
        return Objects.requireNonNull(((Answer.Found) answer).body().array("items")).items().stream()
                .map(row -> Objects.requireNonNull(((Json.Obj) row).string("state")))
                .toList();
    }
}
