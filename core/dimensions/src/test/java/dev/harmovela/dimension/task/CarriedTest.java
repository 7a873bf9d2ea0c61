package dev.harmovela.dimension.task;

import static dev.harmovela.dimension.task.Desk.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import org.junit.jupiter.api.Test;

/** What live tasks need from the log, and how it is moved out of the way of retention (core rule: retention). */
class CarriedTest {

    private final Desk desk = Desk.network();

    private static Fact written(Fact fact) {
        Out out = new Out();
        fact.write(out);
        Fact read = Tasks.read(fact.kind(), 1, new In(out.toByteArray()));
        assertThat(read).isEqualTo(fact);
        return java.util.Objects.requireNonNull(read);
    }

    private Tasks.Body body(String taskId) {
        return java.util.Objects.requireNonNull(desk.tasks.body(Desk.TENANT, taskId));
    }

    @Test
    void aLiveTaskNeedsTheEventThatSubmittedItAndAnEndedOneNothing() {
        accepted(desk.send(
                "submitted",
                "agent:a",
                "t1",
                draft -> draft.target("agent:b")
                        .payload((Json.Obj) Json.parse("{\"task_id\":\"t1\",\"timeout_ms\":900000}"))));
        desk.submit("agent:a", "t2");
        desk.start("agent:b", "t2");
        long first = body("t1").lsn();
        assertThat(desk.tasks.bodyFloor()).isEqualTo(first);
        assertThat(desk.tasks.bodiesBelow(Long.MAX_VALUE, 10)).containsExactly(body("t1"), body("t2"));
        assertThat(desk.tasks.bodiesBelow(first + 1, 10)).containsExactly(body("t1"));
        assertThat(desk.tasks.bodiesBelow(Long.MAX_VALUE, 1)).hasSize(1);
        assertThat(body("t1").waitsFor()).isEqualTo("agent:b");
        assertThat(body("t2").waitsFor()).isNull();
        desk.start("agent:b", "t1");
        assertThat(body("t1").waitsFor()).isNull();
        accepted(desk.send("completed", "agent:b", "t1"));
        accepted(desk.send("completed", "agent:b", "t2"));
        assertThat(desk.tasks.bodiesBelow(Long.MAX_VALUE, 10)).isEmpty();
        assertThat(desk.tasks.bodyFloor()).isEqualTo(Long.MAX_VALUE);
        assertThat(desk.tasks.body(Desk.TENANT, "t1")).isNull();
    }

    @Test
    void aCarriedBodyHasANewPlaceThatOutlivesASnapshot() {
        desk.submit("agent:a", "t1");
        Fact carried = written(desk.tasks.carried(body("t1"), 77));
        long submitted = java.util.Objects.requireNonNull(desk.describe("t1").integer("submitted_lsn"));
        desk.tasks.apply(carried);
        assertThat(body("t1").lsn()).isEqualTo(77);
        Out out = new Out();
        desk.tasks.snapshot(out);
        Tasks restored = new Tasks(TaskPolicy.DEFAULTS);
        restored.restore(new In(out.toByteArray()));
        assertThat(restored.body(Desk.TENANT, "t1")).isEqualTo(body("t1"));
        assertThat(desk.describe("t1").integer("submitted_lsn")).isEqualTo(submitted);
        desk.tasks.apply(written(desk.tasks.carried(body("t1"), 0)));
        assertThat(desk.tasks.body(Desk.TENANT, "t1")).isNull();
        assertThat(desk.tasks.bodyFloor()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoReadsALogWithoutItsBeginningKnowsACarriedTaskInFull() {
        desk.submit("agent:a", "parent");
        desk.start("agent:b", "parent");
        desk.child("agent:b", "child", "parent");
        Fact one = written(desk.tasks.carried(body("child"), 90));
        Fact two = written(desk.tasks.carried(body("parent"), 91));
        Tasks late = new Tasks(TaskPolicy.DEFAULTS);
        late.follow(one);
        late.follow(two);
        int from = desk.facts.size();
        desk.start("agent:c", "child");
        accepted(desk.send("completed", "agent:c", "child"));
        accepted(desk.send("completed", "agent:b", "parent"));
        Json.Obj told = Json.Obj.of();
        for (Fact fact : desk.facts.subList(from, desk.facts.size())) {
            late.follow(fact);
            told = Tasks.ended(fact) == null ? told : late.described(fact);
        }
        assertThat(told).isEqualTo(desk.describe("parent"));
        assertThat(late.describe(Desk.TENANT, "child")).isEqualTo(desk.describe("child"));
        assertThat(Tasks.brief(told).names()).contains("submitter", "state").doesNotContain("history");
    }
}
