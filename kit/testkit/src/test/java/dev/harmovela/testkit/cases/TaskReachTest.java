package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whom tasks and their ends reach: members of a pool, and who owns the task above (D4, TSK-07). */
class TaskReachTest {

    private final SimDisk disk = new SimDisk(23);
    private TestHub hub = start(TestHub.START);
    private final Map<String, TestWire> wires = new HashMap<>();

    private TestHub start(long now) {
        HarmovelaHub.JournalFactory journal = (keys, listener) -> SegmentJournal.open(
                disk, JournalOptions.DEFAULT.withSegmentBytes(1 << 20), new InlineThreads(), keys, listener);
        return TestHub.on(HubConfig.defaults(List.of("websocket")), journal, now);
    }

    private TestWire wire(String name) {
        return wires.computeIfAbsent(
                name, _ -> hub.wire().comeBack("agent:" + name, "{}").as("agent:" + name));
    }

    private TestWire member(String name) {
        return wires.computeIfAbsent(
                name,
                _ -> hub.wire()
                        .comeBack("agent:" + name, "{\"pools\":[\"pool:p\"]}")
                        .as("agent:" + name));
    }

    private static String task(String action, String id, String more) {
        return "\"type\":\"task." + action + "\",\"task_id\":\"" + id + "\"" + more + ",\"payload\":{\"task_id\":\""
                + id + "\",\"result\":{\"v\":1}}";
    }

    @Test
    void tsk_07_aChildsEndWaitsForWhoOwnsTheTaskAbove() {
        wire("a").send(task("submitted", "p1", ""));
        wire("b").send(task("started", "p1", ""));
        wire("b").send(task("submitted", "c1", ",\"parent_task_id\":\"p1\""));
        wire("c").send(task("started", "c1", ",\"parent_task_id\":\"p1\""));
        wire("b").cut();
        assertThat(wire("c").refusal(wire("c").send(task("completed", "c1", ""))))
                .isNull();
        wires.clear();
        long now = hub.now() + 1000;
        hub.close();
        hub = start(now);
        Json.Obj told = wire("b").last("task.completed");
        assertThat(told.string("task_id")).isEqualTo("c1");
        assertThat(told.object("payload").object("result").integer("v")).isEqualTo(1);
        assertThat(told.string("source")).isEqualTo("agent:c");
        assertThat(wire("b").refusal(wire("b").send(task("completed", "p1", ""))))
                .isNull();
    }

    @Test
    void whatNobodyOfAPoolHasTakenYetReachesOneMemberAndTheNextWhenThatOneGoes() {
        member("v");
        member("w");
        wire("a").send(task("submitted", "t1", ",\"target\":\"pool:p\""));
        List<TestWire> got = wires.values().stream()
                .filter(wire -> !wire.deliveries("task.submitted").isEmpty())
                .toList();
        assertThat(got).hasSize(1);
        TestWire first = got.getFirst();
        TestWire second = first == wire("v") ? wire("w") : wire("v");
        first.cut();
        hub.advance(100);
        assertThat(second.deliveries("task.submitted")).hasSize(1);
        assertThat(second.refusal(second.send(task("accepted", "t1", "")))).isNull();
        hub.advance(60_000);
        assertThat(second.deliveries("task.submitted"))
                .as("taking it settles the delivery")
                .hasSize(1);
    }

    @Test
    void aPoolWhoseMembersAreAwayGetsItWhenOneIsBack() {
        member("v").cut();
        wires.clear();
        wire("a").send(task("submitted", "t1", ",\"target\":\"pool:p\""));
        assertThat(member("w").deliveries("task.submitted")).hasSize(1);
    }
}
