package dev.harmovela.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A wall clock that is set while the hub works (core time never falls, promises are kept once). */
@Tag("faults")
class ClockFaultsTest {

    private static final long HOUR = 3_600_000;
    private static final String FILTER = "{\"types\":[\"context.*\"],\"retry\":{\"max_attempts\":9,"
            + "\"backoff_ms\":1000,\"ack_timeout_ms\":600000}}";

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");
    private final TestWire consumer = hub.session("agent:c");

    @Test
    void clock_forward_an_hour_fires_each_deadline_once() {
        consumer.subscribe("{\"types\":[\"task.*\"],\"max_in_flight\":100}");
        publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\","
                + "\"timeout_ms\":60000}");
        hub.jump(HOUR);
        hub.advance(0);
        hub.advance(10_000);
        assertThat(hub.ask("task", "t1").string("state")).isEqualTo("TIMED_OUT");
        TestWire reader = hub.session("agent:r");
        reader.subscribe("{\"types\":[\"task.timed_out\"],\"from_cursor\":\"earliest\"}");
        assertThat(reader.deliveries("task.timed_out")).hasSize(1);
    }

    private Json.Obj refuse(TestHub at, TestWire wire) {
        Json.Obj delivery = Wires.take(wire).get(0);
        wire.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + delivery.string("id")
                + "\",\"error\":{\"code\":\"busy\",\"message\":\"later\"}}");
        return (Json.Obj) at.ask("deliveries", null).array("items").items().get(0);
    }

    @Test
    void clock_back_an_hour_takes_no_time_back_and_fires_nothing_twice() {
        consumer.subscribe(FILTER);
        publisher.send("\"type\":\"context.updated\",\"payload\":{\"n\":1}");
        long before = hub.now();
        hub.jump(-HOUR);
        assertThat(refuse(hub, consumer).string("next_retry_at")).isEqualTo(Timestamps.format(before + 1000));
        hub.jump(HOUR);
        hub.advance(1000);
        assertThat(consumer.deliveries()).hasSize(1);
        assertThat(Wires.attempt(consumer.deliveries().get(0))).isEqualTo(2);
        hub.jump(-HOUR);
        hub.advance(0);
        hub.jump(HOUR);
        hub.advance(0);
        assertThat(consumer.deliveries()).hasSize(1);
    }

    @Test
    void clock_that_was_set_back_while_the_hub_was_down_does_not_stop_its_retries() {
        SimDisk disk = new SimDisk(9);
        TestHub first = start(disk, TestHub.START);
        TestWire reader = first.session("agent:c");
        reader.subscribe(FILTER);
        first.session("agent:p").send("\"type\":\"context.updated\",\"payload\":{\"n\":1}");
        first.close();

        TestHub next = start(disk, TestHub.START - HOUR);
        TestWire again = Wires.resume(next, "agent:c", reader.sessionId());
        assertThat(refuse(next, again).string("next_retry_at"))
                .isGreaterThanOrEqualTo(Timestamps.format(TestHub.START + 1000));
        next.advance(999);
        assertThat(again.deliveries()).isEmpty();
        next.advance(1);
        assertThat(again.deliveries()).hasSize(1);
    }

    private static TestHub start(SimDisk disk, long now) {
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(1 << 20);
        return TestHub.on(
                Wires.config(1 << 20),
                (keys, listener) -> SegmentJournal.open(disk, options, new InlineThreads(), keys, listener),
                now);
    }

    @Test
    void clock_to_and_fro_keeps_ids_and_order_rising() {
        consumer.subscribe("{\"types\":[\"task.*\"]}");
        for (int i = 0; i < 20; i++) {
            hub.jump(i % 2 == 0 ? -HOUR : HOUR);
            publisher.send("\"type\":\"task.submitted\",\"task_id\":\"t" + i + "\"");
        }
        assertThat(consumer.deliveries("task.submitted").stream().map(Wires::sequence))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(consumer.deliveries("task.submitted")).hasSize(20);
        assertThat(consumer.deliveries("task.accepted").stream().map(one -> one.string("created_at")))
                .hasSize(20)
                .isSorted();
    }
}
