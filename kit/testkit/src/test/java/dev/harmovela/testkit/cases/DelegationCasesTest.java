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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Work that is handed over, seen through the wires of a hub (§10, D29). */
class DelegationCasesTest {

    private final SimDisk disk = new SimDisk(13);
    private TestHub hub = start(TestHub.START);
    private final Map<String, TestWire> wires = new HashMap<>();

    private TestHub start(long now) {
        HarmovelaHub.JournalFactory journal = (keys, listener) -> SegmentJournal.open(
                disk, JournalOptions.DEFAULT.withSegmentBytes(1 << 20), new InlineThreads(), keys, listener);
        return TestHub.on(HubConfig.defaults(List.of("websocket")), journal, now);
    }

    private void restart() {
        long now = hub.now() + 1000;
        hub.close();
        wires.clear();
        hub = start(now);
    }

    private TestWire wire(String name) {
        return wires.computeIfAbsent(name, _ -> hub.session("agent:" + name).as("agent:" + name));
    }

    private String say(String who, String action, String task, String by, String to, String more) {
        return wire(who)
                .send("\"type\":\"delegation." + action + "\",\"task_id\":\"" + task
                        + "\",\"parent_task_id\":\"t1\",\"delegated_by\":\"agent:" + by + "\""
                        + (to == null ? "" : ",\"delegated_to\":\"agent:" + to + "\"")
                        + (more.startsWith("\"payload\"") ? "," + more : more + ",\"payload\":{}"));
    }

    private String refusal(String who, String id) {
        return wire(who).refusal(id);
    }

    private Json.Obj details(String who, String id) {
        return wire(who).answerTo(id).object("payload").object("error").object("details");
    }

    /** The token that the delegator got when its request was accepted. */
    private String token(String delegator) {
        return Objects.requireNonNull(
                wire(delegator).last("delegation.accepted").string("handoff_token"));
    }

    private static String with(String token) {
        return ",\"handoff_token\":\"" + token + "\"";
    }

    private void handOver(String task, String by, String to) {
        assertThat(refusal(by, say(by, "requested", task, by, to, ""))).isNull();
        assertThat(refusal(to, say(to, "accepted", task, by, to, ""))).isNull();
        assertThat(refusal(by, say(by, "handoff.completed", task, by, to, with(token(by)))))
                .isNull();
    }

    private String owner(String task) {
        return hub.ask("task", task).string("owner");
    }

    @Test
    void ownershipMovesWithTheProofAndNotBefore() {
        wire("b");
        say("a", "requested", "t2", "a", "b", "");
        assertThat(owner("t2")).isEqualTo("agent:a");
        assertThat(hub.ask("task", "t2").string("state")).isEqualTo("SUBMITTED");
        assertThat(wire("b").last("delegation.requested").string("task_id")).isEqualTo("t2");
        say("b", "accepted", "t2", "a", "b", "");
        assertThat(owner("t2")).isEqualTo("agent:a");
        assertThat(refusal("a", say("a", "handoff.completed", "t2", "a", "b", with(token("a")))))
                .isNull();
        assertThat(owner("t2")).isEqualTo("agent:b");
        assertThat(hub.ask("task", "t2").string("state")).isEqualTo("ACCEPTED");
        assertThat(hub.ask("task", "t1").string("owner")).isEqualTo("agent:a");
        String stale = wire("a").send("\"type\":\"task.started\",\"task_id\":\"t2\",\"payload\":{\"task_id\":\"t2\"}");
        assertThat(refusal("a", stale)).isEqualTo("task_error");
        String now = wire("b").send("\"type\":\"task.started\",\"task_id\":\"t2\",\"payload\":{\"task_id\":\"t2\"}");
        assertThat(refusal("b", now)).isNull();
        Json.Obj told =
                (Json.Obj) hub.ask("delegations", null).array("items").items().getFirst();
        assertThat(told.strings("chain")).containsExactly("agent:a", "agent:b");
    }

    @Test
    void dlg_01_work_that_goes_round_in_a_circle_is_stopped_and_told_once() {
        List.of("a", "b", "c").forEach(this::wire);
        handOver("t2", "a", "b");
        restart();
        List.of("a", "b", "c").forEach(this::wire);
        say("b", "requested", "t2", "b", "a", "");
        Json.Obj loop = wire("b").last("delegation.rejected").object("payload");
        assertThat(loop.string("reason")).isEqualTo("loop");
        assertThat(loop.strings("chain")).containsExactly("agent:a", "agent:b");
        assertThat(wire("a").deliveries("delegation.escalated")).hasSize(1);
        say("b", "requested", "t2", "b", "a", "");
        assertThat(wire("a").deliveries("delegation.escalated")).hasSize(1);
        assertThat(owner("t2")).isEqualTo("agent:b");
        String last = "b";
        for (int i = 0; i < 20; i++) {
            String next = "w" + i;
            wire(next);
            say(last, "requested", "t2", last, next, "");
            if (!wire(last).deliveries("delegation.rejected").isEmpty() && i > 0) {
                assertThat(i).isEqualTo(7);
                return;
            }
            say(next, "accepted", "t2", last, next, "");
            say(last, "handoff.completed", "t2", last, next, with(token(last)));
            last = next;
        }
        throw new AssertionError("nobody stopped it");
    }

    @Test
    void dlg_02_a_second_request_for_the_same_task_names_the_first() {
        List.of("b", "c").forEach(this::wire);
        String first = say("a", "requested", "t2", "a", "b", "");
        Json.Obj conflict = details("a", say("a", "requested", "t2", "a", "c", ""));
        assertThat(conflict.string("reason")).isEqualTo("open_delegation");
        assertThat(conflict.string("request_id")).isEqualTo(first);
        assertThat(refusal("a", say("a", "requested", "t3", "a", "c", ""))).isNull();
    }

    @Test
    void dlg_03_of_fifty_who_accept_one_has_it() {
        List<TestWire> pool = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            TestWire one = hub.wire();
            one.open("agent:w" + i, "{\"pools\":[\"agent:pool\"]}").as("agent:w" + i);
            pool.add(one);
        }
        say("a", "requested", "t2", "a", "pool", "");
        assertThat(pool).allMatch(one -> one.deliveries("delegation.requested").size() == 1);
        int won = 0;
        for (int i = 0; i < 50; i++) {
            TestWire one = pool.get(i);
            String id = one.send("\"type\":\"delegation.accepted\",\"task_id\":\"t2\",\"parent_task_id\":\"t1\","
                    + "\"delegated_by\":\"agent:a\",\"delegated_to\":\"agent:w" + i + "\",\"payload\":{}");
            if (one.refusal(id) == null) {
                won++;
            } else {
                Json.Obj error = one.answerTo(id).object("payload").object("error");
                assertThat(error.string("code")).isEqualTo("delegation_error");
                assertThat(error.object("details").string("delegated_to")).isEqualTo("agent:w0");
            }
        }
        assertThat(won).isEqualTo(1);
        say("a", "handoff.completed", "t2", "a", "w0", with(token("a")));
        assertThat(owner("t2")).isEqualTo("agent:w0");
    }

    @Test
    void dlg_05_nobody_or_somebody_unknown_is_turned_down_at_once() {
        say("a", "requested", "t2", "a", null, "");
        assertThat(wire("a").last("delegation.rejected").object("payload").string("reason"))
                .isEqualTo("missing_target");
        say("a", "requested", "t2", "a", "ghost", "");
        assertThat(wire("a").last("delegation.rejected").object("payload").string("reason"))
                .isEqualTo("unknown_target");
        assertThat(owner("t2")).isEqualTo("agent:a");
        wire("b").cut();
        say("a", "requested", "t2", "a", "b", "\"payload\":{\"offline\":\"reject\"}");
        assertThat(wire("a").last("delegation.rejected").object("payload").string("reason"))
                .isEqualTo("target_offline");
        wire("a").clear();
        say("a", "requested", "t2", "a", "b", "");
        assertThat(wire("a").deliveries("delegation.rejected")).isEmpty();
        hub.advance(61_000);
        assertThat(wire("a").last("delegation.rejected").object("payload").string("reason"))
                .isEqualTo("target_offline");
    }

    @Test
    void dlg_08_a_token_proves_one_handover_once() {
        List.of("b", "mallory").forEach(this::wire);
        say("a", "requested", "t2", "a", "b", "");
        say("b", "accepted", "t2", "a", "b", "");
        String token = token("a");
        assertThat(details("a", say("a", "handoff.completed", "t2", "a", "b", ""))
                        .string("reason"))
                .isEqualTo("token_missing");
        assertThat(details("a", say("a", "handoff.completed", "t2", "a", "b", with("ht_1")))
                        .string("reason"))
                .isEqualTo("token_foreign");
        assertThat(details("a", say("a", "handoff.completed", "t2", "a", "mallory", with(token)))
                        .string("reason"))
                .isEqualTo("token_delegate");
        assertThat(details("mallory", say("mallory", "handoff.completed", "t2", "a", "b", with(token)))
                        .string("reason"))
                .isEqualTo("token_issuer");
        String claims = new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), StandardCharsets.UTF_8);
        String other = token.split("\\.", -1)[0] + "."
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(claims.replace("t2", "t9").getBytes(StandardCharsets.UTF_8))
                + "." + token.split("\\.", -1)[2];
        assertThat(details("a", say("a", "handoff.completed", "t2", "a", "b", with(other)))
                        .string("reason"))
                .isEqualTo("token_foreign");
        assertThat(refusal("a", say("a", "handoff.completed", "t2", "a", "b", with(token))))
                .isNull();
        restart();
        List.of("a", "b").forEach(this::wire);
        assertThat(details("a", say("a", "handoff.completed", "t2", "a", "b", with(token)))
                        .string("reason"))
                .isEqualTo("token_replayed");
    }

    @Test
    void dlg_08_a_token_is_void_after_escalation_rejection_and_time() {
        List.of("b", "boss").forEach(this::wire);
        say("a", "requested", "t2", "a", "b", "");
        say("b", "accepted", "t2", "a", "b", "");
        String token = token("a");
        hub.advance(301_000);
        assertThat(details("a", say("a", "handoff.completed", "t2", "a", "b", with(token)))
                        .string("reason"))
                .isEqualTo("token_expired");
        say("b", "escalated", "t2", "a", "b", "\"payload\":{\"reason\":\"hard\",\"escalated_to\":\"agent:boss\"}");
        assertThat(wire("boss").last("delegation.escalated").object("payload").string("reason"))
                .isEqualTo("hard");
        assertThat(refusal("a", say("a", "handoff.completed", "t2", "a", "b", with(token))))
                .isEqualTo("delegation_error");
        say("boss", "accepted", "t2", "a", "boss", "");
        assertThat(details("a", say("a", "handoff.completed", "t2", "a", "boss", with(token)))
                        .string("reason"))
                .isEqualTo("token_delegate");
        say("boss", "rejected", "t2", "a", "boss", "");
        assertThat(refusal("a", say("a", "handoff.completed", "t2", "a", "boss", with(token("a")))))
                .isEqualTo("delegation_error");
        assertThat(owner("t2")).isEqualTo("agent:a");
    }

    @Test
    void aRejectionAsksTheNextOneAndThenItIsOver() {
        List.of("b", "c").forEach(this::wire);
        say("a", "requested", "t2", "a", "b", "\"payload\":{\"fallback\":[\"agent:c\"]}");
        say("b", "rejected", "t2", "a", "b", "\"payload\":{\"reason\":\"busy\",\"retry_after_ms\":1000}");
        assertThat(wire("a").last("delegation.rejected").object("payload").integer("retry_after_ms"))
                .isEqualTo(1000);
        assertThat(wire("c").last("delegation.requested").string("delegated_to"))
                .isEqualTo("agent:c");
        say("c", "rejected", "t2", "a", "c", "");
        assertThat(refusal("c", say("c", "escalated", "t2", "a", "c", "\"payload\":{\"reason\":\"x\"}")))
                .isEqualTo("delegation_error");
        assertThat(owner("t2")).isEqualTo("agent:a");
    }

    @Test
    void authorityIsNarrowedAndNeverWidened() {
        List.of("b", "c").forEach(this::wire);
        say("a", "requested", "t2", "a", "b", "\"payload\":{\"authorization_scope\":[\"read\",\"write\"]}");
        say("b", "accepted", "t2", "a", "b", "");
        say("a", "handoff.completed", "t2", "a", "b", with(token("a")));
        String wide = wire("b")
                .send("\"type\":\"delegation.requested\",\"task_id\":\"t3\",\"parent_task_id\":\"t2\","
                        + "\"delegated_by\":\"agent:b\",\"delegated_to\":\"agent:c\","
                        + "\"payload\":{\"authorization_scope\":[\"admin\"]}}".replace("}}", "}"));
        assertThat(details("b", wide).string("reason")).isEqualTo("widened_authority");
        String narrow = wire("b")
                .send("\"type\":\"delegation.requested\",\"task_id\":\"t3\",\"parent_task_id\":\"t2\","
                        + "\"delegated_by\":\"agent:b\",\"delegated_to\":\"agent:c\","
                        + "\"payload\":{\"authorization_scope\":[\"read\"]}");
        assertThat(refusal("b", narrow)).isNull();
        String admin = "\"payload\":{\"authorization_scope\":[\"admin\"]}";
        say("b", "requested", "t2", "b", "c", "\"payload\":{\"authorization_scope\":[\"read\"]}");
        say("c", "rejected", "t2", "b", "c", "");
        assertThat(details("b", say("b", "requested", "t2", "b", "c", admin)).string("reason"))
                .isEqualTo("widened_authority");
        handOver("t2", "b", "c");
        assertThat(details("c", say("c", "requested", "t2", "c", "d", admin)).string("reason"))
                .isEqualTo("widened_authority");
    }

    @Test
    void whatIsTakenBackComesBackWithEverythingBelow() {
        List.of("b", "c").forEach(this::wire);
        handOver("t2", "a", "b");
        wire("b")
                .send("\"type\":\"delegation.requested\",\"task_id\":\"t3\",\"parent_task_id\":\"t2\","
                        + "\"delegated_by\":\"agent:b\",\"delegated_to\":\"agent:c\",\"payload\":{}");
        say("a", "rejected", "t2", "a", "b", "\"payload\":{\"reason\":\"revoked\"}");
        assertThat(owner("t2")).isEqualTo("agent:a");
        assertThat(wire("b").last("delegation.rejected").object("payload").string("reason"))
                .isEqualTo("revoked_above");
        String late = wire("c")
                .send("\"type\":\"delegation.accepted\",\"task_id\":\"t3\",\"parent_task_id\":\"t2\","
                        + "\"delegated_by\":\"agent:b\",\"delegated_to\":\"agent:c\",\"payload\":{}");
        assertThat(refusal("c", late)).isEqualTo("delegation_error");
    }

    @Test
    void strangersNeitherDelegateNorAnswer() {
        List.of("a", "b", "c").forEach(this::wire);
        handOver("t2", "a", "b");
        assertThat(details("a", say("a", "requested", "t2", "a", "c", "")).string("reason"))
                .isEqualTo("not_owner");
        assertThat(refusal("c", say("c", "requested", "t2", "b", "c", ""))).isEqualTo("unauthorized");
        say("b", "requested", "t2", "b", "c", "");
        assertThat(details("a", say("a", "accepted", "t2", "b", "a", "")).string("reason"))
                .isEqualTo("not_delegate");
    }

    @Test
    void whoHadItBeforeTakesItBackWithAllThatWasHandedOnBelow() {
        List.of("a", "b", "c", "d").forEach(this::wire);
        handOver("t2", "a", "b");
        handOver("t2", "b", "c");
        String child = "\"type\":\"task.submitted\",\"task_id\":\"t3\",\"parent_task_id\":\"t2\","
                + "\"payload\":{\"task_id\":\"t3\"}";
        wire("c").send(child);
        String request = "\"type\":\"delegation.requested\",\"task_id\":\"t3\",\"parent_task_id\":\"t2\","
                + "\"delegated_by\":\"agent:c\",\"delegated_to\":\"agent:d\",\"payload\":{}";
        assertThat(refusal("c", wire("c").send(request))).isNull();
        wire("d").send(request.replace("requested", "accepted"));
        wire("c")
                .send(request.replace("requested", "handoff.completed")
                        .replace(",\"payload\"", with(token("c")) + ",\"payload\""));
        assertThat(owner("t3")).isEqualTo("agent:d");
        assertThat(refusal("a", say("a", "rejected", "t2", "b", "c", ""))).isNull();
        assertThat(owner("t2")).isEqualTo("agent:a");
        assertThat(owner("t3")).isEqualTo("agent:a");
        assertThat(wire("d").last("delegation.rejected").object("payload").string("reason"))
                .isEqualTo("revoked_above");
        String late = wire("d").send("\"type\":\"task.started\",\"task_id\":\"t3\",\"payload\":{\"task_id\":\"t3\"}");
        assertThat(refusal("d", late)).isEqualTo("task_error");
    }

    @Test
    void aPoolHasTurnedItDownWhenItsLastMemberHas() {
        for (String name : List.of("v", "w")) {
            TestWire member = hub.wire();
            wires.put(
                    name,
                    member.open("agent:" + name, "{\"pools\":[\"agent:pool\"]}").as("agent:" + name));
        }
        say("a", "requested", "t2", "a", "pool", "");
        assertThat(refusal("v", say("v", "rejected", "t2", "a", "pool", ""))).isNull();
        assertThat(state("t2")).isEqualTo("REQUESTED");
        restart();
        for (String name : List.of("v", "w")) {
            TestWire member = hub.wire();
            wires.put(
                    name,
                    member.open("agent:" + name, "{\"pools\":[\"agent:pool\"]}").as("agent:" + name));
        }
        assertThat(refusal("w", say("w", "rejected", "t2", "a", "pool", ""))).isNull();
        assertThat(state("t2")).isEqualTo("REJECTED");
    }

    private String state(String task) {
        return hub.ask("delegations", null).array("items").items().stream()
                .map(row -> (Json.Obj) row)
                .filter(row -> task.equals(row.string("task_id")))
                .map(row -> row.string("state"))
                .findFirst()
                .orElse(null);
    }

    @Test
    void aProofOfAHandoverIsSeenByTheDelegatorAlone() {
        TestWire reader = wire("reader");
        reader.subscribe("{\"types\":[\"delegation.*\"]}");
        wire("b");
        handOver("t2", "a", "b");
        assertThat(wire("a").last("delegation.accepted").string("handoff_token"))
                .isNotEmpty();
        assertThat(reader.deliveries("delegation.accepted")).isNotEmpty();
        assertThat(reader.deliveries())
                .allSatisfy(copy -> assertThat(copy.has("handoff_token")).isFalse());
    }

    @Test
    void afterAnEscalationCommandsAboutTheTaskGoToWhoHasIt() {
        List.of("a", "b", "s").forEach(this::wire);
        handOver("t2", "a", "b");
        assertThat(refusal(
                        "b",
                        say(
                                "b",
                                "escalated",
                                "t2",
                                "a",
                                "b",
                                "\"payload\":{\"reason\":\"stuck\",\"escalated_to\":\"agent:s\"}")))
                .isNull();
        wire("a")
                .send("\"type\":\"command.requested\",\"target\":\"agent:b\",\"task_id\":\"t2\","
                        + "\"correlation_id\":\"c1\",\"payload\":{\"command\":\"report\"}");
        assertThat(wire("s").last("command.requested").string("correlation_id")).isEqualTo("c1");
        assertThat(wire("b").deliveries("command.requested")).isEmpty();
        wire("s")
                .send("\"type\":\"command.completed\",\"target\":\"agent:a\",\"correlation_id\":\"c1\",\"payload\":{}");
        assertThat(wire("a").deliveries("command.completed")).hasSize(1);
    }

    @Test
    void whatATaskWasGivenForBoundsWhatIsDoneForIt() {
        List.of("a", "b", "c").forEach(this::wire);
        assertThat(refusal(
                        "a",
                        say("a", "requested", "t2", "a", "b", "\"payload\":{\"authorization_scope\":\"read:memory\"}")))
                .isNull();
        say("b", "accepted", "t2", "a", "b", "");
        say("a", "handoff.completed", "t2", "a", "b", with(token("a")));
        String command = "\"type\":\"command.requested\",\"target\":\"agent:c\",\"task_id\":\"t2\","
                + "\"correlation_id\":\"c1\",\"payload\":{\"command\":\"x\",\"authorization_scope\":\"SCOPE\"}";
        String beyond = wire("b").send(command.replace("SCOPE", "write:tool"));
        assertThat(details("b", beyond).string("reason")).isEqualTo("beyond_delegation");
        assertThat(refusal("b", wire("b").send(command.replace("SCOPE", "read:memory"))))
                .isNull();
    }
}
