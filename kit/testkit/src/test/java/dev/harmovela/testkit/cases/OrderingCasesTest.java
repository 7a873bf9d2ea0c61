package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A subscription with {@code ordering: "task"}: a failing event keeps back its own task and nothing else (DEL-07). */
class OrderingCasesTest {

    private static final String ORDERED = "{\"types\":[\"context.*\"],\"ordering\":\"task\",\"max_in_flight\":%d,"
            + "\"retry\":{\"max_attempts\":3,\"backoff_ms\":1000,\"backoff_multiplier\":1}}";

    private final TestHub hub = TestHub.inMemory();
    private final TestWire publisher = hub.session("agent:p");
    private final TestWire consumer = hub.session("agent:c");

    private void publish(String task, int n) {
        publish(publisher, task, n);
    }

    private static void publish(TestWire by, String task, int n) {
        String about = task.isEmpty() ? "" : ",\"task_id\":\"" + task + "\"";
        by.send("\"type\":\"context.updated\"" + about + ",\"payload\":{\"n\":" + n + "}");
        by.clear();
    }

    private static List<Json.Obj> take(TestWire wire) {
        List<Json.Obj> copies = wire.deliveries();
        wire.clear();
        return copies;
    }

    private static String named(Json.Obj copy) {
        return copy.string("task_id") + copy.object("payload").integer("n");
    }

    private static List<String> names(List<Json.Obj> copies) {
        return copies.stream().map(OrderingCasesTest::named).toList();
    }

    private static void nack(TestWire wire, Json.Obj copy, String code) {
        wire.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + copy.string("id")
                + "\",\"error\":{\"code\":\"" + code + "\",\"message\":\"no\"}}");
    }

    @Test
    void del_07_while_one_fails_its_task_waits_and_the_others_go_on() {
        String sub = consumer.subscribe(ORDERED.formatted(100));
        assertThat(hub.ask("subscription", sub).string("ordering")).isEqualTo("task");
        publish("a", 1);
        Json.Obj first = take(consumer).get(0);
        nack(consumer, first, "busy");
        for (int n = 2; n <= 3; n++) {
            publish("a", n);
            publish("b", n);
            publish("", n);
        }
        List<Json.Obj> others = take(consumer);
        assertThat(names(others)).containsExactly("b2", "null2", "null3");
        others.forEach(consumer::ack);
        assertThat(names(take(consumer))).as("one of a task at a time").containsExactly("b3");
        assertThat(hub.ask("subscription", sub).string("stalled")).isEqualTo("ordering");
        hub.advance(1000);
        List<Json.Obj> again = take(consumer);
        assertThat(names(again)).containsExactly("a1");
        consumer.ack(again.get(0));
        List<Json.Obj> second = take(consumer);
        assertThat(names(second)).containsExactly("a2");
        assertThat(second.get(0).object("delivery").integer("sequence")).isEqualTo(2);
        nack(consumer, second.get(0), "invalid_payload");
        assertThat(names(take(consumer)))
                .as("a dead letter lets the next one go")
                .containsExactly("a3");
    }

    @Test
    void del_07_by_default_a_failing_event_keeps_nothing_back() {
        consumer.subscribe("{\"types\":[\"context.*\"],\"ordering\":\"none\"}");
        publish("a", 1);
        nack(consumer, take(consumer).get(0), "busy");
        publish("a", 2);
        publish("a", 3);
        assertThat(names(take(consumer))).containsExactly("a2", "a3");
        assertThat(consumer.subscribe("{\"types\":[\"context.*\"]}"))
                .as("the same subscription as with the word for it")
                .isEqualTo(consumer.subscribe("{\"types\":[\"context.*\"],\"ordering\":\"none\"}"));
    }

    @Test
    void what_waits_for_its_task_is_bounded_by_the_window_and_the_rest_is_a_position() {
        String sub = consumer.subscribe(ORDERED.formatted(10));
        for (int n = 1; n <= 500; n++) {
            publish("a", n);
        }
        publish("b", 1);
        assertThat(names(take(consumer))).containsExactly("a1");
        Json.Obj row = hub.ask("subscription", sub);
        assertThat(row.integer("in_flight")).isEqualTo(1);
        assertThat(row.object("deliveries").integer("pending")).isEqualTo(501);
        assertThat(row.integer("totalSequences")).as("numbered").isLessThanOrEqualTo(40);
    }

    @Test
    void a_reconnect_and_a_late_word_keep_the_order() {
        consumer.subscribe(ORDERED.formatted(100));
        for (int n = 1; n <= 4; n++) {
            publish("a", n);
        }
        Json.Obj first = take(consumer).get(0);
        consumer.cut();
        TestWire again = hub.wire();
        again.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\"" + consumer.sessionId() + "\"}");
        assertThat(names(take(again))).containsExactly("a1");
        again.ack(first);
        List<Json.Obj> second = take(again);
        assertThat(names(second)).containsExactly("a2");
        nack(again, second.get(0), "busy");
        again.ack(second.get(0));
        assertThat(names(take(again))).as("acknowledged after all").containsExactly("a3");
    }

    @Test
    void members_of_a_group_share_the_order_and_another_order_is_another_group() {
        String group = ORDERED.formatted(100).replace("\"ordering\"", "\"consumer_group\":\"g\",\"ordering\"");
        TestWire other = hub.session("agent:d");
        consumer.subscribe(group);
        other.subscribe(group);
        for (int n = 1; n <= 6; n++) {
            publish("a", n);
        }
        List<String> seen = new ArrayList<>();
        for (int turn = 0; turn < 6; turn++) {
            List<Json.Obj> one = take(consumer);
            List<Json.Obj> two = take(other);
            assertThat(one.size() + two.size()).isEqualTo(1);
            seen.addAll(names(one));
            seen.addAll(names(two));
            one.forEach(consumer::ack);
            two.forEach(other::ack);
        }
        assertThat(seen).containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
        String refused = other.send("\"type\":\"subscription.requested\",\"payload\":"
                + group.replace("\"ordering\":\"task\"", "\"ordering\":\"none\""));
        assertThat(other.answerTo(refused).string("type")).isEqualTo("subscription.rejected");
    }

    @Test
    void an_order_nobody_knows_is_refused_by_name() {
        String asked = consumer.send(
                "\"type\":\"subscription.requested\",\"payload\":{\"types\":[\"task.*\"],\"ordering\":\"total\"}");
        Json.Obj error = consumer.answerTo(asked).object("payload").object("error");
        assertThat(error.object("details").string("path")).isEqualTo("payload.ordering");
    }

    /** Refusals, silence, cuts and crashes at random; the last word on each event comes in order of its task. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whatever_happens_the_events_of_a_task_end_in_their_order(long seed) {
        Random random = new Random(seed);
        SimDisk disk = new SimDisk(seed);
        TestHub now = on(disk, TestHub.START);
        TestWire from = now.session("agent:p");
        TestWire to = now.session("agent:c");
        String session = to.sessionId();
        String sub = to.subscribe(ORDERED.formatted(4));
        int published = 0;
        Map<String, Integer> ended = new HashMap<>();
        Set<String> said = new HashSet<>();
        for (int step = 0;
                published < 200 || ended.values().stream().mapToInt(i -> i).sum() < 200;
                step++) {
            assertThat(step).as("it comes to an end").isLessThan(20_000);
            for (int i = 0; published < 200 && i < 5; i++) {
                String task = "t" + published % 5;
                publish(from, task, 1 + published / 5);
                published++;
            }
            for (Json.Obj copy : take(to)) {
                String task = String.valueOf(copy.string("task_id"));
                int n = Math.toIntExact(copy.object("payload").integer("n"));
                if (said.contains(named(copy))) {
                    to.ack(copy);
                    continue;
                }
                assertThat(n)
                        .as("seed %d, step %d, task %s", seed, step, task)
                        .isEqualTo(ended.getOrDefault(task, 0) + 1);
                if (ends(to, copy, random.nextInt(10))) {
                    ended.put(task, n);
                    said.add(named(copy));
                }
            }
            int fate = random.nextInt(20);
            if (fate == 0) {
                to.cut();
                to = now.wire();
                to.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\"" + session + "\"}");
            } else if (fate == 1) {
                disk = disk.crash();
                now = on(disk, now.now());
                from = now.session("agent:p");
                to = now.wire();
                to.raw("{\"type\":\"session.open\",\"source\":\"agent:c\",\"session_id\":\"" + session + "\"}");
            }
            now.advance(random.nextInt(1500));
        }
        for (int i = 0; i < 20; i++) {
            take(to).forEach(to::ack);
            now.advance(1000);
        }
        assertThat(now.ask("subscription", sub).object("deliveries").integer("pending"))
                .isZero();
    }

    /** Says something about a copy, or nothing; whether that was the last word. */
    private static boolean ends(TestWire to, Json.Obj copy, int chance) {
        long attempt = copy.object("delivery").integer("attempt");
        if (chance < 5 || attempt == 3) {
            to.ack(copy);
        } else if (chance == 5) {
            nack(to, copy, "invalid_payload");
        } else if (chance < 8) {
            nack(to, copy, "busy");
        }
        return chance <= 5 || attempt == 3;
    }

    private static TestHub on(SimDisk disk, long now) {
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(1 << 20);
        return TestHub.on(
                dev.harmovela.harness.HubConfig.defaults(List.of("websocket")),
                (keys, listener) -> SegmentJournal.open(disk, options, new InlineThreads(), keys, listener),
                now);
    }
}
