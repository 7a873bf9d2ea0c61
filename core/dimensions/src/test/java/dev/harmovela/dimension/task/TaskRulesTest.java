package dev.harmovela.dimension.task;

import static dev.harmovela.dimension.task.Desk.accepted;
import static dev.harmovela.dimension.task.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.task.TaskPolicy.Bounds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may say what about a task, and what a submission must be like (D4, D12, D13, D31). */
class TaskRulesTest {

    private Desk desk = Desk.network();

    @AfterEach
    void stateIsTheFoldOfItsFacts() {
        desk.assertFoldsTheSame();
    }

    private static String reason(ProtocolError error) {
        return error.details().string("reason");
    }

    private Decision submit(String taskId, String payload) {
        return desk.send("submitted", "agent:a", taskId, draft -> draft.payload((Json.Obj) Json.parse(payload)));
    }

    // --- submission

    @Test
    void hubAcceptsWhatNobodyIsNamedFor() {
        Decision decision = accepted(desk.send("submitted", "agent:a", "t1", draft -> draft.correlationId("corr_1")));
        assertThat(decision.taskId()).isEqualTo("t1");
        Event said = decision.after().getFirst();
        assertThat(said.type().name()).isEqualTo("task.accepted");
        assertThat(said.source()).isEqualTo("harness:harmovela");
        assertThat(said.taskId()).isEqualTo("t1");
        assertThat(said.payload().string("task_id")).isEqualTo("t1");
        assertThat(said.correlationId()).isEqualTo("corr_1");
        assertThat(said.causationId())
                .isEqualTo(desk.last("submitted", "t1").event().id());
        assertThat(desk.owner("t1")).isNull();
    }

    @Test
    void hubNamesWhatHasNoName() {
        Decision decision = accepted(desk.send("submitted", "agent:a", null));
        assertThat(decision.taskId()).startsWith("task_");
        assertThat(desk.state(decision.taskId())).isEqualTo(TaskState.ACCEPTED);
        assertThat(decision.after().getFirst().payload().string("task_id")).isEqualTo(decision.taskId());
    }

    /** The target cannot read the name in the submission: the hub tells it. */
    @Test
    void targetLearnsTheNameTheHubGave() {
        Decision decision = accepted(desk.send("submitted", "agent:a", null, draft -> draft.target("agent:b")));
        Event told = decision.after().getFirst();
        assertThat(told.target()).isEqualTo("agent:b");
        assertThat(told.taskId()).isEqualTo(decision.taskId());
        assertThat(told.causationId()).isEqualTo(desk.log.getFirst().event().id());
        assertThat(reason(desk.refused("started", "agent:c", decision.taskId())))
                .isEqualTo("not_target");
        desk.pass(30_000);
        desk.start("agent:b", decision.taskId());
        assertThat(desk.owner(decision.taskId())).isEqualTo("agent:b");

        Decision lonely = accepted(desk.send("submitted", "agent:a", null, draft -> draft.target("agent:z")));
        desk.pass(60_000);
        assertThat(desk.state(lonely.taskId())).isEqualTo(TaskState.TIMED_OUT);
    }

    @Test
    void sameSubmissionAgainIsKnownAndAnotherIsAConflict() {
        desk.submit("agent:a", "t1");
        Decision again = desk.send("submitted", "agent:a", "t1");
        assertThat(again.duplicate()).isTrue();
        assertThat(again.taskId()).isEqualTo("t1");
        assertThat(reason(refusal(submit("t1", "{\"task_id\":\"t1\",\"description\":\"other\"}"))))
                .isEqualTo("conflict");
        assertThat(reason(refusal(desk.send("submitted", "agent:b", "t1")))).isEqualTo("conflict");
        assertThat(desk.story("t1")).containsExactly("submitted", "accepted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timeout_ms | -1",
                "timeout_ms | \"soon\"",
                "deadline_ms | 1.5",
                "lease_ms | -5",
                "cancel_grace_ms | []",
                "on_session_closed | \"explode\"",
                "orphans | 1"
            })
    void termsThatMakeNoSenseAreRefused(String name, String value) {
        ProtocolError error = refusal(submit("t1", "{\"task_id\":\"t1\",\"" + name + "\":" + value + "}"));
        assertThat(error.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
        assertThat(error.details().string("path")).isEqualTo("payload." + name);
        assertThat(error.details().string("expected")).isNotBlank();
        assertThat(error.details().string("got")).isNotBlank();
    }

    @Test
    void unknownParentIsAllowedAndCountsOnceItIsThere() {
        desk.child("agent:a", "c1", "p1");
        desk.submit("agent:a", "p1");
        desk.start("agent:a", "p1");
        assertThat(desk.refused("completed", "agent:a", "p1").details().strings("children"))
                .containsExactly("c1");
    }

    @Test
    void noTaskIsItsOwnAncestor() {
        assertThat(reason(refusal(desk.send("submitted", "agent:a", "x", draft -> draft.parentTaskId("x")))))
                .isEqualTo("loop");
        desk.child("agent:a", "a", "b");
        desk.child("agent:a", "c", "a");
        assertThat(reason(refusal(desk.send("submitted", "agent:a", "b", draft -> draft.parentTaskId("c")))))
                .isEqualTo("loop");
    }

    @Test
    void treesAndTenantsHaveBounds() {
        desk = Desk.network(TaskPolicy.DEFAULTS.withBounds(new Bounds(2, 3, 5)));
        desk.submit("agent:a", "1");
        desk.child("agent:a", "2", "1");
        desk.child("agent:a", "3", "2");
        assertThat(reason(refusal(desk.send("submitted", "agent:a", "4", draft -> draft.parentTaskId("3")))))
                .isEqualTo("too_deep");
        desk.child("agent:a", "2b", "1");
        ProtocolError children = refusal(desk.send("submitted", "agent:a", "2c", draft -> draft.parentTaskId("1")));
        assertThat(reason(children)).isEqualTo("too_many_children");
        assertThat(children.retryable()).isTrue();
        desk.submit("agent:a", "5");
        ProtocolError full = refusal(desk.send("submitted", "agent:a", "6"));
        assertThat(full.code()).isEqualTo(ErrorCode.BUSY);
        assertThat(full.retryable()).isTrue();
    }

    @Test
    void treeCannotGrowTooDeepFromBelow() {
        desk = Desk.network(TaskPolicy.DEFAULTS.withBounds(new Bounds(9, 3, 99)));
        desk.child("agent:a", "3", "2");
        desk.child("agent:a", "2", "1");
        assertThat(reason(refusal(desk.send("submitted", "agent:a", "1", draft -> draft.parentTaskId("0")))))
                .isEqualTo("too_deep");
        desk.submit("agent:a", "1");
    }

    @Test
    void childOfAnEndedParentIsRefused() {
        desk.submit("agent:a", "p");
        accepted(desk.send("cancel.requested", "agent:a", "p"));
        ProtocolError error = refusal(desk.send("submitted", "agent:a", "c", draft -> draft.parentTaskId("p")));
        assertThat(reason(error)).isEqualTo("parent_ended");
        assertThat(error.details().string("state")).isEqualTo("CANCELLED");
    }

    // --- claiming

    @Test
    void firstClaimWins() {
        desk.submit("agent:a", "t1");
        int winners = 0;
        for (int i = 0; i < 50; i++) {
            Decision decision = desk.send(i % 2 == 0 ? "accepted" : "started", "agent:w" + i, "t1");
            if (decision.refusal() == null) {
                winners++;
            } else {
                assertThat(decision.refusal().code()).isEqualTo(ErrorCode.TASK_ERROR);
                assertThat(decision.refusal().details().string("owner")).isEqualTo("agent:w0");
            }
        }
        assertThat(winners).isEqualTo(1);
        assertThat(desk.tasks.tasksOf(Desk.TENANT, "agent:w0")).containsExactly("t1");
        Decision again = desk.send("accepted", "agent:w0", "t1");
        assertThat(again.duplicate()).isTrue();
        assertThat(again.isEmpty()).isTrue();
    }

    @Test
    void claimHoldsWhateverIsNegotiated() {
        desk = Desk.implied();
        desk.submit("agent:a", "t1");
        desk.claim("agent:b", "t1");
        assertThat(desk.refused("accepted", "agent:c", "t1").details().string("owner"))
                .isEqualTo("agent:b");
    }

    @Test
    void onlyTheTargetOrAMemberOfThePoolClaims() {
        accepted(desk.send("submitted", "agent:a", "t1", draft -> draft.target("agent:pool")));
        ProtocolError error = desk.refused("accepted", "agent:b", "t1");
        assertThat(error.details().string("target")).isEqualTo("agent:pool");
        assertThat(reason(desk.refused("started", "agent:b", "t1"))).isEqualTo("not_target");
        desk.pools.add("agent:pool");
        desk.start("agent:b", "t1");
        assertThat(desk.owner("t1")).isEqualTo("agent:b");
    }

    @Test
    void aTaskForTheHubItselfIsForAnybody() {
        accepted(desk.send("submitted", "agent:a", "t1", draft -> draft.target("harness:harmovela")));
        desk.claim("agent:b", "t1");
    }

    /** Fixtures carry the hub's side too; its acceptance repeats what the hub did and claims nothing. */
    @Test
    void hubsOwnWordInAFixtureClaimsNothing() {
        desk = Desk.implied();
        desk.submit("agent:a", "t1");
        assertThat(desk.send("accepted", "harness:harmovela", "t1").duplicate()).isTrue();
        accepted(desk.send("submitted", "agent:a", "t2", draft -> draft.target("agent:b")));
        accepted(desk.send("accepted", "harness:harmovela", "t2"));
        assertThat(desk.owner("t2")).isNull();
        desk.start("agent:b", "t2");
        accepted(desk.send("cancel.requested", "agent:a", "t1"));
        assertThat(desk.send("cancelled", "agent:b", "t1").duplicate())
                .as("nobody owned it: whoever confirms is believed")
                .isTrue();
    }

    // --- reporting

    @Test
    void onlyTheOwnerReports() {
        desk.submit("agent:a", "t1");
        desk.start("agent:b", "t1");
        for (String word : new String[] {"progress", "output", "blocked", "completed", "failed", "cancelled"}) {
            for (String who : new String[] {"agent:a", "agent:c"}) {
                ProtocolError error = desk.refused(word, who, "t1");
                assertThat(error.code()).isEqualTo(ErrorCode.UNAUTHORIZED);
                assertThat(reason(error)).isEqualTo("not_owner");
            }
        }
        accepted(desk.send("progress", "agent:b", "t1"));
        desk.enforce = false;
        accepted(desk.send("progress", "agent:c", "t1"));
        assertThat(desk.owner("t1")).isEqualTo("agent:b");
    }

    @Test
    void submitterOwnerAndSupervisorAskToStop() {
        for (String who : new String[] {"agent:a", "agent:b", "agent:boss"}) {
            String taskId = "t-" + who;
            desk.submit("agent:a", taskId);
            desk.start("agent:b", taskId);
            assertThat(desk.refused("cancel.requested", "agent:c", taskId).code())
                    .isEqualTo(ErrorCode.UNAUTHORIZED);
            desk.supervisors.add("agent:boss");
            assertThat(accepted(desk.send("cancel.requested", who, taskId)).routeTo())
                    .isEqualTo("agent:b");
            Decision again = accepted(desk.send("cancel.requested", who, taskId));
            assertThat(again.routeTo()).isEqualTo("agent:b");
            assertThat(again.facts()).noneMatch(fact -> fact instanceof TaskFact.CancelBegan);
            desk.supervisors.clear();
        }
    }

    @Test
    void targetMayDeclineWhatItHasNotAccepted() {
        accepted(desk.send("submitted", "agent:a", "t1", draft -> draft.target("agent:b")));
        assertThat(desk.refused("failed", "agent:c", "t1").code()).isEqualTo(ErrorCode.UNAUTHORIZED);
        accepted(desk.send(
                "failed",
                "agent:b",
                "t1",
                draft -> draft.payload((Json.Obj)
                        Json.parse("{\"task_id\":\"t1\",\"error\":{\"code\":\"busy\",\"message\":\"later\"}}"))));
        assertThat(desk.describe("t1").string("reason")).isEqualTo("busy");
    }

    @Test
    void escalationChangesNothing() {
        desk.submit("agent:a", "t1");
        desk.start("agent:b", "t1");
        accepted(desk.send("escalated", "agent:b", "t1"));
        accepted(desk.send("escalated", "agent:a", "t1"));
        assertThat(desk.refused("escalated", "agent:c", "t1").code()).isEqualTo(ErrorCode.UNAUTHORIZED);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
    }

    @Test
    void unknownTasksAndForeignEventsAreToldApart() {
        assertThat(reason(desk.refused("progress", "agent:a", "nope"))).isEqualTo("unknown_task");
        assertThat(reason(refusal(desk.send("progress", "agent:a", null)))).isEqualTo("missing_task_id");
        desk.enforce = false;
        assertThat(reason(desk.refused("started", "agent:a", "nope"))).isEqualTo("unknown_task");
        Event other = EventDraft.of(
                        EventRegistry.standard().require("agent.message.sent"), "evt_1", "agent:a", desk.now)
                .payload(Json.Obj.of())
                .build();
        assertThatIllegalArgumentException().isThrownBy(() -> desk.send(other));
    }

    /** A tenant is a world of its own: the same id is another task, or none. */
    @Test
    void tenantsDoNotMeet() {
        desk.submit("agent:a", "t1");
        assertThat(desk.tasks.describe("other", "t1")).isNull();
        assertThat(desk.tasks.exists("other", "t1")).isFalse();
        assertThat(desk.tasks.list("other", TaskFilter.of(Json.Obj.of()), Long.MAX_VALUE, 10))
                .isEmpty();
        assertThat(desk.tasks.spaceEnded("other").isEmpty()).isTrue();
    }
}
