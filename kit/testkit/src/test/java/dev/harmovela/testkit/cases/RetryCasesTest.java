package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pauses between attempts that chance shortens, and the policy everybody can see (§6, DEL-03). */
class RetryCasesTest {

    private static final int EVENTS = 200;
    private static final String FILTER =
            "{\"types\":[\"context.*\"],\"max_in_flight\":1000,\"retry\":{\"max_attempts\":9,"
                    + "\"backoff_ms\":1000,\"backoff_multiplier\":10,\"max_backoff_ms\":4000,\"jitter\":%s}}";

    private static void publish(TestHub hub, TestWire publisher, String delivery) {
        for (int n = 1; n <= EVENTS; n++) {
            publisher.send(
                    "\"type\":\"context.updated\",\"id\":\"e" + n + "\"" + delivery + ",\"payload\":{\"n\":" + n + "}");
        }
        publisher.clear();
    }

    private static void refuseAll(TestWire consumer) {
        List<Json.Obj> copies = consumer.deliveries();
        consumer.clear();
        copies.forEach(one -> consumer.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\""
                + one.string("id") + "\",\"error\":{\"code\":\"busy\",\"message\":\"later\"}}"));
    }

    /** How long each event waits for its next attempt, in milliseconds and in order of publication. */
    private static List<Long> pauses(TestHub hub) {
        List<Long> pauses = new ArrayList<>();
        hub.ask("deliveries", null).array("items").items().forEach(row -> {
            String at = ((Json.Obj) row).string("next_retry_at");
            if (at != null) {
                pauses.add(Timestamps.parse(at) - hub.now());
            }
        });
        return pauses;
    }

    private static List<Long> pausesOf(TestHub hub, String jitter, String delivery) {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe(FILTER.formatted(jitter));
        publish(hub, hub.session("agent:p"), delivery);
        refuseAll(consumer);
        return pauses(hub);
    }

    @Test
    void del_03_without_jitter_each_pause_is_the_formula() {
        assertThat(pausesOf(TestHub.inMemory(), "0", "")).hasSize(EVENTS).containsOnly(1000L);
    }

    @Test
    void del_03_jitter_shortens_each_pause_by_up_to_its_share_and_spreads_them() {
        List<Long> half = pausesOf(TestHub.inMemory(), "0.5", "");
        assertThat(half).hasSize(EVENTS).allSatisfy(one -> assertThat(one).isBetween(500L, 1000L));
        assertThat(half.stream().distinct().count()).isGreaterThan(100);
        List<Long> full = pausesOf(TestHub.inMemory(), "1", "");
        assertThat(full).hasSize(EVENTS).allSatisfy(one -> assertThat(one).isBetween(0L, 1000L));
        for (long from = 0; from < 1000; from += 250) {
            long lower = from;
            assertThat(full.stream().filter(one -> one >= lower && one < lower + 250))
                    .as("from %d ms", from)
                    .hasSizeBetween(25, 75);
        }
    }

    @Test
    void del_03_the_longest_pause_holds_with_jitter_as_well() {
        TestHub hub = TestHub.inMemory();
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe(FILTER.formatted("0.5"));
        publish(hub, hub.session("agent:p"), "");
        refuseAll(consumer);
        hub.advance(1000);
        refuseAll(consumer);
        assertThat(pauses(hub))
                .hasSize(EVENTS)
                .allSatisfy(one -> assertThat(one).isBetween(2000L, 4000L));
    }

    @Test
    void del_03_the_events_own_jitter_goes_before_the_subscriptions() {
        String own = ",\"delivery\":{\"mode\":\"at_least_once\",\"retry\":{\"backoff_ms\":100,\"jitter\":0}}";
        assertThat(pausesOf(TestHub.inMemory(), "1", own)).hasSize(EVENTS).containsOnly(100L);
    }

    @Test
    void del_03_a_pause_that_chance_has_set_is_the_same_after_a_power_cut() {
        SimDisk disk = new SimDisk(4);
        TestHub hub = on(disk, TestHub.START);
        String own = ",\"delivery\":{\"mode\":\"at_least_once\",\"retry\":{\"jitter\":1}}";
        List<Long> before = pausesOf(hub, "0", own);
        hub.advance(0);
        TestHub next = on(disk.crash(), hub.now());
        assertThat(before.stream().distinct().count()).isGreaterThan(100);
        assertThat(pauses(next)).isEqualTo(before);
    }

    private static TestHub on(SimDisk disk, long now) {
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(1 << 20);
        return TestHub.on(
                dev.harmovela.harness.HubConfig.defaults(List.of("websocket")),
                (keys, listener) -> SegmentJournal.open(disk, options, new InlineThreads(), keys, listener),
                now);
    }

    @Test
    void the_policy_in_force_is_told_with_the_gaps_filled() {
        TestHub hub = TestHub.inMemory();
        TestWire consumer = hub.session("agent:c");
        Json.Obj created =
                created(consumer, "{\"types\":[\"context.*\"],\"retry\":{\"backoff_ms\":7,\"jitter\":0.25}}");
        String policy = "{\"max_attempts\":3,\"backoff_ms\":7,\"backoff_multiplier\":2,\"max_backoff_ms\":30000,"
                + "\"ack_timeout_ms\":30000,\"jitter\":0.25}";
        assertThat(created.object("retry")).hasToString(policy);
        assertThat(hub.ask("subscription", created.string("subscription_id")).object("retry"))
                .hasToString(policy);
        assertThat(created(consumer, "{\"types\":[\"task.*\"]}").object("retry").number("jitter"))
                .isZero();
    }

    private static Json.Obj created(TestWire consumer, String filter) {
        return consumer.answerTo(consumer.send("\"type\":\"subscription.requested\",\"payload\":" + filter))
                .object("payload");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "-0.1", "\"yes\"", "true"})
    void a_share_of_chance_beyond_all_or_nothing_is_refused_by_name(String jitter) {
        TestWire consumer = TestHub.inMemory().session("agent:c");
        String asked = consumer.send("\"type\":\"subscription.requested\",\"payload\":" + FILTER.formatted(jitter));
        Json.Obj error = consumer.answerTo(asked).object("payload").object("error");
        assertThat(error.string("code")).isEqualTo("subscription_rejected");
        assertThat(error.object("details").string("path")).isEqualTo("payload.retry.jitter");
    }
}
