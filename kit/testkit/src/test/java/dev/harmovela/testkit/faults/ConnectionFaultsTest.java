package dev.harmovela.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that drop, one by one or all at once (DEL-15, TRN-06, TRN-03). */
@Tag("faults")
class ConnectionFaultsTest {

    private final TestHub hub = TestHub.inMemory();

    private static String task(String action, String id, String payload) {
        return "\"type\":\"task." + action + "\",\"source\":\"agent:b\",\"task_id\":\"" + id
                + "\",\"payload\":{\"task_id\":\"" + id + "\"" + payload + "}";
    }

    @Test
    void del_15_one_task_over_four_connections_keeps_its_order_for_a_reader_that_drops() {
        List<TestWire> producers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            producers.add(hub.session("agent:b"));
        }
        TestWire steady = hub.session("agent:steady");
        steady.subscribe("{\"types\":[\"task.output\"],\"max_in_flight\":20}");
        TestWire first = hub.session("agent:drops");
        first.subscribe("{\"types\":[\"task.output\"],\"max_in_flight\":20}");
        hub.session("agent:a").send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        producers.get(0).send(task("started", "t1", ""));
        TestWire dropping = first;
        List<Json.Obj> toSteady = new ArrayList<>();
        List<Json.Obj> toDropping = new ArrayList<>();
        for (int n = 1; n <= 500; n++) {
            producers.get(n % 4).send(task("output", "t1", ",\"n\":" + n));
            collect(steady, toSteady);
            if (n % 50 == 0) {
                toDropping.addAll(Wires.take(dropping));
                dropping.cut();
                dropping = Wires.resume(hub, "agent:drops", first.sessionId());
                collect(dropping, toDropping);
            } else if (n % 10 == 5) {
                collect(dropping, toDropping);
            }
        }
        collect(dropping, toDropping);
        collect(dropping, toDropping);
        assertThat(toSteady.stream().map(Wires::sequence)).hasSize(500).isSorted();
        assertRising(toSteady);
        assertRising(toDropping);
        assertThat(toDropping).hasSizeGreaterThan(500);
        producers.forEach(wire -> assertThat(wire.closed()).isNull());
    }

    private void collect(TestWire wire, List<Json.Obj> into) {
        List<Json.Obj> copies = Wires.take(wire);
        into.addAll(copies);
        copies.forEach(wire::ack);
    }

    /** First copies rise by one in the order published; a later copy of an event has the first one's number. */
    private static void assertRising(List<Json.Obj> copies) {
        Map<Long, Long> sequenceOf = new TreeMap<>();
        for (Json.Obj copy : copies) {
            long n = Wires.number(copy);
            Long earlier = sequenceOf.putIfAbsent(n, Wires.sequence(copy));
            if (earlier == null) {
                assertThat(n).isEqualTo(sequenceOf.size());
                assertThat(Wires.sequence(copy)).isEqualTo(n);
            } else {
                assertThat(Wires.sequence(copy)).isEqualTo(earlier);
            }
        }
        assertThat(sequenceOf).hasSize(500);
    }

    @Test
    void trn_06_two_thousand_clients_that_come_back_at_once_get_what_they_missed_and_nothing_twice() {
        int clients = 2000;
        TestWire publisher = hub.session("agent:p");
        List<TestWire> wires = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            TestWire wire = hub.session("agent:c" + i);
            wire.subscribe("{\"types\":[\"context.*\"]}");
            wires.add(wire);
        }
        Wires.publish(hub, publisher, 1, 2);
        wires.forEach(wire -> wire.ack(wire.deliveries().get(0)));
        wires.forEach(TestWire::cut);
        Wires.publish(hub, publisher, 3, 4);
        List<TestWire> back = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            back.add(Wires.resume(hub, "agent:c" + i, wires.get(i).sessionId()));
        }
        for (TestWire wire : back) {
            assertThat(wire.last("session.opened").object("payload").bool("resumed"))
                    .isTrue();
            assertThat(wire.deliveries().stream().map(Wires::sequence)).containsExactly(2L, 3L, 4L);
        }
        back.forEach(wire -> wire.deliveries().forEach(wire::ack));
        Json.Obj counts = hub.ask("stats", null).object("deliveries");
        assertThat(counts.integer("acknowledged")).isEqualTo(4L * clients);
        assertThat(counts.integer("pending")).isZero();
    }

    @Test
    void trn_03_a_reader_whose_socket_is_full_is_owed_a_position_and_the_others_get_all() {
        TestWire publisher = hub.session("agent:p");
        TestWire stuck = hub.session("agent:stuck");
        String owed = stuck.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":100000}");
        stuck.writable(false);
        List<TestWire> others = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            TestWire other = hub.session("agent:o" + i);
            other.subscribe("{\"types\":[\"context.*\"],\"max_in_flight\":1000}");
            others.add(other);
        }
        for (int round = 0; round < 5; round++) {
            Wires.publish(hub, publisher, round * 500 + 1, round * 500 + 500);
            for (TestWire other : others) {
                List<Json.Obj> copies = Wires.take(other);
                assertThat(copies).hasSize(500);
                Wires.ack(hub, other, copies);
            }
        }
        assertThat(stuck.received()).isEmpty();
        assertThat(hub.ask("subscription", owed).integer("in_flight")).isZero();
        stuck.writable(true);
        assertThat(stuck.deliveries().stream().map(Wires::number)).hasSize(2500).isSorted();
    }
}
