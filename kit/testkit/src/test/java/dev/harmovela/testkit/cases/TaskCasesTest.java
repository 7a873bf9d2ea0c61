package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tasks that are cancelled, raced, reused, abandoned or long, seen through the wires of a hub (§5). */
class TaskCasesTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire a = hub.session("agent:a");
    private final TestWire b = hub.session("agent:b");

    private static String task(String action, String source, String id, String payload) {
        return "\"type\":\"task." + action + "\",\"source\":\"" + source + "\",\"task_id\":\"" + id
                + "\",\"payload\":{\"task_id\":\"" + id + "\"" + payload + "}";
    }

    private String refusal(TestWire wire, String event) {
        return String.valueOf(wire.refusal(event));
    }

    private String state(String id) {
        return Objects.requireNonNull(hub.ask("task", id).string("state"));
    }

    private void startBy(TestWire worker, String source, String id) {
        a.send(task("submitted", "agent:a", id, ""));
        worker.send(task("started", source, id, ""));
    }

    @Test
    void tsk_01_cancelled_while_queued_is_never_dispatched_or_started() {
        b.cut();
        a.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"target\":\"agent:b\","
                + "\"payload\":{\"task_id\":\"t1\"}");
        a.send(task("cancel.requested", "agent:a", "t1", ""));
        assertThat(state("t1")).isEqualTo("CANCELLED");
        TestWire later = hub.session("agent:b");
        assertThat(later.deliveries("task.submitted")).isEmpty();
        String started = later.send(task("started", "agent:b", "t1", ""));
        assertThat(refusal(later, started)).isEqualTo("task_error");
        assertThat(state("t1")).isEqualTo("CANCELLED");
    }

    @Test
    void tsk_02_of_two_ends_at_once_the_first_wins_and_one_is_seen() {
        a.subscribe("{\"types\":[\"task.*\"],\"max_in_flight\":100000}");
        for (int i = 0; i < 1000; i++) {
            String id = "t" + i;
            startBy(b, "agent:b", id);
            String[] ends =
                    i % 2 == 0 ? new String[] {"completed", "cancelled"} : new String[] {"cancelled", "completed"};
            String first = b.send(task(ends[0], "agent:b", id, ""));
            String second = b.send(task(ends[1], "agent:b", id, ""));
            assertThat(b.refusal(first)).isNull();
            assertThat(refusal(b, second)).isEqualTo("task_error");
            b.clear();
        }
        long ends = a.deliveries().stream()
                .filter(d -> List.of("task.completed", "task.cancelled").contains(d.string("type")))
                .count();
        assertThat(ends).isEqualTo(1000);
    }

    @Test
    void tsk_03_an_ended_task_takes_nothing_more_and_keeps_its_id() {
        startBy(b, "agent:b", "t1");
        b.send(task("completed", "agent:b", "t1", ",\"result\":{}"));
        String progress = b.send(task("progress", "agent:b", "t1", ""));
        String again = a.send(task("submitted", "agent:a", "t1", ""));
        for (Json.Obj answer : List.of(b.answerTo(progress), a.answerTo(again))) {
            Json.Obj error = answer.object("payload").object("error");
            assertThat(error.string("code")).isEqualTo("task_error");
            assertThat(error.object("details").string("state")).isEqualTo("COMPLETED");
        }
    }

    @Test
    void tsk_05_a_worker_that_ignores_a_cancellation_is_overruled_after_the_grace() {
        a.subscribe("{\"types\":[\"task.cancelled\"]}");
        a.send(task("submitted", "agent:a", "t1", ",\"cancel_grace_ms\":1000"));
        b.send(task("started", "agent:b", "t1", ""));
        a.send(task("cancel.requested", "agent:a", "t1", ""));
        assertThat(b.deliveries("task.cancel.requested"))
                .as("the owner is asked")
                .hasSize(1);
        hub.advance(999);
        assertThat(a.deliveries("task.cancelled")).isEmpty();
        hub.advance(1);
        Json.Obj end = a.deliveries("task.cancelled").get(0);
        assertThat(end.string("source")).isEqualTo("harness:harmovela");
        assertThat(end.object("payload").string("reason")).isEqualTo("forced");
        String late = b.send(task("completed", "agent:b", "t1", ",\"result\":{}"));
        assertThat(refusal(b, late)).isEqualTo("task_error");
    }

    @Test
    void tsk_06_a_lost_worker_ends_its_task_once_whatever_it_was_called() {
        a.subscribe("{\"types\":[\"task.failed\",\"task.timed_out\"]}");
        a.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"target\":\"agent:b\","
                + "\"payload\":{\"task_id\":\"t1\",\"lease_ms\":3000}");
        b.send(task("started", "agent:b", "t1", ""));
        hub.advance(10_000);
        assertThat(state("t1")).as("an attached owner never loses its task").isEqualTo("STARTED");
        b.cut();
        hub.advance(3_001);
        List<Json.Obj> ends = a.deliveries();
        assertThat(ends).hasSize(1);
        assertThat(ends.get(0)
                        .object("payload")
                        .object("error")
                        .object("details")
                        .string("reason"))
                .isEqualTo("worker_lost");
        a.ack(ends.get(0));
        hub.advance(60_000);
        assertThat(a.deliveries("task.failed")).hasSize(1);
    }

    @Test
    void tsk_06_a_graceful_leave_frees_the_task_at_once() {
        startBy(b, "agent:b", "t1");
        b.raw("{\"type\":\"session.closed\",\"session_id\":\"" + b.sessionId() + "\"}");
        assertThat(state("t1")).isEqualTo("FAILED");
    }

    @Test
    void tsk_07_a_parent_waits_for_its_children_and_hears_of_them_after_a_reconnect() {
        startBy(a, "agent:a", "p1");
        a.subscribe("{\"types\":[\"task.completed\"]}");
        b.send("\"type\":\"task.submitted\",\"task_id\":\"c1\",\"parent_task_id\":\"p1\","
                + "\"payload\":{\"task_id\":\"c1\"}");
        b.send(task("started", "agent:b", "c1", ""));
        String tooEarly = a.send(task("completed", "agent:a", "p1", ",\"result\":{}"));
        Json.Obj error = a.answerTo(tooEarly).object("payload").object("error");
        assertThat(error.string("code")).isEqualTo("task_error");
        assertThat(error.object("details").toString()).contains("c1");
        String session = a.sessionId();
        a.cut();
        b.send(task("completed", "agent:b", "c1", ",\"result\":{\"v\":1}"));
        TestWire again = hub.wire();
        again.raw("{\"type\":\"session.open\",\"source\":\"agent:a\",\"session_id\":\"" + session + "\"}");
        assertThat(again.deliveries("task.completed").get(0).object("payload").object("result"))
                .hasToString("{\"v\":1}");
    }

    @Test
    void tsk_10_no_hidden_timer_ends_a_long_task() {
        a.subscribe("{\"types\":[\"task.*\"]}");
        for (int seconds : new int[] {35, 65, 305}) {
            String id = "t" + seconds;
            a.send(task("submitted", "agent:a", id, ",\"timeout_ms\":600000"));
            b.send(task("started", "agent:b", id, ""));
            hub.advance(seconds * 1000L);
            String end = b.send(task("completed", "agent:b", id, ",\"result\":{\"ok\":true}"));
            assertThat(b.refusal(end)).isNull();
        }
        a.send(task("submitted", "agent:a", "late", ",\"timeout_ms\":600000"));
        b.send(task("started", "agent:b", "late", ""));
        hub.advance(700_000);
        assertThat(a.deliveries("task.timed_out").stream()
                        .map(d -> d.string("id"))
                        .distinct())
                .hasSize(1);
        assertThat(state("late")).isEqualTo("TIMED_OUT");
    }

    @Test
    void dlg_06_cancelling_the_root_stops_everything_below_deepest_first() {
        a.subscribe("{\"types\":[\"task.cancelled\"]}");
        startBy(a, "agent:a", "t1");
        a.send("\"type\":\"task.submitted\",\"task_id\":\"t2\",\"parent_task_id\":\"t1\","
                + "\"payload\":{\"task_id\":\"t2\"}");
        b.send(task("started", "agent:b", "t2", ""));
        b.send("\"type\":\"task.submitted\",\"source\":\"agent:b\",\"task_id\":\"t3\",\"parent_task_id\":\"t2\","
                + "\"payload\":{\"task_id\":\"t3\"}");
        String cancel = a.send(task("cancel.requested", "agent:a", "t1", ""));
        assertThat(state("t3")).as("nobody owns it").isEqualTo("CANCELLED");
        assertThat(b.deliveries("task.cancel.requested")).hasSize(1);
        b.send(task("cancelled", "agent:b", "t2", ""));
        a.send(task("cancelled", "agent:a", "t1", ""));
        assertThat(a.deliveries("task.cancelled").stream().map(d -> d.string("task_id")))
                .containsExactly("t3", "t2", "t1");
        assertThat(a.deliveries("task.cancelled").get(0).string("causation_id")).isEqualTo(cancel);
    }
}
