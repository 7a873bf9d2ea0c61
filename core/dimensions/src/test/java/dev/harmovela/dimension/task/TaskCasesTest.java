package dev.harmovela.dimension.task;

import static dev.harmovela.dimension.task.Desk.accepted;
import static dev.harmovela.dimension.task.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What users of task systems ran into, one story a case. */
class TaskCasesTest {

    private Desk desk = Desk.network();

    @AfterEach
    void stateIsTheFoldOfItsFacts() {
        desk.assertFoldsTheSame();
    }

    /** TSK-01: what was cancelled in the queue never runs. */
    @Test
    void cancelledBeforeItStartedIsNeverStarted() {
        desk.submit("agent:a", "t1");
        Decision cancel = accepted(desk.send("cancel.requested", "agent:a", "t1"));
        assertThat(cancel.after()).hasSize(1);
        assertThat(desk.state("t1")).isEqualTo(TaskState.CANCELLED);

        ProtocolError late = desk.refused("started", "agent:b", "t1");
        assertThat(late.code()).isEqualTo(ErrorCode.TASK_ERROR);
        assertThat(late.details().string("state")).isEqualTo("CANCELLED");
        assertThat(desk.story("t1")).containsExactly("submitted", "accepted", "cancel.requested", "cancelled");
        assertThat(desk.last("cancelled", "t1").event().causationId())
                .isEqualTo(desk.last("cancel.requested", "t1").event().id());
    }

    /** TSK-01: the same for a task that waits for one target. */
    @Test
    void cancelledBeforeItsTargetSpokeIsNeverStarted() {
        accepted(desk.send("submitted", "agent:a", "t1", draft -> draft.target("agent:b")));
        accepted(desk.send("cancel.requested", "agent:a", "t1"));
        assertThat(desk.state("t1")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.refused("started", "agent:b", "t1").details().bool("terminal"))
                .isTrue();
        assertThat(desk.refused("accepted", "agent:b", "t1").details().string("reason"))
                .isEqualTo("ended");
    }

    /** TSK-02: of two ends that cross, the first wins and the other is told which. */
    @Test
    void firstEndWins() {
        desk.submit("agent:x", "t1");
        desk.start("agent:a", "t1");
        desk.submit("agent:x", "t2");
        desk.start("agent:a", "t2");

        accepted(desk.send("completed", "agent:a", "t1"));
        assertThat(desk.refused("cancelled", "agent:a", "t1").details().string("state"))
                .isEqualTo("COMPLETED");
        accepted(desk.send("cancelled", "agent:a", "t2"));
        assertThat(desk.refused("completed", "agent:a", "t2").details().string("state"))
                .isEqualTo("CANCELLED");
        assertThat(desk.story("t1")).containsExactly("submitted", "accepted", "started", "completed");
        assertThat(desk.story("t2")).containsExactly("submitted", "accepted", "started", "cancelled");
    }

    /** TSK-03: after the end everything is refused as ended, and the id stays taken. */
    @Test
    void nothingFollowsTheEnd() {
        desk.submit("agent:a", "t1");
        desk.start("agent:a", "t1");
        accepted(desk.send("completed", "agent:a", "t1"));
        for (String action : new String[] {"progress", "submitted", "cancel.requested", "escalated", "failed"}) {
            ProtocolError error = desk.refused(action, "agent:a", "t1");
            assertThat(error.code()).isEqualTo(ErrorCode.TASK_ERROR);
            assertThat(error.details().string("reason")).isEqualTo("ended");
            assertThat(error.details().bool("terminal")).isTrue();
            assertThat(error.details().string("from")).isEqualTo("COMPLETED");
            assertThat(error.details().array("allowed").items()).isEmpty();
        }
    }

    /** TSK-03: also when only the tombstone is left; after retention the id is free. */
    @Test
    void idsStayTakenForTheRetention() {
        desk = Desk.network(TaskPolicy.DEFAULTS.withRetention(new TaskPolicy.Retention(1_000, 10_000, 100)));
        desk.submit("agent:a", "t1");
        desk.start("agent:a", "t1");
        accepted(desk.send("completed", "agent:a", "t1"));

        desk.pass(1_000);
        assertThat(desk.describe("t1").string("detail")).isEqualTo("expired");
        assertThat(desk.refused("submitted", "agent:a", "t1").details().string("state"))
                .isEqualTo("COMPLETED");
        desk.pass(9_000);
        assertThat(desk.describe("t1")).isNull();
        assertThat(desk.tasks.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        desk.submit("agent:a", "t1");
    }

    /** TSK-05: a worker that ignores the request is ended by the hub when its grace is over. */
    @Test
    void ignoredCancellationIsForced() {
        desk.submit("agent:a", "t1");
        desk.start("agent:b", "t1");
        desk.attach("agent:b");
        Decision asked = accepted(desk.send("cancel.requested", "agent:a", "t1"));
        assertThat(asked.routeTo()).isEqualTo("agent:b");
        assertThat(desk.tasks.cancelRequested(Desk.TENANT, "t1")).isTrue();
        accepted(desk.send("progress", "agent:b", "t1"));

        desk.pass(29_999);
        assertThat(desk.state("t1")).isEqualTo(TaskState.PROGRESS);
        desk.pass(1);
        assertThat(desk.state("t1")).isEqualTo(TaskState.CANCELLED);
        Event end = desk.last("cancelled", "t1").event();
        assertThat(end.source()).isEqualTo("harness:harmovela");
        assertThat(end.payload().string("reason")).isEqualTo("forced");
        assertThat(end.causationId())
                .isEqualTo(desk.last("cancel.requested", "t1").event().id());

        assertThat(desk.refused("completed", "agent:b", "t1").details().string("state"))
                .isEqualTo("CANCELLED");
        Decision confirmation = desk.send("cancelled", "agent:b", "t1");
        assertThat(confirmation.refusal()).isNull();
        assertThat(confirmation.duplicate()).isTrue();
        assertThat(confirmation.isEmpty()).isTrue();
        assertThat(desk.refused("cancelled", "agent:c", "t1").details().bool("terminal"))
                .isTrue();
    }

    /** TSK-06: the lease of a worker that is gone lapses once, whatever it was called. */
    @Test
    void lostWorkerLosesItsTask() {
        desk = Desk.network(TaskPolicy.DEFAULTS.withLeaseMs(3_000));
        accepted(desk.send("submitted", "agent:a", "t1", draft -> draft.target("agent:b")));
        desk.attach("agent:b");
        desk.start("agent:b", "t1");
        desk.child("agent:b", "c1", "t1");
        desk.pass(60_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);

        desk.detach("agent:b");
        desk.pass(2_999);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
        desk.pass(1);
        assertThat(desk.state("t1")).isEqualTo(TaskState.FAILED);
        Json.Obj error = desk.last("failed", "t1").event().payload().object("error");
        assertThat(error.string("code")).isEqualTo("task_error");
        assertThat(error.object("details").string("reason")).isEqualTo("worker_lost");
        assertThat(desk.state("c1")).as("children are handled").isEqualTo(TaskState.CANCELLED);
        desk.pass(600_000);
        assertThat(desk.story("t1")).containsOnlyOnce("failed");
    }

    /** TSK-06: a worker that comes back in time keeps its task, and one that stays never loses it. */
    @Test
    void workerThatReturnsKeepsItsTask() {
        desk = Desk.network(TaskPolicy.DEFAULTS.withLeaseMs(3_000));
        desk.submit("agent:a", "t1");
        desk.attach("agent:b");
        desk.start("agent:b", "t1");
        for (int i = 0; i < 10; i++) {
            desk.detach("agent:b");
            desk.pass(2_500);
            desk.attach("agent:b");
            desk.pass(5_000);
        }
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
    }

    /** TSK-06: a graceful leave frees its tasks at once. */
    @Test
    void gracefulLeaveEndsTasksAtOnce() {
        desk.submit("agent:a", "t1");
        desk.start("agent:b", "t1");
        desk.leave("agent:b");
        assertThat(desk.state("t1")).isEqualTo(TaskState.FAILED);
        assertThat(desk.describe("t1").string("reason")).isEqualTo("session_closed");
    }

    /** TSK-07: no end of a parent while a child works; the child's result stays readable. */
    @Test
    void parentDoesNotCompleteBeforeItsChildren() {
        desk.submit("agent:a", "p1");
        desk.start("agent:a", "p1");
        desk.child("agent:a", "c1", "p1");
        desk.start("agent:a", "c1");

        ProtocolError early = desk.refused("completed", "agent:a", "p1");
        assertThat(early.code()).isEqualTo(ErrorCode.TASK_ERROR);
        assertThat(early.details().strings("children")).containsExactly("c1");
        accepted(desk.send("completed", "agent:a", "c1"));
        accepted(desk.send("completed", "agent:a", "p1"));
        assertThat(desk.describe("c1").integer("result_lsn"))
                .isEqualTo(desk.last("completed", "c1").lsn());
        assertThat(desk.describe("c1").string("parent_task_id")).isEqualTo("p1");
    }

    /** TSK-10: silence ends nothing; only the promised time does, once. */
    @Test
    void onlyThePromisedTimeEndsATask() {
        desk.attach("agent:a");
        accepted(desk.send(
                "submitted",
                "agent:a",
                "t1",
                draft -> draft.payload(Json.Obj.builder()
                        .put("task_id", "t1")
                        .put("timeout_ms", 600_000)
                        .build())));
        desk.start("agent:a", "t1");
        desk.submit("agent:a", "t2");
        desk.start("agent:a", "t2");
        for (long silence : new long[] {35_000, 65_000, 305_000}) {
            desk.pass(silence);
            assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
        }
        accepted(desk.send("completed", "agent:a", "t1"));
        desk.pass(1_000_000);
        assertThat(desk.story("t1")).doesNotContain("timed_out");
        assertThat(desk.state("t2")).as("no limit was promised").isEqualTo(TaskState.STARTED);
    }

    /** TSK-10: when the time is over the hub says so, once and retryable. */
    @Test
    void timeoutIsSaidOnce() {
        desk.attach("agent:a");
        accepted(desk.send(
                "submitted",
                "agent:a",
                "t1",
                draft -> draft.correlationId("corr_1")
                        .payload(
                                Json.parse("{\"task_id\":\"t1\",\"timeout_ms\":30000}") instanceof Json.Obj payload
                                        ? payload
                                        : Json.Obj.of())));
        desk.start("agent:a", "t1");
        desk.pass(29_999);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
        desk.pass(1);
        desk.pass(90_000);
        assertThat(desk.story("t1")).containsExactly("submitted", "accepted", "started", "timed_out");
        Event end = desk.last("timed_out", "t1").event();
        assertThat(end.correlationId()).isEqualTo("corr_1");
        assertThat(end.payload().object("error").string("code")).isEqualTo("task_timeout");
        assertThat(end.payload().object("error").bool("retryable")).isTrue();
        assertThat(refusal(desk.send("completed", "agent:a", "t1")).details().string("state"))
                .isEqualTo("TIMED_OUT");
    }

    /** TSK-11: a submission that never became a frame left nothing behind. */
    @Test
    void decisionThatIsNotWrittenLeavesNoTask() {
        Event event = desk.event("submitted", "agent:a", "t1", draft -> draft);
        Context context = desk.context("agent:a", null);
        Decision lost = desk.tasks.decide(event, context);
        assertThat(lost.facts()).isNotEmpty();
        assertThat(desk.describe("t1")).isNull();
        assertThat(desk.tasks.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        assertThat(desk.send(event).duplicate()).isFalse();
        assertThat(desk.state("t1")).isEqualTo(TaskState.ACCEPTED);
    }
}
