package dev.harmovela.dimension.task;

import static dev.harmovela.dimension.task.Desk.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.task.TaskPolicy.OnSessionClosed;
import dev.harmovela.dimension.task.TaskPolicy.Retention;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What time and absence do to tasks (D31, D44, core rules on retention and time). */
class TicksTest {

    private Desk desk = Desk.network();

    @AfterEach
    void stateIsTheFoldOfItsFacts() {
        desk.assertFoldsTheSame();
    }

    private Decision submit(String taskId, String payload) {
        return accepted(
                desk.send("submitted", "agent:a", taskId, draft -> draft.payload((Json.Obj) Json.parse(payload))));
    }

    private static Json.Obj details(Event event) {
        return event.payload().object("error").object("details");
    }

    @Test
    void deadlineCountsOnTheHubsClock() {
        submit("t1", "{\"task_id\":\"t1\",\"deadline_ms\":" + (desk.now + 5_000) + ",\"timeout_ms\":60000}");
        submit("t2", "{\"task_id\":\"t2\",\"deadline_ms\":1}");
        assertThat(desk.fire()).containsExactly("task.timed_out");
        assertThat(desk.state("t2")).isEqualTo(TaskState.TIMED_OUT);
        assertThat(desk.tasks.nextDeadline()).isEqualTo(desk.now + 5_000);
        desk.pass(5_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.TIMED_OUT);
    }

    @Test
    void hugeTimesNeverComeDue() {
        submit("t1", "{\"task_id\":\"t1\",\"timeout_ms\":" + Long.MAX_VALUE + ",\"lease_ms\":" + Long.MAX_VALUE + "}");
        desk.start("agent:b", "t1");
        desk.pass(1_000_000_000_000L);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
    }

    /** D31: a target that is away is waited for, a minute unless the submission says otherwise. */
    @Test
    void offlineTargetIsWaitedForAMinute() {
        accepted(desk.send("submitted", "agent:a", "t1", draft -> draft.target("agent:b")));
        desk.pass(59_999);
        assertThat(desk.state("t1")).isEqualTo(TaskState.SUBMITTED);
        desk.pass(1);
        assertThat(desk.state("t1")).isEqualTo(TaskState.TIMED_OUT);
        assertThat(details(desk.last("timed_out", "t1").event()).string("reason"))
                .isEqualTo("target_offline");
    }

    @Test
    void attachedTargetMayTakeItsTime() {
        desk.attach("agent:b");
        accepted(desk.send("submitted", "agent:a", "t1", draft -> draft.target("agent:b")));
        desk.pass(3_600_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.SUBMITTED);
        desk.detach("agent:b");
        desk.pass(59_999);
        assertThat(desk.state("t1")).isEqualTo(TaskState.SUBMITTED);
        desk.pass(1);
        assertThat(desk.state("t1")).isEqualTo(TaskState.TIMED_OUT);
    }

    @Test
    void declaredTimeoutReplacesTheMinute() {
        accepted(desk.send(
                "submitted",
                "agent:a",
                "t1",
                draft -> draft.target("agent:b")
                        .payload((Json.Obj) Json.parse("{\"task_id\":\"t1\",\"timeout_ms\":300000}"))));
        desk.pass(299_999);
        assertThat(desk.state("t1")).isEqualTo(TaskState.SUBMITTED);
        desk.pass(1);
        assertThat(desk.state("t1")).isEqualTo(TaskState.TIMED_OUT);
    }

    @Test
    void ownerWithoutSessionHasNoLease() {
        desk = Desk.implied();
        desk.submit("agent:a", "t1");
        desk.start("agent:b", "t1");
        desk.pass(100_000_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
    }

    /** The owner's own words renew the lease, other people's do not. */
    @Test
    void wordsOfTheOwnerRenewTheLease() {
        desk.submit("agent:a", "t1");
        desk.start("agent:b", "t1");
        desk.seen.put("agent:b", desk.now);
        for (int i = 0; i < 5; i++) {
            desk.pass(50_000);
            accepted(desk.send("progress", "agent:b", "t1"));
        }
        desk.pass(50_000);
        accepted(desk.send("escalated", "agent:a", "t1"));
        desk.pass(10_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.FAILED);
    }

    /** A restart gives the full lease again, even when the hub no longer knows when the owner was last there. */
    @Test
    void leaseStartsAnewAfterARestart() {
        desk.submit("agent:a", "t1");
        desk.attach("agent:b");
        desk.start("agent:b", "t1");
        desk.detach("agent:b");
        desk.now += 3_600_000;
        desk.seen.clear();
        desk.restart(true);
        assertThat(desk.fire()).isEmpty();
        desk.pass(59_999);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
        desk.pass(1);
        assertThat(desk.state("t1")).isEqualTo(TaskState.FAILED);
    }

    /** A restart does not move what was promised. */
    @Test
    void timeoutsStayThroughARestart() {
        submit("t1", "{\"task_id\":\"t1\",\"timeout_ms\":60000}");
        desk.now += 60_000;
        desk.restart(false);
        assertThat(desk.fire()).containsExactly("task.timed_out");
    }

    @Test
    void timeoutWinsOverALeaseThatLapsesLater() {
        submit("t1", "{\"task_id\":\"t1\",\"timeout_ms\":50000}");
        desk.start("agent:b", "t1");
        desk.seen.put("agent:b", desk.now);
        desk.pass(600_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.TIMED_OUT);
    }

    /** Grace is not longer than the time the task was promised. */
    @Test
    void promisedTimeBoundsTheGrace() {
        submit("t1", "{\"task_id\":\"t1\",\"timeout_ms\":10000,\"cancel_grace_ms\":3600000}");
        desk.attach("agent:b");
        desk.start("agent:b", "t1");
        accepted(desk.send("cancel.requested", "agent:a", "t1"));
        desk.pass(10_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void closedSessionCancelsWhereDeclared() {
        submit("t1", "{\"task_id\":\"t1\",\"on_session_closed\":\"cancel\"}");
        submit("t2", "{\"task_id\":\"t2\",\"on_session_closed\":\"cancel\"}");
        desk.start("agent:b", "t1");
        desk.start("agent:b", "t2");
        desk.child("agent:b", "c2", "t2");
        desk.start("agent:c", "c2");
        desk.leave("agent:b");
        assertThat(desk.state("t1")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.describe("t1").string("reason")).isEqualTo("session_closed");
        assertThat(desk.state("t2")).isEqualTo(TaskState.STARTED);
        accepted(desk.send("cancelled", "agent:c", "c2"));
        assertThat(desk.state("t2")).isEqualTo(TaskState.CANCELLED);
    }

    /** A task that continues outlives its owner's absence; the owner's next word holds the lease again. */
    @Test
    void closedSessionContinuesWhereDeclared() {
        desk = Desk.network(TaskPolicy.DEFAULTS.withOnSessionClosed(OnSessionClosed.CONTINUE));
        desk.submit("agent:a", "t1");
        desk.attach("agent:b");
        desk.start("agent:b", "t1");
        desk.detach("agent:b");
        desk.leave("agent:b");
        desk.pass(3_600_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
        assertThat(desk.describe("t1").string("lease")).isEqualTo("suspended");
        accepted(desk.send("progress", "agent:b", "t1"));
        desk.pass(60_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.FAILED);
    }

    @Test
    void hundredsOfTasksOfOneOwnerEndOverSeveralFrames() {
        for (int i = 0; i < 260; i++) {
            desk.submit("agent:a", "t" + i);
            desk.start("agent:b", "t" + i);
        }
        Decision first =
                desk.tasks.sessionEnded(Desk.TENANT, "agent:b", null, desk.now, desk.nextLsn, prefix -> prefix + "_x");
        assertThat(first.more()).isTrue();
        desk.leave("agent:b");
        assertThat(desk.tasks.live(Desk.TENANT)).isZero();
        assertThat(desk.tasks.tasksOf(Desk.TENANT, "agent:b")).isEmpty();
    }

    @Test
    void endedTasksAreBoundedInNumber() {
        desk = Desk.network(TaskPolicy.DEFAULTS.withRetention(new Retention(3_600_000, 7_200_000, 10)));
        for (int i = 0; i < 300; i++) {
            desk.submit("agent:a", "t" + i);
            accepted(desk.send("cancel.requested", "agent:a", "t" + i));
        }
        desk.fire();
        assertThat(desk.tasks.exists(Desk.TENANT, "t289")).isFalse();
        for (int i = 290; i < 300; i++) {
            assertThat(desk.tasks.exists(Desk.TENANT, "t" + i)).isTrue();
        }
    }

    /** The parent's record stays whole while a child's does. */
    @Test
    void parentShrinksAfterItsChildren() {
        desk.submit("agent:a", "p");
        desk.child("agent:a", "c", "p");
        accepted(desk.send("cancel.requested", "agent:a", "p"));
        desk.pass(3_600_000);
        assertThat(desk.describe("p").string("detail")).isEqualTo("expired");
        assertThat(desk.describe("c").string("detail")).isEqualTo("expired");
        desk.pass(7 * 86_400_000L);
        assertThat(desk.tasks.exists(Desk.TENANT, "p")).isFalse();
    }

    @Test
    void spaceOfAFixtureEndsWithEverythingInIt() {
        desk.submit("agent:a", "p");
        desk.start("agent:b", "p");
        desk.child("agent:a", "c", "p");
        desk.start("agent:b", "c");
        accepted(desk.send("cancel.requested", "agent:a", "p"));
        desk.record(desk.tasks.spaceEnded(Desk.TENANT), null);
        assertThat(desk.tasks.exists(Desk.TENANT, "p")).isFalse();
        assertThat(desk.tasks.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }
}
