package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The audit has a record for each transition that clients saw, and for nothing else (§7). */
class AuditCountsTest {

    private static final int MOVES = 200;

    private final TestHub hub = TestHub.inMemory();
    private final Map<String, Integer> expected = new TreeMap<>();
    private final List<TestWire> agents = new ArrayList<>();
    private final List<List<Json.Obj>> open = new ArrayList<>();
    private final List<String> tasks = new ArrayList<>();
    private final Set<String> claimed = new HashSet<>();
    private final Set<String> subscriptions = new HashSet<>();
    private SplittableRandom random = new SplittableRandom();
    private int number;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("harmovela.seeds", 25));
    }

    private void saw(String what) {
        expected.merge(what, 1, Integer::sum);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void obs06_there_are_as_many_records_as_transitions(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 0; i < MOVES; i++) {
            move();
        }
        hub.advance(2_000);
        Map<String, Integer> told = told();
        assertThat(told).as("seed " + seed).isEqualTo(expected);
    }

    private void move() {
        if (agents.isEmpty()) {
            join();
            return;
        }
        int agent = random.nextInt(agents.size());
        switch (random.nextInt(10)) {
            case 0 -> join();
            case 1 -> subscribe(agents.get(agent));
            case 2, 3 -> publish(agents.get(agent));
            case 4, 5 -> submit(agents.get(agent));
            case 6 -> report(agents.get(agent));
            default -> settle(agent);
        }
        collect();
    }

    private void join() {
        if (agents.size() < 6) {
            agents.add(hub.session("agent:n" + agents.size()));
            open.add(new ArrayList<>());
            saw("session.opened allowed");
            saw("session.ready allowed");
            // the inbox of a new identity
            saw("subscription.created allowed");
        }
    }

    private void subscribe(TestWire wire) {
        String types = List.of("context.*", "task.submitted", "memory.updated").get(random.nextInt(3));
        String id = wire.subscribe("{\"types\":[\"" + types + "\"],\"topic\":\"n" + number++ % 3 + "\"}");
        if (subscriptions.add(id)) {
            saw("subscription.created allowed");
        }
    }

    /** Notes what the direct answer to an event says about it. */
    private boolean answered(TestWire wire, String id, String type) {
        Json.Obj answer = wire.answerTo(id);
        boolean taken = "event.acknowledged".equals(answer.string("type"));
        saw(type + (taken ? " allowed" : " denied"));
        return taken;
    }

    private void publish(TestWire wire) {
        String type = random.nextBoolean() ? "context.updated" : "memory.updated";
        String topic = random.nextInt(8) == 0 ? "" : "n" + random.nextInt(3);
        String id = wire.send("\"type\":\"" + type + "\",\"topic\":\"" + topic + "\"");
        if (topic.isEmpty()) {
            saw(type + " denied");
        } else {
            answered(wire, id, type);
        }
    }

    private void submit(TestWire wire) {
        String task = "t" + number++;
        String id = wire.send("\"type\":\"task.submitted\",\"task_id\":\"" + task + "\",\"topic\":\"n"
                + random.nextInt(3) + "\",\"payload\":{}");
        if (answered(wire, id, "task.submitted")) {
            tasks.add(task);
            saw("task.accepted allowed");
        }
    }

    private void report(TestWire wire) {
        if (!tasks.isEmpty()) {
            String task = tasks.get(random.nextInt(tasks.size()));
            String type =
                    List.of("task.progress", "task.completed", "task.started").get(random.nextInt(3));
            String id = wire.send("\"type\":\"" + type + "\",\"task_id\":\"" + task + "\",\"payload\":{}");
            if (answered(wire, id, type) && type.equals("task.started") && claimed.add(task)) {
                saw("task.claimed allowed");
            }
        }
    }

    private void collect() {
        for (int i = 0; i < agents.size(); i++) {
            List<Json.Obj> seen = agents.get(i).deliveries().stream()
                    .filter(one -> one.object("delivery") != null)
                    .toList();
            open.get(i).addAll(seen);
            agents.get(i).clear();
        }
    }

    private void settle(int agent) {
        List<Json.Obj> waiting = open.get(agent);
        if (waiting.isEmpty()) {
            return;
        }
        Json.Obj delivery = waiting.remove(random.nextInt(waiting.size()));
        agents.get(agent).ack(delivery);
        saw("event.acknowledged allowed");
    }

    private Map<String, Integer> told() {
        Map<String, Integer> told = new TreeMap<>();
        String cursor = null;
        do {
            Answer[] got = new Answer[1];
            hub.hub().ask(Caller.open(), new Ask("audit", null, Json.Obj.of(), 37, cursor), answer -> got[0] = answer);
            hub.drain();
            Json.Obj page = ((Answer.Found) Objects.requireNonNull(got[0])).body();
            for (Json item : Objects.requireNonNull(page.array("items")).items()) {
                Json.Obj row = (Json.Obj) item;
                Long count = row.integer("count");
                told.merge(
                        row.string("type") + " " + row.string("decision"),
                        count == null ? 1 : count.intValue(),
                        Integer::sum);
            }
            cursor = page.string("next_cursor");
        } while (cursor != null);
        told.remove("hub.started allowed");
        return told;
    }
}
