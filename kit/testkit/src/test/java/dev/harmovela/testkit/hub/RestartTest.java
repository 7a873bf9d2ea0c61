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
import org.junit.jupiter.api.Test;

/** What outlives the process: sessions, positions, tasks, duplicates (D8, SES-05, DEL-10). */
class RestartTest {

    private final SimDisk disk = new SimDisk(7);
    private long now = TestHub.START;

    private TestHub start() {
        HubConfig config = HubConfig.defaults(List.of("websocket"));
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(1 << 20);
        HarmovelaHub.JournalFactory journal =
                (keys, listener) -> SegmentJournal.open(disk, options, new InlineThreads(), keys, listener);
        return TestHub.on(config, journal, now);
    }

    private TestHub restart(TestHub before) {
        now = before.now() + 1000;
        before.close();
        return start();
    }

    private static TestWire resume(TestHub hub, String identity, String session) {
        TestWire wire = hub.wire();
        wire.raw("{\"type\":\"session.open\",\"source\":\"" + identity + "\",\"session_id\":\"" + session + "\"}");
        return wire;
    }

    @Test
    void a_session_resumes_after_a_restart_and_misses_nothing() {
        TestHub hub = start();
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        TestWire publisher = hub.session("agent:p");
        for (int i = 0; i < 5; i++) {
            publisher.send("\"type\":\"context.updated\",\"payload\":{\"n\":" + i + "}");
        }
        consumer.ack(consumer.deliveries().get(0)).ack(consumer.deliveries().get(1));
        hub.advance(20);

        TestHub next = restart(hub);
        TestWire again = resume(next, "agent:c", consumer.sessionId());
        assertThat(again.deliveries().stream()
                        .map(d -> d.object("delivery").integer("sequence"))
                        .toList())
                .containsExactly(3L, 4L, 5L);
        next.session("agent:p2").send("\"type\":\"context.updated\",\"payload\":{\"n\":9}");
        assertThat(again.deliveries().get(3).object("delivery").integer("sequence"))
                .isEqualTo(6);
    }

    @Test
    void a_task_and_its_published_id_are_still_known() {
        TestHub hub = start();
        TestWire planner = hub.session("agent:a");
        String submit = "\"id\":\"evt_same\",\"type\":\"task.submitted\",\"task_id\":\"t1\"";
        planner.send(submit);
        TestHub next = restart(hub);
        TestWire again = next.session("agent:a");
        again.send(submit);
        Json.Obj answer = again.answerTo("evt_same");
        assertThat(answer.object("payload").bool("duplicate")).isTrue();
        assertThat(next.ask("task", "t1").string("state")).isEqualTo("ACCEPTED");
        again.clear();
        again.send("\"id\":\"evt_same\",\"type\":\"task.submitted\",\"task_id\":\"t2\"");
        assertThat(again.refusal("evt_same")).isEqualTo("conflict");
    }

    @Test
    void a_nameless_task_submitted_twice_is_one_task_also_after_a_restart() {
        TestHub hub = start();
        TestWire planner = hub.session("agent:a");
        String submit = "\"id\":\"evt_n\",\"type\":\"task.submitted\",\"payload\":{\"description\":\"x\"}";
        planner.send(submit);
        String task = planner.answerTo("evt_n").object("payload").string("task_id");
        assertThat(task).startsWith("task_");
        TestHub next = restart(hub);
        TestWire again = next.session("agent:a");
        again.send(submit);
        Json.Obj answer = again.answerTo("evt_n").object("payload");
        assertThat(answer.bool("duplicate")).isTrue();
        assertThat(answer.string("task_id")).isEqualTo(task);
    }

    @Test
    void an_unknown_session_is_told_to_open_and_an_ended_one_that_it_is_over() {
        TestHub hub = start();
        TestWire wire = hub.session("agent:a");
        wire.raw("{\"type\":\"session.closed\",\"session_id\":\"" + wire.sessionId() + "\"}");
        TestHub next = restart(hub);
        TestWire closed = resume(next, "agent:a", wire.sessionId());
        assertThat(closed.last("session.error").object("error").string("code")).isEqualTo("session_closed");
        TestWire unknown = resume(next, "agent:a", "sess_never");
        assertThat(unknown.last("session.error").object("error").string("code")).isEqualTo("session_error");
    }
}
