package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The life of an event as its observers are told of it (§6, D32). */
class TrackingCasesTest {

    private static final String ALL =
            "{\"types\":[\"event.published\",\"event.dispatched\",\"event.delivered\",\"event.acknowledged\"]}";

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");
    private final TestWire consumer = hub.session("agent:c");
    private final TestWire observer = hub.session("agent:o");

    private static List<String> types(TestWire wire) {
        return wire.deliveries().stream().map(one -> one.string("type")).toList();
    }

    private static Json.Obj payload(Json.Obj event) {
        return Objects.requireNonNull(event.object("payload"));
    }

    @Test
    void d32_an_observer_follows_an_event_from_publication_to_acknowledgement() {
        String sub = consumer.subscribe("{\"types\":[\"context.*\"]}");
        observer.subscribe(ALL);
        String id = publisher.send("\"type\":\"context.updated\",\"topic\":\"t\",\"correlation_id\":\"c1\"");
        consumer.ack(consumer.deliveries().get(0));
        assertThat(types(observer))
                .containsExactly("event.published", "event.dispatched", "event.delivered", "event.acknowledged");
        String cursor = consumer.deliveries().get(0).object("delivery").string("cursor");
        for (Json.Obj told : observer.deliveries()) {
            assertThat(payload(told).string("original_event_id")).isEqualTo(id);
            assertThat(payload(told).string("at")).isNotNull();
            assertThat(payload(told).string("cursor")).isEqualTo(cursor);
            assertThat(told.string("correlation_id")).isEqualTo("c1");
            assertThat(told.string("topic")).isEqualTo("t");
            assertThat(told.object("delivery").names()).containsExactly("mode", "subscription_id");
            assertThat(told.object("delivery").string("mode")).isEqualTo("best_effort");
        }
        for (Json.Obj told : observer.deliveries().subList(1, 4)) {
            assertThat(payload(told).string("subscription_id")).isEqualTo(sub);
            assertThat(payload(told).integer("sequence")).isOne();
        }
        assertThat(payload(observer.last("event.acknowledged")).string("acknowledged_event_id"))
                .isEqualTo(id);
    }

    @Test
    void d32_a_star_never_brings_tracking_not_even_beside_another_name_of_the_family() {
        observer.subscribe("{\"types\":[\"*\"]}");
        observer.subscribe("{\"types\":[\"*\",\"event.dead_lettered\"]}");
        observer.subscribe("{\"source\":\"harness:harmovela\"}");
        publisher.send("\"type\":\"context.updated\"");
        assertThat(types(observer)).containsOnly("context.updated");
        observer.subscribe("{\"types\":[\"event.*\"]}");
        observer.clear();
        publisher.send("\"type\":\"context.updated\"");
        assertThat(types(observer)).contains("event.published");
    }

    @Test
    void d32_only_what_was_asked_for_is_told() {
        observer.subscribe("{\"types\":[\"event.acknowledged\"],\"task_id\":\"t1\"}");
        consumer.subscribe("{\"types\":[\"task.submitted\"]}");
        publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"payload\":{}");
        publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t2\",\"payload\":{}");
        consumer.deliveries().forEach(consumer::ack);
        assertThat(types(observer)).containsExactly("event.acknowledged");
        assertThat(observer.deliveries().get(0).string("task_id")).isEqualTo("t1");
    }

    @Test
    void d32_tracking_is_neither_stored_nor_counted_nor_tracked() {
        observer.subscribe(ALL);
        hub.session("agent:o2").subscribe(ALL);
        String status = String.valueOf(hub.ask("status", null).string("cursor"));
        publisher.send("\"type\":\"context.updated\",\"delivery\":{\"mode\":\"best_effort\"}");
        assertThat(hub.ask("status", null).string("cursor")).isEqualTo(status);
        publisher.send("\"type\":\"context.updated\"");
        assertThat(types(observer)).containsExactly("event.published");
        Json.Obj stats = hub.ask("stats", null);
        assertThat(stats.integer("events_published")).isOne();
        assertThat(stats.object("deliveries").integer("total")).isZero();
    }

    @Test
    void d32_nobody_is_told_after_the_last_observer_has_left() {
        String sub = observer.subscribe(ALL);
        observer.send("\"type\":\"subscription.cancelled\",\"payload\":{\"subscription_id\":\"" + sub + "\"}");
        observer.clear();
        publisher.send("\"type\":\"context.updated\"");
        assertThat(observer.received()).isEmpty();
    }

    @Test
    void d32_each_attempt_is_dispatched_and_a_late_acknowledgement_is_told_with_its_sequence() {
        consumer.subscribe("{\"types\":[\"context.*\"],\"retry\":{\"ack_timeout_ms\":100,\"backoff_ms\":1000}}");
        observer.subscribe(ALL);
        publisher.send("\"type\":\"context.updated\"");
        hub.advance(1_100);
        hub.advance(150);
        consumer.ack(consumer.deliveries().get(1));
        assertThat(observer.deliveries("event.dispatched").stream()
                        .map(told -> payload(told).integer("attempt"))
                        .toList())
                .containsExactly(1L, 2L);
        assertThat(payload(observer.last("event.acknowledged")).integer("sequence"))
                .isOne();
    }

    @Test
    void d32_an_observer_without_room_costs_nobody_anything() {
        observer.subscribe(ALL);
        observer.writable(false);
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        for (int i = 0; i < 1_000; i++) {
            publisher.send("\"type\":\"context.updated\"");
        }
        assertThat(consumer.deliveries()).hasSize(256);
        observer.clear();
        observer.writable(true);
        assertThat(observer.deliveries()).isEmpty();
    }
}
