package dev.harmovela.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Consumers that never answer, answer twice, answer for others, or refuse for a while. */
@Tag("faults")
class ConsumerFaultsTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");
    private final TestWire consumer = hub.session("agent:c");

    private Json.Obj counts(String subscription) {
        return hub.ask("subscription", subscription).object("deliveries");
    }

    private void nack(TestWire wire, Json.Obj delivery) {
        wire.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + delivery.string("id")
                + "\",\"error\":{\"code\":\"internal_error\",\"message\":\"busy\",\"retryable\":true}}");
    }

    @Test
    void consumer_that_never_acks_gets_three_attempts_each_and_holds_no_more_than_its_window() {
        String sub = consumer.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":8,\"retry\":{\"max_attempts\":3,"
                + "\"backoff_ms\":100,\"ack_timeout_ms\":200}}");
        TestWire other = hub.session("agent:other");
        String healthy = other.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":1000}");
        Wires.publish(hub, publisher, 1, 200);
        Wires.ack(hub, other, Wires.take(other));
        long most = 0;
        for (int i = 0; i < 400; i++) {
            hub.advance(100);
            most = Math.max(most, hub.ask("subscription", sub).integer("in_flight"));
        }
        assertThat(most).isPositive().isLessThanOrEqualTo(8);
        List<Json.Obj> copies = consumer.deliveries("context.updated");
        assertThat(copies).hasSize(600);
        for (long attempt = 1; attempt <= 3; attempt++) {
            long wanted = attempt;
            assertThat(copies.stream()
                            .filter(one -> Wires.attempt(one) == wanted)
                            .map(Wires::number))
                    .hasSize(200)
                    .doesNotHaveDuplicates();
        }
        assertThat(counts(sub).integer("deadLettered")).isEqualTo(200);
        assertThat(counts(sub).integer("pending")).isZero();
        assertThat(counts(healthy).integer("acknowledged")).isEqualTo(200);
    }

    @Test
    void consumer_that_acks_twice_settles_once() {
        String sub = consumer.subscribe("{\"types\":[\"context.*\"]}");
        Wires.publish(hub, publisher, 1, 2);
        Json.Obj first = consumer.deliveries().get(0);
        consumer.ack(first);
        consumer.clear();
        String again = consumer.send("\"type\":\"event.acknowledged\",\"payload\":{\"acknowledged_event_id\":\""
                + first.string("id") + "\"}");
        assertThat(consumer.refusal(again)).isEqualTo("conflict");
        assertThat(counts(sub).integer("acknowledged")).isEqualTo(1);
        assertThat(counts(sub).integer("pending")).isEqualTo(1);
    }

    @Test
    void consumer_that_acks_or_nacks_for_someone_else_settles_nothing() {
        String sub = consumer.subscribe("{\"types\":[\"context.*\"]}");
        TestWire thief = hub.session("agent:thief");
        Wires.publish(hub, publisher, 1, 1);
        Json.Obj delivery = consumer.deliveries().get(0);
        String what = "\"acknowledged_event_id\":\"" + delivery.string("id") + "\"";
        for (String payload : List.of(what, what + ",\"subscription_id\":\"" + sub + "\"")) {
            String ack = thief.send("\"type\":\"event.acknowledged\",\"payload\":{" + payload + "}");
            assertThat(thief.refusal(ack)).isEqualTo("conflict");
            String nack = thief.send("\"type\":\"event.rejected\",\"payload\":{" + payload
                    + ",\"error\":{\"code\":\"invalid_payload\",\"message\":\"mine\",\"retryable\":false}}");
            assertThat(thief.refusal(nack)).isEqualTo("conflict");
        }
        assertThat(counts(sub).integer("acknowledged")).isZero();
        assertThat(counts(sub).integer("deadLettered")).isZero();
        assertThat(counts(sub).integer("pending")).isEqualTo(1);
        consumer.ack(delivery);
        assertThat(counts(sub).integer("pending")).isZero();
    }

    @Test
    void del_03_each_refusal_waits_the_backoff_of_its_attempt_and_says_until_when() {
        consumer.subscribe("{\"types\":[\"context.*\"],\"retry\":{\"max_attempts\":6,\"backoff_ms\":100,"
                + "\"backoff_multiplier\":3,\"max_backoff_ms\":1000,\"ack_timeout_ms\":20000}}");
        Wires.publish(hub, publisher, 1, 1);
        long[] waits = {100, 300, 900, 1000, 1000};
        for (int i = 0; i < waits.length; i++) {
            Json.Obj delivery = Wires.take(consumer).get(0);
            assertThat(Wires.attempt(delivery)).isEqualTo(i + 1);
            assertThat(Wires.sequence(delivery)).isEqualTo(1);
            nack(consumer, delivery);
            List<Json> rows = hub.ask("deliveries", null).array("items").items();
            assertThat(rows).hasSize(1);
            Json.Obj row = (Json.Obj) rows.get(0);
            assertThat(row.string("next_retry_at")).isEqualTo(Timestamps.format(hub.now() + waits[i]));
            assertThat(row.string("state")).isEqualTo("retrying");
            assertThat(row.integer("attempt")).isEqualTo(i + 2);
            assertThat(row.object("last_error").string("message")).isEqualTo("busy");
            hub.advance(waits[i] - 1);
            assertThat(consumer.deliveries()).isEmpty();
            hub.advance(1);
        }
        assertThat(Wires.attempt(consumer.deliveries().get(0))).isEqualTo(6);
    }
}
