package dev.harmovela.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Much history and large backlogs, read from the log at the reader's own pace (SUB-06). */
@Tag("faults")
class HistoryTest {

    private static final int WINDOW = 100;
    private static final long RING = 64 << 10;

    private final TestHub hub = TestHub.on(
            Wires.config(RING),
            (keys, listener) -> SegmentJournal.open(
                    new SimDisk(1),
                    JournalOptions.DEFAULT.withSegmentBytes(4 << 20),
                    new InlineThreads(),
                    keys,
                    listener),
            TestHub.START);
    private final TestWire publisher = hub.session("agent:p");

    /** Reads 500 a second with a window of 100 while one event in {@code every} reads is published anew. */
    private void readHistory(int events) {
        Wires.publish(hub, publisher, 1, events);
        TestWire reader = hub.session("agent:c");
        String sub = reader.subscribe("{\"types\":[\"context.*\"],\"from_cursor\":\"earliest\",\"max_in_flight\":"
                + WINDOW + ",\"delivery_mode\":\"replayable\"}");
        int published = events;
        long read = 0;
        long seams = 0;
        long seamAt = 0;
        while (read < published) {
            seams += reader.received("event.replayed").size();
            List<Json.Obj> copies = Wires.take(reader);
            assertThat(copies).hasSizeBetween(1, WINDOW);
            for (Json.Obj copy : copies) {
                read++;
                assertThat(Wires.number(copy)).isEqualTo(read);
                assertThat(Wires.sequence(copy)).isEqualTo(read);
                assertThat(Wires.attempt(copy)).isEqualTo(1);
            }
            seamAt = seams == 0 ? read : seamAt;
            if (seams == 0 || published < events + 500) {
                published++;
                Wires.publish(hub, publisher, published, published);
            }
            Wires.ack(hub, reader, copies);
            hub.advance(200);
        }
        seams += reader.received("event.replayed").size();
        assertThat(seams).isEqualTo(1);
        assertThat(seamAt).isGreaterThanOrEqualTo(events - WINDOW);
        assertThat(reader.closed()).isNull();
        Json.Obj row = hub.ask("subscription", sub);
        assertThat(row.object("deliveries").integer("acknowledged")).isEqualTo(published);
        assertThat(row.object("deliveries").integer("pending")).isZero();
    }

    @Test
    void sub_06_history_is_paced_by_the_window_and_meets_the_present_without_gap_or_repeat() {
        readHistory(5_000);
    }

    @Test
    @Tag("long")
    void sub_06_the_same_with_100_000_events() {
        readHistory(100_000);
    }

    /** A consumer is away while events are published; then it comes back and reads them. */
    private void backlog(int events) {
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":1000}");
        consumer.cut();
        Wires.publish(hub, publisher, 1, events);
        Json.Obj away = hub.ask("subscription", sub);
        assertThat(away.integer("in_flight")).isZero();
        assertThat(away.object("deliveries").integer("pending")).isEqualTo(events);
        assertThat(hub.ask("deliveries", null).array("items").items())
                .allSatisfy(row -> assertThat(((Json.Obj) row).string("state")).isEqualTo("waiting"));
        TestWire back = Wires.resume(hub, "agent:c", consumer.sessionId());
        long read = 0;
        while (read < events) {
            List<Json.Obj> copies = Wires.take(back);
            assertThat(copies).hasSizeBetween(1, 1000);
            for (Json.Obj copy : copies) {
                read++;
                assertThat(Wires.number(copy)).isEqualTo(read);
                assertThat(Wires.sequence(copy)).isEqualTo(read);
            }
            Wires.ack(hub, back, copies);
        }
        assertThat(hub.ask("subscription", sub).object("deliveries").integer("pending"))
                .isZero();
    }

    @Test
    void backlog_of_an_absent_consumer_is_a_position_and_arrives_in_order() {
        backlog(10_000);
    }

    @Test
    @Tag("long")
    void backlog_of_100_000_arrives_in_order() {
        backlog(100_000);
    }
}
