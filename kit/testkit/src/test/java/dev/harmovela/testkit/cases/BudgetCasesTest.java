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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Budgets that hold and goals that are told the truth about, seen through the wires of a hub (§11, D30, D42). */
class BudgetCasesTest {

    private final SimDisk disk = new SimDisk(17);
    private TestHub hub = start(TestHub.START);
    private TestWire a = hub.session("agent:a").as("agent:a");
    private TestWire b = hub.session("agent:b").as("agent:b");

    private TestHub start(long now) {
        HarmovelaHub.JournalFactory journal = (keys, listener) -> SegmentJournal.open(
                disk, JournalOptions.DEFAULT.withSegmentBytes(1 << 20), new InlineThreads(), keys, listener);
        return TestHub.on(HubConfig.defaults(List.of("websocket")), journal, now);
    }

    private void restart() {
        long now = hub.now() + 1000;
        hub.close();
        hub = start(now);
        a = hub.session("agent:a").as("agent:a");
        b = hub.session("agent:b").as("agent:b");
    }

    private static String budget(String scope, String id, String limits, String more) {
        return "\"type\":\"adaptation.budget.established\"" + more + ",\"payload\":{\"scope_type\":\"" + scope
                + "\",\"scope_id\":\"" + id + "\",\"budget\":{" + limits + "}}";
    }

    private void work() {
        a.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\"}");
        b.send("\"type\":\"task.started\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\"}");
    }

    private static String progress() {
        return "\"type\":\"task.progress\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\",\"progress\":0.1}";
    }

    private static String call(String id, String action, String cost) {
        return "\"type\":\"tool.call." + action + "\",\"task_id\":\"t1\",\"correlation_id\":\"" + id + "\"" + cost
                + ",\"payload\":{\"task_id\":\"t1\",\"tool_call_id\":\"" + id + "\",\"tool\":\"search\"}";
    }

    private String state() {
        return Objects.requireNonNull(hub.ask("task", "t1").string("state"));
    }

    private static Json.Obj details(TestWire wire, String id) {
        Json.Obj error = wire.answerTo(id).object("payload").object("error");
        assertThat(error.string("code")).isEqualTo("budget_exceeded");
        return error.object("details");
    }

    private Json.Obj budget() {
        return (Json.Obj) hub.ask("budgets", null).array("items").items().getFirst();
    }

    @Test
    void bud_01_at_once_or_not_no_more_is_admitted_than_there_is() {
        List<TestWire> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(hub.session("agent:s").as("agent:s"));
        }
        String session = all.getFirst().sessionId();
        a.send(budget("session", session, "\"max_cost_usd_millicents\":1000", ""));
        int admitted = 0;
        for (int i = 0; i < 5; i++) {
            String id =
                    all.getFirst().send("\"type\":\"agent.message.sent\",\"target\":\"agent:b\",\"budget_cost\":300");
            if (all.getFirst().refusal(id) == null) {
                admitted++;
            } else if (admitted == 3 && i == 3) {
                Json.Obj said = details(all.getFirst(), id);
                assertThat(said.string("scope_type")).isEqualTo("session");
                assertThat(said.string("scope_id")).isEqualTo(session);
                assertThat(said.integer("remaining")).isEqualTo(100);
                assertThat(all.getFirst().received("session.error")).hasSize(1);
            }
        }
        assertThat(admitted).isEqualTo(3);
    }

    @Test
    void bud_02_what_would_pass_the_limit_is_blocked_and_the_work_ends_once() {
        TestWire c = hub.session("agent:c").as("agent:c");
        c.subscribe("{\"types\":[\"adaptation.*\",\"task.failed\"]}");
        a.send(budget("task", "t1", "\"max_actions\":3", ""));
        work();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            sent.add(b.send(progress()));
        }
        assertThat(sent.subList(0, 3)).allMatch(id -> b.refusal(id) == null);
        assertThat(details(b, sent.get(3)).string("dimension")).isEqualTo("actions");
        assertThat(b.refusal(sent.get(4))).isEqualTo("task_error");
        assertThat(state()).isEqualTo("FAILED");
        assertThat(c.deliveries("adaptation.budget.limit_approaching")).hasSize(1);
        assertThat(c.deliveries("adaptation.budget.limit_exceeded")).hasSize(1);
        assertThat(c.deliveries("adaptation.cost.exceeded")).hasSize(1);
        assertThat(c.deliveries("task.failed")).hasSize(1);
        Json.Obj outcome = c.last("adaptation.outcome.correlated").object("payload");
        assertThat(outcome.string("task_outcome")).isEqualTo("failed");
        assertThat(outcome.object("authority").string("issuer")).isEqualTo("agent:a");
        assertThat(hub.ask("budgets", null).array("items").items()).isEmpty();
    }

    @Test
    void bud_02_cost_is_promised_before_and_settled_after() {
        a.send(budget("task", "t1", "\"max_cost_usd_millicents\":1000", ",\"target\":\"harness:harmovela\""));
        work();
        assertThat(b.refusal(b.send(call("c1", "requested", ",\"budget_cost\":600"))))
                .isNull();
        assertThat(details(b, b.send(call("c2", "requested", ",\"budget_cost\":600")))
                        .integer("remaining"))
                .isEqualTo(400);
        work();
        assertThat(state()).isEqualTo("FAILED");
    }

    @Test
    void whatWasPromisedAndNotSpentIsFreeAgain() {
        a.send(budget("task", "t1", "\"max_cost_usd_millicents\":1000,\"on_budget_exhausted\":\"escalate\"", ""));
        work();
        b.send(call("c1", "requested", ",\"budget_cost\":900"));
        b.send(call("c1", "completed", ",\"budget_cost\":100"));
        assertThat(budget().object("cost").integer("used")).isEqualTo(100);
        assertThat(budget().object("cost").integer("reserved")).isEqualTo(0);
        assertThat(b.refusal(b.send(call("c2", "requested", ",\"budget_cost\":900"))))
                .isNull();
        b.send(call("c2", "failed", ""));
        assertThat(budget().object("cost").integer("reserved")).isEqualTo(0);
        details(b, b.send(call("c3", "requested", ",\"budget_cost\":901")));
        assertThat(state()).isEqualTo("STARTED");
        assertThat(a.deliveries("task.escalated")).hasSize(1);
    }

    @Test
    void bud_02_time_is_a_budget_too() {
        TestWire c = hub.session("agent:c").as("agent:c");
        c.subscribe("{\"types\":[\"adaptation.budget.*\"]}");
        a.send(budget("task", "t1", "\"max_duration_ms\":5000,\"on_budget_exhausted\":\"cancel\"", ""));
        work();
        hub.advance(4_000);
        assertThat(state()).isEqualTo("STARTED");
        hub.advance(2_000);
        assertThat(state()).isEqualTo("CANCELLED");
        assertThat(b.deliveries("task.cancel.requested")).hasSize(1);
        assertThat(c.last("adaptation.budget.limit_exceeded").object("payload").string("dimension"))
                .isEqualTo("duration");
    }

    @Test
    void bud_03_what_was_used_is_used_after_a_crash() {
        a.send(budget("task", "t1", "\"max_actions\":3", ""));
        work();
        b.send(progress());
        b.send(progress());
        restart();
        assertThat(b.refusal(b.send(progress()))).isNull();
        details(b, b.send(progress()));
    }

    @Test
    void bud_05_only_who_set_it_changes_it_and_nobody_above_what_is_above() {
        String first = a.send(budget("task", "t1", "\"max_actions\":1,\"on_budget_exhausted\":\"escalate\"", ""));
        work();
        b.send(progress());
        details(b, b.send(progress()));
        String raise = budget("task", "t1", "\"max_actions\":10", ",\"causation_id\":\"" + first + "\"");
        assertThat(b.refusal(b.send(raise))).isEqualTo("unauthorized");
        assertThat(a.refusal(a.send(budget("task", "t1", "\"max_actions\":10", ""))))
                .isEqualTo("conflict");
        assertThat(a.refusal(a.send(raise))).isNull();
        assertThat(b.refusal(b.send(progress()))).isNull();
        b.send("\"type\":\"task.submitted\",\"task_id\":\"t2\",\"parent_task_id\":\"t1\","
                + "\"payload\":{\"task_id\":\"t2\"}");
        assertThat(b.refusal(b.send(budget("task", "t2", "\"max_actions\":11", ""))))
                .isEqualTo("budget_exceeded");
        assertThat(b.refusal(b.send(budget("task", "t2", "\"max_actions\":5", ""))))
                .isNull();
        String forged = a.send("\"type\":\"adaptation.budget.established\",\"payload\":{\"scope_type\":\"task\","
                + "\"scope_id\":\"t9\",\"budget\":{\"max_actions\":1},\"authority\":{\"issuer\":\"agent:b\","
                + "\"capability\":\"budget.establish\"}}");
        assertThat(a.refusal(forged)).isEqualTo("unauthorized");
    }

    @Test
    void theSimpleFormIsSpentByItsName() {
        a.send("\"type\":\"adaptation.budget.established\",\"payload\":{\"budget_id\":\"small\",\"limit\":100}");
        String spend =
                "\"type\":\"agent.message.sent\",\"target\":\"agent:a\",\"budget_id\":\"small\",\"budget_cost\":60";
        assertThat(b.refusal(b.send(spend))).isNull();
        assertThat(details(b, b.send(spend)).integer("remaining")).isEqualTo(40);
        a.send("\"type\":\"adaptation.budget.adjusted\",\"payload\":{\"budget_id\":\"small\",\"new_limit\":200}");
        assertThat(b.refusal(b.send(spend))).isNull();
        assertThat(a.refusal(a.send("\"type\":\"adaptation.budget.adjusted\","
                        + "\"payload\":{\"budget_id\":\"none\",\"new_limit\":1}")))
                .isEqualTo("protocol_error");
    }

    @Test
    void aGoalIsAchievedWhenItsTasksAre() {
        TestWire c = hub.session("agent:c").as("agent:c");
        c.subscribe("{\"types\":[\"adaptation.outcome.*\"]}");
        String goal = "\"type\":\"adaptation.goal.%s\",\"payload\":{\"goal_id\":\"g1\"%s}";
        assertThat(a.refusal(a.send(String.format(goal, "achieved", "")))).isEqualTo("protocol_error");
        a.send(String.format(goal, "created", ",\"goal_description\":\"Release\",\"task_ids\":[\"t1\"]"));
        work();
        String early = a.send(String.format(goal, "achieved", ",\"task_ids\":[\"t1\"]"));
        assertThat(a.answerTo(early)
                        .object("payload")
                        .object("error")
                        .object("details")
                        .string("reason"))
                .isEqualTo("not_achieved");
        assertThat(a.refusal(a.send(String.format(goal, "blocked", ",\"block_reason\":\"waiting\""))))
                .isNull();
        b.send("\"type\":\"task.completed\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\"}");
        assertThat(c.last("adaptation.outcome.correlated").object("payload").string("goal_description"))
                .isEqualTo("Release");
        restart();
        assertThat(a.refusal(a.send(String.format(
                        goal, "achieved", ",\"task_ids\":[\"t1\"],\"tasks_total\":1,\"tasks_satisfactory\":1"))))
                .isNull();
        assertThat(a.refusal(a.send(String.format(goal, "updated", "")))).isEqualTo("protocol_error");
        Json.Obj told = (Json.Obj) hub.ask("goals", null).array("items").items().getFirst();
        assertThat(told.string("state")).isEqualTo("ACHIEVED");
    }
}
