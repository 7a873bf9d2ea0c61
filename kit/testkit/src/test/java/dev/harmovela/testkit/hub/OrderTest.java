package dev.harmovela.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One subscription's events keep their order, however long the log takes to bring them (§6, DEL-01). */
class OrderTest {

    private SimDisk disk = new SimDisk(7);
    private TestHub hub = start();
    private final TestWire publisher = hub.session("agent:p");
    private TestWire consumer = hub.session("agent:c");

    private TestHub start() {
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(1 << 20);
        HarmovelaHub.JournalFactory journal =
                (keys, listener) -> SegmentJournal.open(disk, options, new InlineThreads(), keys, listener);
        return TestHub.on(HubConfig.defaults(List.of("websocket")), journal, TestHub.START);
    }

    private void publish(int count) {
        for (int i = 1; i <= count; i++) {
            publisher.send("\"id\":\"p" + i + "\",\"type\":\"context.updated\",\"source\":\"agent:p\"");
        }
    }

    private void acknowledge(String... ids) {
        for (String id : ids) {
            consumer.send("\"type\":\"event.acknowledged\",\"source\":\"agent:c\",\"payload\":"
                    + "{\"acknowledged_event_id\":\"" + id + "\"}");
        }
    }

    private List<String> got() {
        return consumer.deliveries().stream()
                .map(one -> Objects.requireNonNull(one.string("id")))
                .toList();
    }

    /** The process dies; nothing that was settled in the last ten milliseconds is kept. */
    private void dieAndResume() {
        String session = consumer.sessionId();
        disk = disk.kill();
        hub = start();
        consumer = hub.wire();
        consumer.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\"" + session + "\"}");
    }

    @Test
    void a_newer_event_queues_behind_one_that_is_still_fetched_while_late_acknowledgements_are_matched() {
        consumer.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":3}");
        publish(8);
        acknowledge("p1", "p2", "p3", "p4");
        assertThat(got()).containsExactly("p1", "p2", "p3", "p4", "p5", "p6", "p7");

        dieAndResume();
        assertThat(got()).containsExactly("p1", "p2", "p3");
        hub.holdReads(true);
        acknowledge("p5", "p1", "p7");
        assertThat(got()).as("p4 is still on its way").containsExactly("p1", "p2", "p3");
        hub.holdReads(false);
        acknowledge("p2", "p3");
        assertThat(got()).containsExactly("p1", "p2", "p3", "p4", "p6", "p8");
    }

    @Test
    void what_another_connection_held_goes_before_anything_newer_although_it_is_fetched() {
        consumer.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":4}");
        publish(8);
        dieAndResume();
        TestWire leaving = hub.wire();
        leaving.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\""
                + sessionOf(consumer.last("session.opened")) + "\",\"payload\":{\"share\":true}}");
        acknowledge("p1", "p2");
        assertThat(got()).containsExactly("p1", "p2", "p3", "p4", "p5");
        assertThat(leaving.deliveries()).hasSize(1);

        hub.holdReads(true);
        leaving.cut();
        acknowledge("p3", "p4");
        assertThat(got()).as("p6 is still on its way").containsExactly("p1", "p2", "p3", "p4", "p5");
        hub.holdReads(false);
        assertThat(got()).containsExactly("p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8");
    }

    private static Json.Obj block(Json.Obj delivery) {
        return Objects.requireNonNull(delivery.object("delivery"));
    }

    private TestWire resumed(String session) {
        TestWire wire = hub.wire();
        wire.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\"" + session + "\"}");
        return wire;
    }

    @Test
    void sub_08_what_follows_a_loss_keeps_its_number_and_the_loss_is_told_until_something_behind_it_is_settled() {
        consumer.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":3,\"lag\":{\"max_events\":4}}");
        publish(8);
        acknowledge("p2", "p3");
        consumer.clear();
        hub.advance(3_000);
        assertThat(got()).as("p5 stays where it is, p1 and p4 are lost").containsExactly("p6", "p7");
        Json.Obj first = consumer.deliveries().get(0);
        assertThat(block(first).integer("sequence"))
                .as("p6 is the sixth, whatever was lost")
                .isEqualTo(6);
        assertThat(block(first).object("gap")).isNotNull();

        dieAndResume();
        Json.Obj again = consumer.deliveries().get(0);
        assertThat(again.string("id")).as("the newest four are kept").isEqualTo("p5");
        assertThat(block(again).integer("sequence")).isEqualTo(5);
        assertThat(block(again).object("gap"))
                .as("nobody can know that it was heard")
                .isNotNull();
        acknowledge("p5");
        resumeOnce();
        assertThat(got()).containsExactly("p6", "p7", "p8");
        assertThat(block(consumer.deliveries().get(0)).has("gap"))
                .as("p5 went out before the loss: who settles it need not have heard")
                .isTrue();
        acknowledge("p6");
        resumeOnce();
        assertThat(got()).containsExactly("p7", "p8");
        assertThat(block(consumer.deliveries().get(0)).has("gap")).isFalse();
    }

    private void resumeOnce() {
        hub.advance(20);
        String session = sessionOf(consumer.last("session.opened"));
        consumer.cut();
        consumer = resumed(session);
    }

    @Test
    void ord_02_a_loss_leaves_what_a_member_of_a_group_holds_with_that_member() {
        String group = "{\"types\":[\"context.*\"],\"consumer_group\":\"crew\",\"max_in_flight\":4,"
                + "\"lag\":{\"max_events\":3}}";
        TestWire other = hub.session("agent:o");
        consumer.subscribe(group);
        other.subscribe(group);
        publish(5);
        assertThat(consumer.deliveries()).hasSize(2);
        assertThat(other.deliveries()).hasSize(2);
        List<String> before = Stream.concat(consumer.deliveries().stream(), other.deliveries().stream())
                .map(one -> one.string("id"))
                .toList();
        consumer.clear();
        other.clear();

        hub.advance(3_000);

        List<Json.Obj> after = Stream.concat(consumer.deliveries().stream(), other.deliveries().stream())
                .toList();
        assertThat(after)
                .extracting(one -> one.string("id"))
                .containsExactly("p5")
                .doesNotContainAnyElementsOf(before);
        assertThat(block(after.get(0)).object("gap")).as("the loss is told").isNotNull();
    }

    @Test
    void del_04_a_last_word_on_a_delivery_counts_although_its_consumer_leaves_before_the_letter_is_made() {
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        publish(2);
        dieAndResume();
        hub.holdReads(true);
        consumer.send(
                "\"type\":\"event.rejected\",\"source\":\"agent:c\",\"payload\":{\"acknowledged_event_id\":\"p1\","
                        + "\"error\":{\"code\":\"invalid_payload\",\"message\":\"no\"}}");
        String session = sessionOf(consumer.last("session.opened"));
        consumer.cut();
        hub.holdReads(false);
        consumer = resumed(session);
        assertThat(got()).containsExactly("p2");
        assertThat(hub.ask("dead_letters", null).array("items").items()).hasSize(1);
    }

    @Test
    void sub_02_in_a_group_a_late_acknowledgement_of_what_another_member_holds_is_refused() {
        String filter = "{\"types\":[\"context.*\"],\"consumer_group\":\"crew\"}";
        consumer.subscribe(filter);
        TestWire other = hub.session("agent:o");
        other.subscribe(filter);
        publish(2);
        String gone = other.sessionId();
        dieAndResume();
        assertThat(got()).containsExactly("p1", "p2");
        other = hub.wire();
        other.raw("{\"type\":\"session.open\",\"source\":\"agent:o\",\"session_id\":\"" + gone + "\"}");
        String late = other.send("\"type\":\"event.acknowledged\",\"source\":\"agent:o\","
                + "\"payload\":{\"acknowledged_event_id\":\"p2\"}");
        assertThat(other.refusal(late)).isEqualTo("conflict");
    }

    private static String sessionOf(Json.Obj opened) {
        return Objects.requireNonNull(opened.string("session_id"));
    }
}
