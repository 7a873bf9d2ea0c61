package dev.harmovela.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Acknowledgement, windows, resuming and retries over one hub (§6). */
class DeliveryFlowTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");

    private void publish(int n) {
        for (int i = 1; i <= n; i++) {
            publisher.send("\"type\":\"context.updated\",\"source\":\"agent:p\",\"payload\":{\"n\":" + i + "}");
        }
        publisher.clear();
    }

    private static long sequence(Json.Obj delivery) {
        return Objects.requireNonNull(
                Objects.requireNonNull(delivery.object("delivery")).integer("sequence"));
    }

    private static List<Long> sequences(TestWire wire) {
        return wire.deliveries().stream().map(DeliveryFlowTest::sequence).toList();
    }

    @Test
    void a_window_holds_back_what_is_not_acknowledged_and_goes_on_with_each_acknowledgement() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":3}");
        publish(6);
        assertThat(sequences(consumer)).containsExactly(1L, 2L, 3L);
        consumer.ack(consumer.deliveries().get(1));
        assertThat(sequences(consumer)).containsExactly(1L, 2L, 3L, 4L);
        consumer.deliveries().stream().filter(d -> sequence(d) != 2).forEach(consumer::ack);
        assertThat(sequences(consumer)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void resuming_brings_the_unsettled_first_under_their_numbers_and_then_the_rest() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        publish(4);
        consumer.ack(consumer.deliveries().get(0)).ack(consumer.deliveries().get(2));
        consumer.cut();
        publish(2);

        TestWire again = hub.wire();
        again.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\"" + consumer.sessionId() + "\"}");
        assertThat(again.last("session.opened").object("payload").bool("resumed"))
                .isTrue();
        assertThat(sequences(again)).containsExactly(2L, 4L, 5L, 6L);
    }

    @Test
    void a_retryable_refusal_waits_and_comes_again_after_a_notice() {
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe(
                "{\"types\":[\"context.*\"],\"retry\":{\"max_attempts\":3,\"backoff_ms\":100,\"ack_timeout_ms\":200}}");
        publish(1);
        Json.Obj first = consumer.deliveries().get(0);
        consumer.clear();
        consumer.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + first.string("id")
                + "\",\"error\":{\"code\":\"busy\",\"message\":\"later\"}}");
        hub.advance(99);
        assertThat(consumer.deliveries()).isEmpty();
        hub.advance(1);
        assertThat(consumer.received("event.redelivered")).hasSize(1);
        assertThat(consumer.deliveries().get(0).object("delivery").integer("attempt"))
                .isEqualTo(2);
        assertThat(sequence(consumer.deliveries().get(0))).isEqualTo(1);
        consumer.clear();
        hub.advance(200 + 200);
        assertThat(consumer.deliveries().get(0).object("delivery").integer("attempt"))
                .isEqualTo(3);
        TestWire watcher = hub.session("agent:w");
        watcher.subscribe("{\"types\":[\"event.dead_lettered\"]}");
        hub.advance(200);
        Json.Obj letter = watcher.deliveries("event.dead_lettered").get(0).object("payload");
        assertThat(letter.string("original_event_id")).isEqualTo(first.string("id"));
        assertThat(letter.integer("attempts")).isEqualTo(3);
        Json.Obj counts = hub.ask("subscription", sub).object("deliveries");
        assertThat(counts.integer("pending")).isZero();
        assertThat(counts.integer("deadLettered")).isEqualTo(1);
    }

    @Test
    void a_wire_that_cannot_take_more_falls_behind_alone_and_catches_up() {
        TestWire slow = hub.session("agent:slow");
        TestWire quick = hub.session("agent:quick");
        slow.subscribe("{\"types\":[\"context.*\"]}");
        quick.subscribe("{\"types\":[\"context.*\"]}");
        slow.writable(false);
        publish(5);
        assertThat(slow.deliveries()).isEmpty();
        assertThat(sequences(quick)).containsExactly(1L, 2L, 3L, 4L, 5L);
        slow.writable(true);
        assertThat(sequences(slow)).containsExactly(1L, 2L, 3L, 4L, 5L);
        publish(1);
        assertThat(sequences(slow)).endsWith(6L);
    }

    @Test
    void an_expired_event_is_counted_and_never_delivered() {
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe("{\"types\":[\"context.*\"]}");
        consumer.cut();
        publisher.send("\"type\":\"context.updated\",\"expires_at\":\"2026-07-10T10:00:02Z\",\"payload\":{\"n\":1}");
        hub.advance(4000);
        TestWire again = hub.wire();
        again.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\"" + consumer.sessionId() + "\"}");
        assertThat(again.deliveries()).isEmpty();
        assertThat(hub.ask("subscription", sub).object("deliveries").integer("expired"))
                .isEqualTo(1);
    }

    @Test
    void history_is_read_from_a_cursor_and_ends_with_a_seam() {
        publish(3);
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"],\"from_cursor\":\"earliest\"}");
        publish(1);
        assertThat(sequences(consumer)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(consumer.last("event.replayed").object("payload").integer("events_replayed"))
                .isEqualTo(3);
    }

    @Test
    void a_long_poll_hands_out_and_the_request_interface_acknowledges() {
        TestWire request = hub.request();
        String sub = request.subscribe("{\"types\":[\"context.*\"]}");
        publish(3);
        List<Json.Obj> pulled = hub.pull(sub, 2);
        assertThat(pulled).hasSize(2);
        request.ack(pulled.get(0)).ack(pulled.get(1));
        assertThat(hub.pull(sub, 10)).hasSize(1);
    }

    @Test
    void a_repeated_publish_has_one_effect_and_another_body_conflicts() {
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        String event = "\"id\":\"same\",\"type\":\"context.updated\",\"payload\":{\"n\":1}";
        publisher.send(event);
        publisher.clear();
        publisher.send(event);
        assertThat(publisher.answerTo("same").object("payload").bool("duplicate"))
                .isTrue();
        publisher.clear();
        publisher.send("\"id\":\"same\",\"type\":\"context.updated\",\"payload\":{\"n\":2}");
        assertThat(publisher.refusal("same")).isEqualTo("conflict");
        assertThat(consumer.deliveries()).hasSize(1);
    }

    @Test
    void a_conformance_session_is_a_space_of_its_own() {
        TestWire runner = hub.wire();
        runner.raw("{\"type\":\"session.open\",\"source\":\"agent:kit\","
                + "\"capabilities\":{\"features\":[\"conformance\"]}}");
        Json.Obj opened = runner.last("session.opened");
        assertThat(opened.object("capabilities").strings("features")).contains("conformance");
        runner.raw("{\"type\":\"session.ready\",\"session_id\":\"" + opened.string("session_id") + "\"}");
        String submitted = runner.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        assertThat(runner.refusal(submitted)).isNull();
        String timedOut = runner.send("\"type\":\"task.timed_out\",\"task_id\":\"t1\"");
        assertThat(runner.refusal(timedOut)).isNull();
        assertThat(hub.ask("tasks", null).array("items").items()).isEmpty();
    }
}
