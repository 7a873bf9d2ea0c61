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
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands and queries, seen through the wires of a hub (§10, D25, D28, D31). */
class ExchangeCasesTest {

    private final SimDisk disk = new SimDisk(19);
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

    private static String command(String target, String correlation, String more) {
        return "\"type\":\"command.requested\",\"target\":\"agent:" + target + "\",\"correlation_id\":\"" + correlation
                + "\",\"payload\":{\"command\":\"restart\"" + more + "}";
    }

    private static String query(String target, String correlation, String more) {
        return "\"type\":\"query.requested\",\"target\":\"agent:" + target + "\",\"correlation_id\":\"" + correlation
                + "\",\"payload\":{\"query_scope\":\"s\"" + more + "}";
    }

    private static String answer(String type, String to, String correlation, String payload) {
        return "\"type\":\"" + type + "\",\"target\":\"agent:" + to + "\",\"correlation_id\":\"" + correlation
                + "\",\"payload\":{" + payload + "}";
    }

    private static Json.Obj details(TestWire wire, String id) {
        return wire.answerTo(id).object("payload").object("error").object("details");
    }

    @Test
    void aCommandIsAcceptedCarriedOutAndAnsweredOnce() {
        a.send(command("b", "c1", ",\"args\":{\"n\": 1.0}"));
        assertThat(a.last("command.accepted").object("payload").string("target"))
                .isEqualTo("agent:b");
        Json.Obj asked = b.last("command.requested");
        assertThat(asked.string("source")).isEqualTo("agent:a");
        assertThat(asked.object("payload").toString()).contains("\"n\":1.0");
        restart();
        assertThat(b.refusal(b.send(answer("command.completed", "a", "c1", "\"result\":1"))))
                .isNull();
        assertThat(a.last("command.completed").string("source")).isEqualTo("agent:b");
        String again = b.send(answer("command.failed", "a", "c1", ""));
        assertThat(details(b, again).string("reason")).isEqualTo("answered");
        assertThat(a.deliveries("command.failed")).isEmpty();
    }

    @Test
    void dlg_09_whoIsUnknownIsRefusedAtOnceAndNeverGetsItLater() {
        String id = a.send(command("ghost", "c1", ",\"negotiation_window_ms\":500"));
        assertThat(a.answerTo(id).string("type")).isEqualTo("command.rejected");
        assertThat(a.refusal(id)).isEqualTo("unknown_target");
        TestWire ghost = hub.session("agent:ghost").as("agent:ghost");
        hub.advance(2_000);
        assertThat(ghost.deliveries("command.requested")).isEmpty();
        String late = ghost.send(answer("command.completed", "a", "c1", ""));
        assertThat(ghost.refusal(late)).isEqualTo("invalid_command");
    }

    @Test
    void dlg_09_whoIsAwayIsWaitedForAndNotLonger() {
        b.cut();
        a.send(command("b", "c1", ",\"timeout_ms\":5000"));
        assertThat(a.deliveries("command.accepted")).hasSize(1);
        hub.advance(6_000);
        assertThat(a.last("command.failed").object("payload").string("reason")).isEqualTo("target_offline");
        TestWire back = hub.session("agent:b").as("agent:b");
        assertThat(back.deliveries("command.requested")).isEmpty();
        String late = back.send(answer("command.completed", "a", "c1", ""));
        assertThat(back.refusal(late)).isEqualTo("invalid_command");
        assertThat(a.deliveries("command.completed")).isEmpty();

        back.cut();
        a.send(command("b", "c2", ""));
        hub.advance(30_000);
        TestWire soon = hub.wire().as("agent:b");
        soon.raw("{\"type\":\"session.open\",\"source\":\"agent:b\"}");
        soon.raw("{\"type\":\"session.ready\",\"session_id\":\""
                + soon.last("session.opened").string("session_id") + "\"}");
        assertThat(soon.deliveries("command.requested")).hasSize(1);
        assertThat(soon.refusal(soon.send(answer("command.completed", "a", "c2", ""))))
                .isNull();
    }

    @Test
    void dlg_11_correlationsBelongToTheirRequester() {
        TestWire c = hub.session("agent:c").as("agent:c");
        a.send(query("b", "1", ""));
        c.send(query("b", "1", ""));
        assertThat(b.deliveries("query.requested")).hasSize(2);
        b.send(answer("query.response", "c", "1", "\"data\":\"for-c\""));
        assertThat(a.deliveries("query.response")).isEmpty();
        assertThat(c.last("query.response").object("payload").string("data")).isEqualTo("for-c");
        b.send(answer("query.response", "a", "1", "\"data\":\"for-a\""));
        assertThat(a.last("query.response").object("payload").string("data")).isEqualTo("for-a");
        assertThat(c.deliveries("query.response")).hasSize(1);
    }

    @Test
    void aCorrelationInUseIsNotUsedTwice() {
        String first = a.send(command("b", "c1", ""));
        Json.Obj conflict = details(a, a.send(command("b", "c1", "")));
        assertThat(conflict.string("reason")).isEqualTo("correlation_in_use");
        assertThat(conflict.string("event_id")).isEqualTo(first);
    }

    @Test
    void nobodyAnswersForAnother() {
        TestWire c = hub.session("agent:c").as("agent:c");
        a.send(command("b", "c1", ""));
        assertThat(c.refusal(c.send(answer("command.completed", "a", "c1", ""))))
                .isEqualTo("unauthorized");
        assertThat(b.refusal(b.send(answer("command.completed", "c", "c1", ""))))
                .isEqualTo("invalid_command");
    }

    @Test
    void aChainThatGoesInACircleIsRefused() {
        String loop = a.send(command("b", "c1", ",\"delegation_chain\":[\"agent:b\",\"agent:a\"]"));
        assertThat(details(a, loop).string("reason")).isEqualTo("chain_loop");
        hub.session("agent:x");
        String order = a.send(command("b", "c1", ",\"delegation_chain\":[\"agent:a\",\"agent:x\"]"));
        assertThat(details(a, order).string("reason")).isEqualTo("chain_not_last");
        String stranger = a.send(command("b", "c1", ",\"delegation_chain\":[\"agent:nobody\",\"agent:a\"]"));
        assertThat(details(a, stranger).string("reason")).isEqualTo("chain_unknown");
        assertThat(a.refusal(a.send(command("b", "c1", ",\"delegation_chain\":[\"agent:x\",\"agent:a\"]"))))
                .isNull();
    }

    @Test
    void versionsRiseAndTheSameVersionIsTheSameAnswer() {
        a.send(query("b", "q1", ",\"freshness\":{\"max_age_ms\":60000}"));
        b.send(answer("query.response", "a", "q1", "\"items\":[1]"));
        Json.Obj first = a.last("query.response").object("payload");
        assertThat(first.integer("snapshot_version")).isEqualTo(1);
        b.clear();
        a.send(query("b", "q2", ",\"freshness\":{\"max_age_ms\":60000}"));
        assertThat(b.deliveries("query.requested")).isEmpty();
        assertThat(a.last("query.response").object("payload")).isEqualTo(first);
        assertThat(a.last("query.response").string("correlation_id")).isEqualTo("q2");
        restart();
        a.send(query("b", "q3", ",\"snapshot_version\":1"));
        assertThat(a.last("query.response").object("payload")).isEqualTo(first);
        assertThat(a.refusal(a.send(query("b", "q4", ",\"snapshot_version\":7"))))
                .isEqualTo("stale_state");
        a.send(query("b", "q5", ",\"freshness\":{\"max_age_ms\":60000,\"require_consistent\":true}"));
        assertThat(b.last("query.requested").string("correlation_id")).isEqualTo("q5");
        b.send(answer("query.response", "a", "q5", "\"items\":[1,2],\"snapshot_version\":5"));
        a.send(query("b", "q6", ""));
        String other = b.send(answer("query.response", "a", "q6", "\"items\":[3],\"snapshot_version\":5"));
        assertThat(details(b, other).string("reason")).isEqualTo("version_reused");
        String back = b.send(answer("query.response", "a", "q6", "\"items\":[],\"snapshot_version\":4"));
        assertThat(b.refusal(back)).isEqualTo("stale_state");
        assertThat(b.refusal(b.send(answer("query.response", "a", "q6", "\"snapshot_version\":5,\"items\":[1,2]"))))
                .isNull();
    }

    @Test
    void whatTheHubCompletesInAnAnswerDoesNotMakeItAnotherOneWhenItIsSentAgain() {
        a.send(query("b", "q1", ""));
        String answer =
                "\"id\":\"evt_again\",\"type\":\"query.response\",\"target\":\"agent:a\",\"correlation_id\":\"q1\","
                        + "\"payload\":{\"items\": [1.0]}";
        b.send(answer);
        assertThat(a.last("query.response").object("payload").integer("snapshot_version"))
                .isEqualTo(1);
        b.clear();
        b.send(answer);
        assertThat(b.answerTo("evt_again").object("payload").bool("duplicate")).isTrue();
        restart();
        b.clear();
        b.send(answer);
        assertThat(b.answerTo("evt_again").object("payload").bool("duplicate")).isTrue();
        b.clear();
        b.send(answer.replace("[1.0]", "[2]"));
        assertThat(b.refusal("evt_again")).isEqualTo("conflict");
    }

    @Test
    void aCorrelationWhoseRequestHasEndedServesAgain() {
        for (int i = 0; i < 3; i++) {
            assertThat(a.refusal(a.send(command("b", "c1", "")))).isNull();
            assertThat(b.refusal(b.send(answer("command.completed", "a", "c1", ""))))
                    .isNull();
            assertThat(b.refusal(b.send(answer("command.completed", "a", "c1", ""))))
                    .isEqualTo("invalid_command");
        }
        assertThat(hub.ask("exchanges", null).array("items").items()).hasSize(1);
    }

    @Test
    void whatARequestSaysOfTimeAndScopeHasToMakeSense() {
        assertThat(details(a, a.send(command("b", "c1", ",\"timeout_ms\":-1"))).string("path"))
                .isEqualTo("payload.timeout_ms");
        assertThat(details(a, a.send(command("b", "c1", ",\"negotiation_window_ms\":0")))
                        .string("path"))
                .isEqualTo("payload.negotiation_window_ms");
        String endless = "x".repeat(300);
        String query = a.send("\"type\":\"query.requested\",\"target\":\"agent:b\",\"correlation_id\":\"q\","
                + "\"payload\":{\"query_scope\":\"" + endless + "\"}");
        assertThat(details(a, query).string("path")).isEqualTo("payload.query_scope");
        assertThat(b.deliveries()).isEmpty();
    }

    // --- best effort (D45)

    private static final String PASSING = "\"delivery\":{\"mode\":\"best_effort\"},";

    @Test
    void d45_aBestEffortCommandLeavesNoFrameAndIsAnsweredOnceAllTheSame() {
        long before = hub.ask("status", null).string("cursor").hashCode();
        a.send(PASSING + command("b", "c1", ""));
        assertThat(a.last("command.accepted").string("correlation_id")).isEqualTo("c1");
        assertThat(b.last("command.requested").string("correlation_id")).isEqualTo("c1");
        assertThat(a.refusal(a.send(PASSING + command("b", "c1", "")))).isEqualTo("invalid_command");
        b.send(PASSING + answer("command.completed", "a", "c1", "\"result\":7"));
        assertThat(a.last("command.completed").object("payload").integer("result"))
                .isEqualTo(7);
        assertThat(b.refusal(b.send(PASSING + answer("command.completed", "a", "c1", ""))))
                .isEqualTo("invalid_command");
        assertThat((long) hub.ask("status", null).string("cursor").hashCode())
                .as("nothing was written yet")
                .isEqualTo(before);
        hub.advance(2000);
        List<String> audited = hub.answer(new dev.harmovela.spi.Ask("audit", null, Json.Obj.of(), 100, null))
                        instanceof dev.harmovela.spi.Answer.Found(Json.Obj body)
                ? body.array("items").items().stream()
                        .map(row -> ((Json.Obj) row).string("type"))
                        .filter(type -> type.startsWith("command."))
                        .toList()
                : List.of();
        assertThat(audited).contains("command.requested", "command.completed");
    }

    @Test
    void d45_aRestartForgetsABestEffortCommandAndNothingOfAnother() {
        a.send(PASSING + command("b", "c1", ""));
        a.send(command("b", "c2", ""));
        restart();
        assertThat(b.refusal(b.send(answer("command.completed", "a", "c1", ""))))
                .isEqualTo("invalid_command");
        assertThat(b.refusal(b.send(answer("command.completed", "a", "c2", ""))))
                .isNull();
    }

    @Test
    void d45_withBestEffortNothingWaitsForWhoIsAway() {
        b.cut();
        String away = a.send(PASSING + command("b", "c1", ""));
        assertThat(details(a, away).string("reason")).isEqualTo("target_offline");
        b = hub.session("agent:b").as("agent:b");
        assertThat(b.deliveries("command.requested")).isEmpty();
        a.send(PASSING + command("b", "c2", ",\"timeout_ms\":500"));
        hub.advance(600);
        assertThat(a.last("command.failed").object("payload").string("reason")).isEqualTo("timeout");
    }

    @Test
    void aQueryThatNobodyAnswersEndsAsAnError() {
        a.send(query("b", "q1", ""));
        hub.advance(31_000);
        assertThat(a.last("query.error").object("payload").object("error").string("code"))
                .isEqualTo("timeout");
        assertThat(b.refusal(b.send(answer("query.response", "a", "q1", "\"items\":[]"))))
                .isEqualTo("invalid_query");
        hub.advance(301_000);
        assertThat(hub.ask("exchanges", null).array("items").items()).isEmpty();
        String lacking = a.send("\"type\":\"query.requested\",\"target\":\"agent:b\",\"correlation_id\":\"q2\"");
        assertThat(details(a, lacking).string("path")).isEqualTo("payload.query_scope");
    }

    @Test
    void aPoolIsAskedThroughOneOfItsMembers() {
        TestWire w = hub.wire();
        w.open("agent:w", "{\"pools\":[\"agent:pool\"]}").as("agent:w");
        a.send(command("pool", "c1", ""));
        assertThat(w.deliveries("command.requested")).hasSize(1);
        assertThat(w.refusal(w.send(answer("command.completed", "a", "c1", ""))))
                .isNull();
        assertThat(a.deliveries("command.completed")).hasSize(1);
    }
}
