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
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tasks that are interrupted, go on, or are undone, seen through the wires of a hub (§9, D44). */
class InterruptionCasesTest {

    private final SimDisk disk = new SimDisk(11);
    private TestHub hub = start(TestHub.START);
    private TestWire a = hub.session("agent:a").as("agent:a");
    private TestWire b = hub.session("agent:b").as("agent:b");

    private TestHub start(long now) {
        HubConfig config = HubConfig.defaults(List.of("websocket"));
        HarmovelaHub.JournalFactory journal = (keys, listener) -> SegmentJournal.open(
                disk, JournalOptions.DEFAULT.withSegmentBytes(1 << 20), new InlineThreads(), keys, listener);
        return TestHub.on(config, journal, now);
    }

    private void restart() {
        long now = hub.now() + 1000;
        hub.close();
        hub = start(now);
        a = hub.session("agent:a").as("agent:a");
        b = hub.session("agent:b").as("agent:b");
    }

    private static String about(String type, String more, String payload) {
        return "\"type\":\"" + type + "\",\"task_id\":\"t1\"" + more + ",\"payload\":{\"task_id\":\"t1\"" + payload
                + "}";
    }

    private static String interrupt(String policy, String more) {
        return about(
                "interruption.requested",
                ",\"interruption_policy\":\"" + policy + "\"",
                ",\"reason\":\"needed\"" + more);
    }

    private static String save(String checkpoint) {
        return about(
                "interruption.saved",
                ",\"checkpoint_id\":\"" + checkpoint + "\",\"checkpoint_at\":\"2026-07-10T10:00:00Z\"",
                ",\"checkpoint\":{\"rows\":40}");
    }

    private static String resume(String checkpoint, String more) {
        return about("interruption.resumed", ",\"checkpoint_id\":\"" + checkpoint + "\"", more);
    }

    private void work(String more) {
        a.send(about("task.submitted", "", more));
        b.send(about("task.started", "", ""));
    }

    private String state() {
        return Objects.requireNonNull(hub.ask("task", "t1").string("state"));
    }

    private static Json.Obj error(TestWire wire, String id) {
        return wire.answerTo(id).object("payload").object("error");
    }

    @Test
    void anInterruptedTaskWaitsAtItsCheckpointAndGoesOnFromIt() {
        work("");
        a.send(interrupt("save_and_stop", ""));
        Json.Obj asked = b.last("interruption.requested");
        assertThat(asked.object("payload").string("requested_by")).isEqualTo("agent:a");
        assertThat(asked.string("interruption_policy")).isEqualTo("save_and_stop");
        b.send(about("interruption.acknowledged", "", ""));
        b.send(save("cp1"));
        assertThat(state()).isEqualTo("BLOCKED");
        restart();
        a.send(resume("cp1", ""));
        assertThat(state()).isEqualTo("STARTED");
        Json.Obj back = b.last("interruption.resumed");
        assertThat(back.object("payload").object("checkpoint").integer("rows")).isEqualTo(40);
        String again = a.send(resume("cp1", ""));
        assertThat(a.answerTo(again).object("payload").bool("duplicate")).isTrue();
        b.send(about("task.completed", "", ""));
        assertThat(state()).isEqualTo("COMPLETED");
        assertThat(hub.ask("interruptions", null).array("items").items()).isEmpty();
    }

    @Test
    void aResumeWithoutItsCheckpointFailsTheTask() {
        work("");
        a.subscribe("{\"types\":[\"task.failed\"]}");
        a.send(interrupt("save_and_stop", ""));
        b.send(save("cp1"));
        a.send(resume("cp2", ""));
        assertThat(state()).isEqualTo("FAILED");
        assertThat(a.last("task.failed").object("payload").object("error").string("code"))
                .isEqualTo("checkpoint_missing");
    }

    @Test
    void whoDoesNotSaveWithinTheGraceIsStopped() {
        work("");
        a.subscribe("{\"types\":[\"task.failed\"]}");
        a.send(interrupt("save_and_stop", ",\"grace_period_ms\":2000"));
        b.send(about("interruption.acknowledged", "", ""));
        hub.advance(1_500);
        assertThat(state()).isEqualTo("STARTED");
        hub.advance(1_000);
        assertThat(state()).isEqualTo("FAILED");
        assertThat(a.last("task.failed").object("payload").string("reason")).isEqualTo("not_saved");
    }

    @Test
    void forceStopTakesNoTime() {
        work("");
        a.send(interrupt("force_stop", ""));
        assertThat(state()).isEqualTo("CANCELLED");
        assertThat(b.deliveries("task.cancel.requested")).hasSize(1);
        assertThat(b.refusal(b.send(about("task.cancelled", "", "")))).isNull();
    }

    @Test
    void rollbackGoesBackToTheCheckpointAgain() {
        work("");
        a.send(interrupt("save_and_stop", ""));
        b.send(save("cp1"));
        a.send(resume("cp1", ""));
        b.clear();
        assertThat(a.refusal(a.send(resume("cp1", ",\"rollback\":true")))).isNull();
        assertThat(b.last("interruption.resumed").object("payload").bool("rollback"))
                .isTrue();
    }

    @Test
    void strangersNeitherInterruptNorAnswer() {
        work("");
        TestWire c = hub.session("agent:c").as("agent:c");
        assertThat(c.refusal(c.send(interrupt("save_and_stop", "")))).isEqualTo("unauthorized");
        a.send(interrupt("save_and_stop", ""));
        assertThat(c.refusal(c.send(save("cp1")))).isEqualTo("unauthorized");
        assertThat(b.refusal(b.send(save("cp1")))).isNull();
        assertThat(error(b, b.send(about("interruption.acknowledged", "", ""))).string("code"))
                .isEqualTo("task_error");
        assertThat(a.refusal(a.send("\"type\":\"interruption.requested\",\"task_id\":\"none\","
                        + "\"payload\":{\"reason\":\"x\"}")))
                .isEqualTo("task_error");
    }

    @Test
    void anInterruptionMustExceedThePriorityOfTheTask() {
        work(",\"priority\":\"high\"");
        Json.Obj weak = error(a, a.send(interrupt("save_and_stop", ",\"priority\":2")));
        assertThat(weak.object("details").string("reason")).isEqualTo("priority_too_low");
        assertThat(error(a, a.send(interrupt("save_and_stop", ",\"priority\":\"soon\"")))
                        .object("details")
                        .string("path"))
                .isEqualTo("payload.priority");
        assertThat(a.refusal(a.send(interrupt("save_and_stop", ",\"priority\":\"critical\""))))
                .isNull();
    }

    // --- compensation

    private void completed(String id, String parent, String compensation) {
        a.send("\"type\":\"task.submitted\",\"task_id\":\"" + id + "\",\"parent_task_id\":\"" + parent
                + "\",\"payload\":{\"task_id\":\"" + id + "\"}");
        b.send("\"type\":\"task.started\",\"task_id\":\"" + id + "\",\"payload\":{\"task_id\":\"" + id + "\"}");
        b.send("\"type\":\"task.completed\",\"task_id\":\"" + id + "\",\"compensation_id\":\"" + compensation
                + "\",\"payload\":{\"task_id\":\"" + id + "\",\"compensation\":{\"undo\":\"" + id + "\"}}");
    }

    @Test
    void whatWasDoneBelowIsUndoneNewestFirstWhenTheTaskAboveFails() {
        TestWire c = hub.session("agent:c").as("agent:c");
        c.subscribe("{\"types\":[\"compensation.*\"]}");
        work("");
        completed("t2", "t1", "c2");
        completed("t3", "t1", "c3");
        b.clear();
        b.send(about("task.failed", "", ",\"error\":{\"code\":\"tool_error\",\"message\":\"broken\"}"));
        assertThat(b.deliveries("task.submitted"))
                .extracting(d -> d.string("task_id"))
                .containsExactly("undo_c3", "undo_c2");
        assertThat(b.last("task.submitted").object("payload").object("action").string("undo"))
                .isEqualTo("t2");
        restart();
        c = hub.session("agent:c").as("agent:c");
        c.subscribe("{\"types\":[\"compensation.*\"]}");
        b.send("\"type\":\"task.started\",\"task_id\":\"undo_c3\",\"payload\":{\"task_id\":\"undo_c3\"}");
        b.send("\"type\":\"task.completed\",\"task_id\":\"undo_c3\",\"payload\":{\"task_id\":\"undo_c3\"}");
        assertThat(c.last("compensation.completed").string("compensation_id")).isEqualTo("c3");
        b.send("\"type\":\"task.failed\",\"task_id\":\"undo_c2\",\"payload\":{\"task_id\":\"undo_c2\","
                + "\"reason\":\"gone\"}");
        assertThat(c.last("compensation.failed").object("payload").string("task_id"))
                .isEqualTo("t2");
        assertThat(hub.ask("compensations", null).array("items").items())
                .extracting(item -> ((Json.Obj) item).string("state"))
                .containsExactlyInAnyOrder("FAILED", "COMPLETED");
    }

    @Test
    void workIsUndoneOnceAtMostAndOnlyByThoseWhoMay() {
        work("");
        completed("t2", "t1", "c2");
        String undo = "\"type\":\"compensation.requested\",\"compensation_id\":\"c2\",\"task_id\":\"t2\","
                + "\"payload\":{\"reason\":\"withdrawn\"}";
        TestWire c = hub.session("agent:c").as("agent:c");
        assertThat(c.refusal(c.send(undo))).isEqualTo("unauthorized");
        assertThat(a.refusal(a.send(undo))).isNull();
        assertThat(a.refusal(a.send(undo))).isEqualTo("task_error");
        assertThat(hub.ask("task", "undo_c2").string("state")).isEqualTo("SUBMITTED");
        assertThat(a.refusal(a.send(undo.replace("c2", "c9")))).isEqualTo("task_error");
    }

    // --- a session that is closed (D44)

    private TestWire careful(String capabilities) {
        return hub.wire()
                .comeBack("agent:c", "{\"profiles\":[\"harmovela.runtime-semantics.v1\"]" + capabilities + "}")
                .as("agent:c");
    }

    private TestWire closedWithATask(String capabilities) {
        TestWire c = careful(capabilities);
        a.send(about("task.submitted", "", ""));
        c.send(about("task.started", "", ""));
        c.send("\"type\":\"session.closed\",\"session_id\":\"" + c.sessionId() + "\"");
        return c;
    }

    private String taskState() {
        return Objects.requireNonNull(hub.ask("task", "t1").string("state"));
    }

    @Test
    void d44_whoClosesItsSessionMayComeBackAndSaveWithinTheGrace() {
        closedWithATask("");
        assertThat(taskState()).isEqualTo("STARTED");
        hub.advance(10_000);
        TestWire back = careful("");
        assertThat(back.last("interruption.requested").object("payload").string("reason"))
                .isEqualTo("session_closed");
        assertThat(back.refusal(back.send(save("cp1")))).isNull();
        assertThat(taskState()).isEqualTo("BLOCKED");
        back.send("\"type\":\"session.closed\",\"session_id\":\"" + back.sessionId() + "\"");
        hub.advance(600_000);
        assertThat(taskState()).as("what is saved can wait").isEqualTo("BLOCKED");
        TestWire later = careful("");
        assertThat(later.refusal(later.send(resume("cp1", "")))).isNull();
        assertThat(taskState()).isEqualTo("STARTED");
    }

    @Test
    void d44_afterTheGraceItsTasksEndAsWasDeclared() {
        closedWithATask(",\"termination\":{\"grace_period_ms\":5000}");
        hub.advance(4_000);
        assertThat(taskState()).isEqualTo("STARTED");
        hub.advance(2_000);
        assertThat(taskState()).isEqualTo("FAILED");
        assertThat(hub.ask("task", "t1").string("reason")).isEqualTo("session_closed");
    }

    @Test
    void d44_whoComesBackAndWorksOnKeepsItsTasks() {
        closedWithATask("");
        TestWire back = careful("");
        hub.advance(20_000);
        back.send(about("task.progress", "", ""));
        hub.advance(20_000);
        assertThat(back.last("interruption.cancelled").object("payload").string("reason"))
                .isEqualTo("owner_returned");
        assertThat(taskState()).isEqualTo("PROGRESS");
    }

    @Test
    void d44_theGraceIsKeptOverARestart() {
        closedWithATask("");
        restart();
        hub.advance(31_000);
        assertThat(taskState()).isEqualTo("FAILED");
    }
}
