package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the hub itself answers: numbered snapshots, pages of one of them, differences between two (§10, D28). */
class HubQueryTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire a = hub.session("agent:a").as("agent:a");

    private String ask(String scope, String more) {
        return a.send("\"type\":\"query.requested\",\"target\":\"harness:harmovela\",\"correlation_id\":\"q\","
                + "\"payload\":{\"query_scope\":\"" + scope + "\"" + more + "}");
    }

    private Json.Obj answer(String scope, String more) {
        ask(scope, more);
        return a.last("query.response").object("payload");
    }

    private Json.Obj details(String id) {
        return a.answerTo(id).object("payload").object("error").object("details");
    }

    private void submit(String... ids) {
        for (String id : ids) {
            a.send("\"type\":\"task.submitted\",\"task_id\":\"" + id + "\",\"payload\":{\"task_id\":\"" + id + "\"}");
        }
    }

    private static List<String> ids(Json.Obj answer) {
        return answer.array("items").items().stream()
                .map(row -> ((Json.Obj) row).string("task_id"))
                .toList();
    }

    @Test
    void theSameStateIsTheSameVersionAndVersionsRise() {
        submit("t1");
        long first = answer("tasks", "").integer("snapshot_version");
        assertThat(answer("tasks", "").integer("snapshot_version")).isEqualTo(first);
        submit("t2");
        long second = answer("tasks", "").integer("snapshot_version");
        assertThat(second).isGreaterThan(first);
        Json.Obj then = answer("tasks", ",\"snapshot_version\":" + first);
        assertThat(ids(then)).containsExactly("t1");
        assertThat(details(ask("tasks", ",\"snapshot_version\":1")).string("path"))
                .isEqualTo("payload.snapshot_version");
    }

    @Test
    void pagesOfAnAnswerAreOfOneSnapshot() {
        submit("t1", "t2", "t3");
        Json.Obj page = answer("tasks", ",\"pagination\":{\"limit\":2}");
        submit("t4");
        String cursor = page.object("pagination").string("next_cursor");
        Json.Obj next = answer("tasks", ",\"pagination\":{\"limit\":2,\"cursor\":\"" + cursor + "\"}");
        assertThat(next.integer("snapshot_version")).isEqualTo(page.integer("snapshot_version"));
        assertThat(ids(page)).containsExactly("t3", "t2");
        assertThat(ids(next)).containsExactly("t1");
        assertThat(next.object("pagination").string("next_cursor")).isNull();
        String wrong = ask("tasks", ",\"pagination\":{\"cursor\":\"2\"}");
        assertThat(details(wrong).string("path")).isEqualTo("payload.pagination.cursor");
    }

    @Test
    void aDifferenceNamesWhatIsNewAndWhatIsGone() {
        submit("t1", "t2");
        long version = answer("tasks", ",\"filter\":{\"state\":\"live\"}").integer("snapshot_version");
        submit("t3");
        a.send("\"type\":\"task.cancel.requested\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\"}");
        Json.Obj delta = answer("tasks", ",\"filter\":{\"state\":\"live\"},\"since_version\":" + version)
                .object("delta");
        assertThat(delta.array("changed").items())
                .extracting(row -> ((Json.Obj) row).string("task_id"))
                .containsExactly("t3");
        assertThat(delta.strings("removed")).containsExactly("t1");
        assertThat(details(ask("tasks", ",\"since_version\":" + version)).string("path"))
                .as("that version answered another question")
                .isEqualTo("payload.since_version");
    }

    @Test
    void anAnswerOfSomeAgeIsTakenWhereItIsAllowed() {
        submit("t1");
        Json.Obj first = answer("tasks", "");
        submit("t2");
        hub.advance(1000);
        assertThat(answer("tasks", ",\"freshness\":{\"max_age_ms\":5000}")).isEqualTo(first);
        String consistent = ",\"freshness\":{\"max_age_ms\":5000,\"require_consistent\":true}";
        assertThat(ids(answer("tasks", consistent))).containsExactly("t2", "t1");
        hub.advance(6000);
        submit("t3");
        assertThat(ids(answer("tasks", ",\"freshness\":{\"max_age_ms\":5000}"))).hasSize(3);
    }

    @Test
    void whatIsAskedOftenWithoutAnyChangeGetsVersionsThatNeverFall() {
        long last = 0;
        for (int i = 0; i < 1500; i++) {
            long version = answer("agents", ",\"filter\":{\"identity\":\"agent:" + i + "\"}")
                    .integer("snapshot_version");
            assertThat(version).isGreaterThan(last);
            last = version;
        }
    }

    @Test
    void aScopeMustBeNamedAndKnown() {
        assertThat(a.refusal(ask("nonsense", ""))).isEqualTo("not_supported");
        String none = a.send("\"type\":\"query.requested\",\"target\":\"harness:harmovela\",\"correlation_id\":\"q\"");
        assertThat(details(none).string("path")).isEqualTo("payload.query_scope");
        assertThat(answer("delivery.stats", "").object("data")).isNotNull();
    }
}
