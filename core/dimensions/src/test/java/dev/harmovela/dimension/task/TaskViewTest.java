package dev.harmovela.dimension.task;

import static dev.harmovela.dimension.task.Desk.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How tasks are shown, and how much is kept of them. */
class TaskViewTest {

    private final Desk desk = Desk.network();

    @Test
    void describesALife() {
        accepted(desk.send(
                "submitted",
                "agent:a",
                "t1",
                draft -> draft.correlationId("corr_1").target("agent:b").payload((Json.Obj)
                        Json.parse("{\"task_id\":\"t1\",\"timeout_ms\":60000}"))));
        desk.now += 1_000;
        desk.start("agent:b", "t1");
        desk.child("agent:b", "c1", "t1");
        accepted(desk.send("progress", "agent:b", "t1"));
        accepted(desk.send("progress", "agent:b", "t1"));

        Json.Obj shown = desk.describe("t1");
        assertThat(shown.string("state")).isEqualTo("PROGRESS");
        assertThat(shown.string("owner")).isEqualTo("agent:b");
        assertThat(shown.string("submitter")).isEqualTo("agent:a");
        assertThat(shown.string("target")).isEqualTo("agent:b");
        assertThat(shown.string("correlation_id")).isEqualTo("corr_1");
        assertThat(shown.integer("timeout_ms")).isEqualTo(60_000);
        assertThat(shown.integer("attempt")).isEqualTo(1);
        assertThat(shown.string("lease")).isEqualTo("held");
        assertThat(shown.string("submitted_at")).isNotEqualTo(shown.string("started_at"));
        assertThat(shown.integer("last_event_lsn")).isEqualTo(desk.nextLsn - 1);
        assertThat(shown.has("result_lsn")).isFalse();
        assertThat(shown.array("children").items()).hasSize(1);
        assertThat(shown.array("history").items())
                .extracting(entry -> ((Json.Obj) entry).string("event"))
                .containsExactly("task.submitted", "task.accepted", "task.started", "task.progress");
    }

    @Test
    void listsPageByPageWithoutLossOrRepetition() {
        for (int i = 0; i < 25; i++) {
            desk.submit(i % 2 == 0 ? "agent:a" : "agent:z", "t" + i);
        }
        accepted(desk.send("cancel.requested", "agent:a", "t4"));
        Json.Obj filter = Json.Obj.builder()
                .put("submitter", "agent:a")
                .put("state", "live")
                .build();
        List<String> seen = new ArrayList<>();
        long before = Long.MAX_VALUE;
        List<Tasks.Row> page;
        do {
            page = desk.tasks.list(Desk.TENANT, TaskFilter.of(filter), before, 5);
            for (Tasks.Row row : page) {
                seen.add(row.taskId());
                before = row.submittedLsn();
            }
            desk.submit("agent:a", "late" + desk.nextLsn);
        } while (!page.isEmpty());
        assertThat(seen)
                .containsExactly("t24", "t22", "t20", "t18", "t16", "t14", "t12", "t10", "t8", "t6", "t2", "t0");
    }

    @Test
    void filtersByStateParentAndOwner() {
        desk.submit("agent:a", "p");
        desk.start("agent:b", "p");
        desk.child("agent:a", "c", "p");
        assertThat(ids("{\"parent_task_id\":\"p\"}")).containsExactly("c");
        assertThat(ids("{\"owner\":[\"agent:b\",\"agent:x\"]}")).containsExactly("p");
        assertThat(ids("{\"state\":[\"started\",\"ended\"]}")).containsExactly("p");
    }

    @Test
    void filtersByHowAndWhenTheyEnded() {
        desk.submit("agent:a", "live");
        desk.submit("agent:a", "lost");
        desk.start("agent:b", "lost");
        long before = desk.now;
        desk.now += 1_000;
        accepted(desk.send("failed", "agent:b", "lost"));
        String then = Timestamps.format(desk.now);
        assertThat(ids("{\"ended_by\":\"agent\"}")).containsExactly("lost");
        assertThat(ids("{\"ended_by\":\"hub\"}")).isEmpty();
        assertThat(ids("{\"ended_from\":\"" + then + "\"}")).containsExactly("lost");
        assertThat(ids("{\"ended_to\":\"" + Timestamps.format(before) + "\"}")).isEmpty();
        assertThat(ids("{\"submitted_to\":\"" + Timestamps.format(before) + "\"}"))
                .containsExactly("lost", "live");
        assertThat(ids("{\"submitted_from\":\"" + then + "\"}")).isEmpty();
    }

    @Test
    void aFilterThatIsNotUnderstoodIsRefused() {
        for (String wrong : List.of(
                "{\"state\":\"nonsense\"}",
                "{\"onwer\":\"agent:a\"}",
                "{\"ended_from\":\"yesterday\"}",
                "{\"owner\":\"\"}")) {
            assertThat(TaskFilter.problem("", (Json.Obj) Json.parse(wrong)))
                    .as(wrong)
                    .isNotNull();
        }
        assertThat(TaskFilter.problem("", (Json.Obj) Json.parse("{\"state\":[\"LIVE\",\"timed_out\"]}")))
                .isNull();
    }

    private List<String> ids(String filter) {
        return desk.tasks.list(Desk.TENANT, TaskFilter.of((Json.Obj) Json.parse(filter)), Long.MAX_VALUE, 10).stream()
                .map(Tasks.Row::taskId)
                .toList();
    }

    /** A live task is small, whatever was said about it; an ended one shrinks to its id and the winner. */
    @Test
    void stateStaysSmall() {
        int empty = desk.snapshot().length;
        desk.submit("agent:a", "t1");
        desk.start("agent:b", "t1");
        for (int i = 0; i < 1_000; i++) {
            accepted(desk.send("progress", "agent:b", "t1"));
            accepted(desk.send("blocked", "agent:b", "t1"));
            accepted(desk.send("resumed", "agent:b", "t1"));
        }
        assertThat(desk.snapshot().length - empty).isLessThan(1_000);
        Json.Obj shown = desk.describe("t1");
        assertThat(shown.array("history").items()).hasSize(History.KEPT);
        assertThat(shown.integer("history_dropped")).isPositive();
        desk.assertFoldsTheSame();

        accepted(desk.send("failed", "agent:b", "t1"));
        desk.pass(3_600_000);
        assertThat(desk.snapshot().length - empty).isLessThan(100);
    }

    @Test
    void refusesFactsAndSnapshotsOfALaterRelease() {
        assertThat(Tasks.read(299, 1, new In(new byte[0]))).isNull();
        assertThat(Tasks.read(400, 1, new In(new byte[0]))).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> Tasks.read(399, 1, new In(new byte[0])));
        assertThatIllegalArgumentException().isThrownBy(() -> Tasks.read(300, 2, new In(new byte[0])));
        assertThatIllegalArgumentException().isThrownBy(() -> Tasks.read(301, 1, new In(new byte[3])));
        Out later = new Out();
        later.u8(99);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Tasks(TaskPolicy.DEFAULTS).restore(new In(later.toByteArray())));
    }
}
