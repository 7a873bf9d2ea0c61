package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.adaptation.Adaptation;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.WireInfo;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bounds that an agent declared for itself hold where adaptation is agreed on (§11, L1 at L3). */
class DeclaredBoundsTest {

    private static final String PROFILES = "\"profiles\":[\"harmovela.core.v1\",\"harmovela.security.v1\","
            + "\"harmovela.coordination.v1\",\"harmovela.adaptation.v1\"]";

    private TestHub hub = TestHub.inMemory();

    private TestWire session(String identity, String capabilities) {
        Credential all = new Credential("token:" + identity, List.of(), List.of("*"), List.of(), Long.MAX_VALUE);
        return hub.wire(new WireInfo("websocket", Caller.verified(identity, "default", all), WireInfo.Kind.DUPLEX))
                .open(identity, "{" + PROFILES + capabilities + "}")
                .as(identity);
    }

    private static String reason(TestWire wire, String id) {
        Json.Obj answer = wire.answerTo(id).object("payload").object("error");
        return answer == null ? null : answer.object("details").string("reason");
    }

    private static String task(String action, String id) {
        return "\"type\":\"task." + action + "\",\"task_id\":\"" + id + "\",\"payload\":{\"task_id\":\"" + id + "\"}";
    }

    @Test
    void whatIsNotAllowedOrBlockedIsRefused() {
        session("agent:x", "");
        TestWire a = session(
                "agent:a",
                ",\"allowed_actions\":{\"event_families\":[\"task\",\"tool.call\",\"agent\",\"command\"],"
                        + "\"blocklisted_families\":[\"agent\"],\"tool_domains\":[\"web\",\"files*\"],"
                        + "\"blocklisted_tools\":[\"web.buy\"],\"target_identities\":[\"agent:b\",\"tool:*\"]}");
        String call = "\"type\":\"tool.call.requested\",\"correlation_id\":\"c\",\"payload\":{\"tool\":\"TOOL\"}";
        assertThat(reason(a, a.send("\"type\":\"state.updated\",\"payload\":{\"key\":\"k\",\"value\":1}")))
                .isEqualTo("family_not_allowed");
        assertThat(reason(a, a.send("\"type\":\"agent.message.sent\",\"payload\":{\"text\":\"x\"}")))
                .as("a blocklist wins")
                .isEqualTo("blocklisted_family");
        assertThat(a.refusal(a.send(call.replace("TOOL", "web.search")))).isNull();
        assertThat(a.refusal(a.send(call.replace("TOOL", "files.read")))).isNull();
        assertThat(reason(a, a.send(call.replace("TOOL", "web.buy")))).isEqualTo("blocklisted_tool");
        assertThat(reason(a, a.send(call.replace("TOOL", "mail.send")))).isEqualTo("tool_not_allowed");
        String command = "\"type\":\"command.requested\",\"target\":\"agent:x\",\"correlation_id\":\"c1\","
                + "\"payload\":{\"command\":\"go\"}";
        assertThat(reason(a, a.send(command))).isEqualTo("target_not_allowed");
    }

    @Test
    void noMoreTasksAreTakenThanWereDeclared() {
        TestWire boss = session("agent:boss", "");
        TestWire a = session("agent:a", ",\"allowed_actions\":{\"max_concurrent_tasks\":1}");
        boss.send(task("submitted", "t1"));
        boss.send(task("submitted", "t2"));
        assertThat(a.refusal(a.send(task("accepted", "t1")))).isNull();
        assertThat(a.refusal(a.send(task("started", "t1")))).isNull();
        assertThat(reason(a, a.send(task("started", "t2")))).isEqualTo("too_many_tasks");
        assertThat(a.refusal(a.send("\"type\":\"task.completed\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\","
                        + "\"result\":{}}")))
                .isNull();
        assertThat(a.refusal(a.send(task("started", "t2")))).isNull();
    }

    @Test
    void aDeclaredBudgetHoldsForTheSessionAndIsNotRaisedByWhoDeclaredIt() {
        TestWire boss = session("agent:boss", "");
        TestWire a = session("agent:a", ",\"budget\":{\"max_actions\":2,\"scope\":\"per_session\"}");
        boss.send(task("submitted", "t1"));
        a.send(task("started", "t1"));
        assertThat(a.refusal(a.send(task("progress", "t1")))).isNull();
        String raise = a.send("\"type\":\"adaptation.budget.established\",\"payload\":{\"scope_type\":\"session\","
                + "\"scope_id\":\"" + a.sessionId() + "\",\"budget\":{\"max_actions\":99}}");
        assertThat(a.refusal(raise)).isEqualTo("budget_exceeded");
        assertThat(a.refusal(a.send(task("progress", "t1")))).isNull();
        assertThat(a.refusal(a.send(task("progress", "t1")))).isEqualTo("budget_exceeded");
        assertThat(hub.ask("task", "t1").string("state")).isEqualTo("FAILED");
    }

    @Test
    void aDeclaredBudgetForEachTaskIsOneForEach() {
        TestWire boss = session("agent:boss", "");
        TestWire a = session(
                "agent:a",
                ",\"budget\":{\"max_actions\":1,\"scope\":\"per_task\"},"
                        + "\"termination\":{\"on_budget_exhausted\":\"cancel\"}");
        for (String id : List.of("t1", "t2")) {
            boss.send(task("submitted", id));
            a.send(task("started", id));
            assertThat(a.refusal(a.send(task("progress", id)))).isNull();
        }
        assertThat(a.refusal(a.send(task("progress", "t1")))).isEqualTo("budget_exceeded");
        assertThat(hub.ask("task", "t1").bool("cancel_requested")).isTrue();
        assertThat(hub.ask("task", "t2").string("state")).isEqualTo("PROGRESS");
    }

    @Test
    void aHubThatMustNotEnforceSaysSo() {
        HubConfig usual = HubConfig.defaults(List.of("websocket"));
        hub = TestHub.inMemory(new HubConfig(
                usual.registry(),
                usual.limits(),
                usual.offer().without(Adaptation.ENFORCE),
                usual.retry(),
                usual.tasks(),
                usual.bounds()));
        TestWire a = session("agent:a", ",\"budget\":{\"max_actions\":0}");
        String set = a.send("\"type\":\"adaptation.budget.established\",\"payload\":{\"scope_type\":\"task\","
                + "\"scope_id\":\"t1\",\"budget\":{\"max_actions\":0}}");
        assertThat(a.refusal(set)).isEqualTo("missing_capability");
        a.send(task("submitted", "t1"));
        a.send(task("started", "t1"));
        assertThat(a.refusal(a.send(task("progress", "t1")))).isNull();
    }
}
