package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Consumers that share a subscription, hold on to work for long, or fall behind (§6, D39). */
class SharedAndSlowCasesTest {

    private static final String GROUP = "{\"types\":[\"context.*\"],\"consumer_group\":\"g\"}";

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");

    private void publish(int from, int to) {
        for (int i = from; i <= to; i++) {
            publisher.send("\"type\":\"context.updated\",\"source\":\"agent:p\",\"payload\":{\"n\":" + i + "}");
        }
        publisher.clear();
    }

    private static List<Long> numbers(TestWire wire) {
        return wire.deliveries().stream()
                .map(d -> d.object("payload").integer("n"))
                .toList();
    }

    @Test
    void each_event_of_a_group_goes_to_one_member_and_to_the_others_when_that_one_leaves() {
        TestWire one = hub.session("agent:one");
        TestWire two = hub.session("agent:two");
        assertThat(one.subscribe(GROUP)).isEqualTo(two.subscribe(GROUP));
        publish(1, 10);
        assertThat(numbers(one)).hasSize(5).doesNotContainAnyElementsOf(numbers(two));
        assertThat(numbers(two)).hasSize(5);
        List<Long> held = numbers(one);
        two.deliveries().forEach(two::ack);
        two.clear();
        one.cut();
        assertThat(numbers(two)).containsExactlyElementsOf(held);
        publish(11, 12);
        assertThat(numbers(two)).endsWith(11L, 12L);
    }

    @Test
    void del_09_a_stale_holder_cannot_settle_what_another_member_has() {
        TestWire one = hub.session("agent:one");
        one.subscribe(GROUP);
        publish(1, 1);
        Json.Obj delivery = one.deliveries().get(0);
        TestWire two = hub.session("agent:two");
        two.subscribe(GROUP);
        String late = two.send("\"type\":\"event.acknowledged\",\"payload\":{\"acknowledged_event_id\":\""
                + delivery.string("id") + "\"}");
        assertThat(two.refusal(late)).isEqualTo("conflict");
    }

    @Test
    void a_group_keeps_its_position_without_members_and_refuses_another_filter() {
        TestWire one = hub.session("agent:one");
        one.subscribe(GROUP);
        one.raw("{\"type\":\"session.closed\",\"session_id\":\"" + one.sessionId() + "\"}");
        publish(1, 3);
        TestWire two = hub.session("agent:two");
        String differing = two.send(
                "\"type\":\"subscription.requested\",\"payload\":{\"types\":[\"task.*\"],\"consumer_group\":\"g\"}");
        assertThat(two.answerTo(differing).string("type")).isEqualTo("subscription.rejected");
        two.subscribe(GROUP);
        assertThat(numbers(two)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void del_09_progress_pushes_the_deadline_of_the_task_it_is_about() {
        TestWire worker = hub.session("agent:b");
        worker.subscribe("{\"types\":[\"task.submitted\"],\"retry\":{\"ack_timeout_ms\":2000}}");
        publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\"}");
        Json.Obj delivery = worker.deliveries().get(0);
        worker.send("\"type\":\"task.started\",\"source\":\"agent:b\",\"task_id\":\"t1\"");
        for (int i = 0; i < 10; i++) {
            hub.advance(1000);
            worker.send("\"type\":\"task.progress\",\"source\":\"agent:b\",\"task_id\":\"t1\"");
        }
        worker.ack(delivery);
        hub.advance(60_000);
        assertThat(worker.deliveries("task.submitted")).hasSize(1);
    }

    @Test
    void del_01_an_acknowledged_event_never_comes_again() {
        TestWire worker = hub.session("agent:b");
        worker.subscribe("{\"types\":[\"context.*\"]}");
        publisher.send("\"type\":\"context.updated\",\"delivery\":{\"mode\":\"at_least_once\","
                + "\"retry\":{\"ack_timeout_ms\":20000}}");
        hub.advance(4000);
        worker.ack(worker.deliveries().get(0));
        hub.advance(60_000);
        String session = worker.sessionId();
        worker.cut();
        TestWire again = hub.wire();
        again.raw("{\"type\":\"session.open\",\"source\":\"agent:b\",\"session_id\":\"" + session + "\"}");
        assertThat(worker.deliveries()).hasSize(1);
        assertThat(again.deliveries()).isEmpty();
    }

    @Test
    void del_08_a_consumer_that_died_with_a_full_window_gets_the_old_ones_first() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":10}");
        publish(1, 30);
        assertThat(numbers(consumer)).hasSize(10);
        String session = consumer.sessionId();
        consumer.cut();
        TestWire again = hub.wire();
        again.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\"" + session + "\"}");
        List<Long> seen = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            List<Json.Obj> got = again.deliveries();
            seen.addAll(numbers(again));
            again.clear();
            got.forEach(again::ack);
        }
        assertThat(seen.subList(0, 10)).isEqualTo(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L));
        assertThat(seen).hasSize(30).doesNotHaveDuplicates();
    }

    @Test
    void sub_08_a_stuck_subscription_ends_or_parks_or_loses_its_oldest_by_its_own_policy() {
        TestWire ends = hub.session("agent:ends");
        ends.subscribe("{\"types\":[\"context.*\"],\"lag\":{\"max_events\":100,\"on_lag\":\"end\"}}");
        TestWire parks = hub.session("agent:parks");
        String parked = parks.subscribe("{\"types\":[\"context.*\"],\"lag\":{\"max_events\":100,\"on_lag\":\"park\"}}");
        TestWire loses = hub.session("agent:loses");
        loses.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":5,\"lag\":{\"max_events\":100}}");
        TestWire keeps = hub.session("agent:keeps");
        String kept = keeps.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":1000}");
        publish(1, 300);
        loses.clear();
        hub.advance(3000);
        assertThat(ends.last("subscription.expired").object("payload").string("reason"))
                .isEqualTo("lag_events");
        assertThat(hub.ask("subscription", parked).string("stalled")).isEqualTo("parked");
        Json.Obj first = loses.deliveries().get(0);
        assertThat(first.object("delivery").object("gap")).isNotNull();
        assertThat(first.object("payload").integer("n")).isGreaterThan(190);
        assertThat(numbers(keeps)).hasSize(300);
        assertThat(hub.ask("subscription", kept).object("deliveries").integer("pending"))
                .isEqualTo(300);
    }

    @Test
    void sub_08_a_parked_consumer_that_comes_back_is_left_to_catch_up() {
        TestWire parks = hub.session("agent:parks");
        String parked = parks.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":5,"
                + "\"lag\":{\"max_age_ms\":10000,\"on_lag\":\"park\"}}");
        String session = parks.sessionId();
        publish(1, 20);
        hub.advance(25_000);
        assertThat(hub.ask("subscription", parked).string("stalled")).isEqualTo("parked");
        parks.cut();
        TestWire back = hub.wire();
        back.raw("{\"type\":\"session.open\",\"source\":\"agent:parks\",\"session_id\":\"" + session + "\"}");
        for (int look = 0; look < 4; look++) {
            hub.advance(2_500);
            List<Json.Obj> got = back.deliveries();
            back.clear();
            assertThat(got).isNotEmpty();
            got.forEach(back::ack);
        }
        publish(21, 25);
        hub.advance(25_000);
        assertThat(hub.ask("subscription", parked).string("stalled")).isEqualTo("parked");
    }

    private static final String FILLER = "x".repeat(1000);

    private void publishKibibytes(int count) {
        for (int i = 0; i < count; i++) {
            publisher.send("\"type\":\"context.updated\",\"source\":\"agent:p\",\"payload\":{\"n\":" + i
                    + ",\"text\":\"" + FILLER + "\"}");
        }
        publisher.clear();
    }

    private String lagging(String identity, String lag) {
        return hub.session(identity).subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":5,\"lag\":" + lag + "}");
    }

    @Test
    void sub_08_a_bound_in_bytes_parks_ends_or_drops_and_names_its_reason() {
        TestWire ends = hub.session("agent:ends");
        ends.subscribe("{\"types\":[\"context.*\"],\"lag\":{\"max_bytes\":500000,\"on_lag\":\"end\"}}");
        String parked = lagging("agent:parks", "{\"max_bytes\":500000,\"on_lag\":\"park\"}");
        TestWire loses = hub.session("agent:loses");
        String dropped =
                loses.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":5,\"lag\":{\"max_bytes\":500000}}");
        String within = lagging("agent:within", "{\"max_bytes\":50000000,\"on_lag\":\"end\"}");
        TestWire keepsUp = hub.session("agent:good");
        String good = keepsUp.subscribe(
                "{\"types\":[\"context.*\"],\"max_in_flight\":5000,\"lag\":{\"max_bytes\":500000,\"on_lag\":\"end\"}}");
        publishKibibytes(1000);
        keepsUp.deliveries().forEach(keepsUp::ack);
        loses.clear();
        hub.advance(3000);
        assertThat(ends.last("subscription.expired").object("payload").string("reason"))
                .isEqualTo("lag_bytes");
        assertThat(hub.ask("subscription", parked).string("stalled")).isEqualTo("parked");
        assertThat(hub.ask("subscription", parked).object("behind").integer("bytes"))
                .isGreaterThan(1_000_000);
        Json.Obj first = loses.deliveries().get(0);
        assertThat(first.object("delivery").object("gap").string("reason")).isEqualTo("lag_bytes");
        assertThat(first.object("payload").integer("n")).isBetween(500L, 700L);
        assertThat(hub.ask("subscription", dropped).object("behind").integer("bytes"))
                .isBetween(400_000L, 510_000L);
        assertThat(hub.ask("subscription", within).object("deliveries").integer("pending"))
                .isEqualTo(1000);
        assertThat(hub.ask("subscription", good).object("deliveries").integer("acknowledged"))
                .isEqualTo(1000);
    }

    @Test
    void sub_08_a_bound_in_time_names_itself_even_when_little_is_published() {
        TestWire ends = hub.session("agent:ends");
        ends.subscribe("{\"types\":[\"context.*\"],\"lag\":{\"max_age_ms\":60000,\"on_lag\":\"end\"}}");
        hub.advance(30_000);
        publish(1, 3);
        hub.advance(55_000);
        assertThat(ends.received("subscription.expired")).isEmpty();
        hub.advance(20_000);
        assertThat(ends.last("subscription.expired").object("payload").string("reason"))
                .isEqualTo("lag_age");
    }

    @Test
    void sub_08_what_was_dropped_is_counted_once_and_a_rare_reader_keeps_its_newest() {
        TestWire rare = hub.session("agent:rare");
        String sub = rare.subscribe("{\"types\":[\"memory.*\"],\"max_in_flight\":5,\"lag\":{\"max_events\":50}}");
        for (int i = 0; i < 100; i++) {
            publisher.send("\"type\":\"memory.updated\",\"source\":\"agent:p\",\"payload\":{\"n\":" + i + "}");
            publish(1, 9);
        }
        rare.clear();
        hub.advance(20_000);
        List<Long> left = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            left.addAll(numbers(rare));
            List<Json.Obj> copies = rare.deliveries();
            rare.clear();
            copies.forEach(rare::ack);
        }
        assertThat(left).hasSizeBetween(45, 51).endsWith(99L).isSorted();
        Json.Obj counts = hub.ask("subscription", sub).object("deliveries");
        assertThat(counts.integer("total")).isEqualTo(100);
        assertThat(counts.integer("acknowledged")).isEqualTo(left.size());
        assertThat(counts.integer("discarded")).isEqualTo(100 - left.size());
        assertThat(counts.integer("pending")).isZero();
    }

    @Test
    void sub_04_a_cursor_that_is_none_of_ours_is_refused_with_what_there_is() {
        TestWire wire = hub.session("agent:c");
        String asked = wire.send("\"type\":\"subscription.requested\",\"payload\":{\"types\":[\"task.*\"],"
                + "\"from_cursor\":\"stream_01:999999\",\"delivery_mode\":\"replayable\"}");
        Json.Obj answer = wire.answerTo(asked);
        assertThat(answer.string("type")).isEqualTo("subscription.rejected");
        Json.Obj details = answer.object("payload").object("error").object("details");
        assertThat(details.string("reason")).isEqualTo("cursor_out_of_range");
        assertThat(details.string("requested")).isEqualTo("stream_01:999999");
        String latest = details.string("latest");
        assertThat(details.string("earliest")).isNotNull();
        wire.subscribe("{\"types\":[\"task.*\"],\"from_cursor\":\"" + latest + "\"}");
    }
}
