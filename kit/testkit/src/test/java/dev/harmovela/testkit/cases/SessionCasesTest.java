package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.WireInfo;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions that are never closed, vanish, are stolen, outlive a restart, or are used after their end (§3). */
class SessionCasesTest {

    private final TestHub hub = TestHub.inMemory();

    private static String open(String identity, String more) {
        return "{\"type\":\"session.open\",\"source\":\"" + identity + "\"" + more + "}";
    }

    @Test
    void ses_01_opening_without_ever_closing_ends_in_busy_and_bounded_memory() {
        int refused = 0;
        List<TestWire> all = new ArrayList<>();
        for (int wires = 0; wires < 1000; wires++) {
            TestWire wire = hub.wire();
            all.add(wire);
            for (int i = 0; i < 50; i++) {
                String id = "s_" + wires + "_" + i;
                wire.clear();
                wire.raw("{\"spec_version\":\"0.2\",\"id\":\"e" + id
                        + "\",\"type\":\"session.opened\",\"source\":\"agent:a\","
                        + "\"created_at\":\"2026-07-10T10:00:00Z\",\"session_id\":\"" + id
                        + "\",\"payload\":{\"session_id\":\"" + id + "\",\"version\":\"0.2\"}}");
                if (!wire.received("session.error").isEmpty()) {
                    Json.Obj error = wire.last("session.error").object("error");
                    assertThat(error.string("code")).isEqualTo("busy");
                    assertThat(error.bool("retryable")).isTrue();
                    refused++;
                }
            }
        }
        assertThat(refused).isEqualTo(49_000);
        assertThat(hub.ask("status", null).integer("sessions")).isEqualTo(1000);
        all.forEach(TestWire::cut);
        hub.advance(300_000);
        assertThat(hub.ask("status", null).integer("sessions"))
                .as("idle ones go")
                .isZero();
    }

    @Test
    void ses_02_a_silent_peer_is_timed_out_after_three_intervals() {
        TestWire wire = hub.wire();
        wire.send("\"type\":\"session.opened\",\"session_id\":\"s1\",\"payload\":{\"session_id\":\"s1\","
                + "\"version\":\"0.2\","
                + "\"capabilities\":{\"heartbeat_interval_ms\":500}}");
        wire.subscribe("{\"types\":[\"task.*\"]}");
        wire.clear();
        hub.advance(1499);
        assertThat(wire.received("session.error")).isEmpty();
        hub.advance(501);
        Json.Obj error = wire.last("session.error").object("error");
        assertThat(error.string("code")).isEqualTo("session_timeout");
        assertThat(error.bool("retryable")).isTrue();
        assertThat(error.object("details").string("last_heartbeat_at")).isNotNull();
        assertThat(wire.closed()).isEqualTo(CloseReason.GOING_AWAY);
        assertThat(hub.hub().figures().sessionTimeouts()).isEqualTo(1);
        assertThat(hub.ask("sessions", null).array("items").items()).isEmpty();
        wire.cut();
        hub.advance(300_000);
        assertThat(hub.ask("subscriptions", null).array("items").items())
                .as("only the inbox of the identity stays")
                .allSatisfy(row -> assertThat(((Json.Obj) row).string("kind")).isEqualTo("inbox"));
    }

    @Test
    void ses_02_a_new_session_adopts_what_the_failed_one_left() {
        TestWire wire = hub.session("agent:a");
        TestWire publisher = hub.session("agent:p");
        TestWire silent = hub.wire();
        silent.open("agent:b", "{\"heartbeat_interval_ms\":500}");
        silent.subscribe("{\"types\":[\"context.*\"]}");
        hub.advance(2000);
        publisher.send("\"type\":\"context.updated\"");
        TestWire again = hub.wire();
        again.raw(open("agent:b", ",\"resume_session_id\":\"" + silent.sessionId() + "\""));
        again.raw("{\"type\":\"session.ready\",\"session_id\":\""
                + again.last("session.opened").string("session_id") + "\"}");
        assertThat(again.deliveries("context.updated")).hasSize(1);
        assertThat(wire.deliveries()).isEmpty();
    }

    @Test
    void ses_04_a_foreign_session_looks_like_an_unknown_one() {
        WireInfo alice = verified("agent:alice");
        WireInfo bob = verified("agent:bob");
        TestWire wire = hub.wire(alice);
        wire.open("agent:alice");
        Hub.Attachment foreign = hub.hub().joinSession(hub.wire(bob), bob, wire.sessionId());
        Hub.Attachment unknown = hub.hub().joinSession(hub.wire(bob), bob, "sess_none");
        String foreignText = foreign.toString().replace(wire.sessionId(), "ID");
        assertThat(foreign).isInstanceOf(Hub.Attachment.Refused.class);
        assertThat(foreignText).isEqualTo(unknown.toString().replace("sess_none", "ID"));
        TestWire thief = hub.wire(bob);
        thief.raw(open("agent:bob", ",\"session_id\":\"" + wire.sessionId() + "\""));
        assertThat(thief.last("session.error").object("error").string("code")).isEqualTo("session_error");
    }

    private static WireInfo verified(String identity) {
        Caller caller = Caller.verified(
                identity,
                Caller.DEFAULT_TENANT,
                new Credential("token:tk_1", List.of("admin"), List.of("*"), List.of(), Long.MAX_VALUE));
        return new WireInfo("websocket", caller, WireInfo.Kind.DUPLEX);
    }

    @Test
    void ses_08_nothing_is_taken_or_delivered_after_the_close() {
        TestWire wire = hub.session("agent:a");
        wire.subscribe("{\"types\":[\"task.*\"]}");
        String session = wire.sessionId();
        wire.send("\"type\":\"session.closed\",\"session_id\":\"" + session + "\",\"payload\":{\"reason\":\"done\"}");
        wire.clear();
        String late = wire.send("\"type\":\"task.submitted\",\"session_id\":\"" + session + "\",\"task_id\":\"t9\"");
        assertThat(wire.refusal(late)).isEqualTo("session_closed");
        hub.session("agent:b").send("\"type\":\"task.submitted\",\"task_id\":\"t10\"");
        assertThat(wire.deliveries()).isEmpty();
        String never = wire.send("\"type\":\"task.submitted\",\"session_id\":\"s_never\",\"task_id\":\"t9\"");
        assertThat(wire.refusal(never)).isEqualTo("session_error");
    }

    @Test
    void ses_08_on_a_pipe_the_same() {
        TestWire pipe = hub.pipe();
        String closed =
                pipe.send("\"type\":\"session.closed\",\"session_id\":\"s1\",\"payload\":{\"session_id\":\"s1\"}");
        assertThat(pipe.refusal(closed)).isNull();
        String late = pipe.send("\"type\":\"task.submitted\",\"session_id\":\"s1\",\"task_id\":\"t9\"");
        assertThat(pipe.refusal(late)).isEqualTo("session_closed");
    }

    @Test
    void sub_02_five_reconnects_leave_one_subscription_and_one_delivery() {
        TestWire wire = hub.session("agent:a");
        String session = wire.sessionId();
        wire.subscribe("{\"types\":[\"context.*\"]}");
        for (int i = 0; i < 5; i++) {
            wire.cut();
            wire = hub.wire();
            wire.raw(open("agent:a", ",\"session_id\":\"" + session + "\""));
            wire.subscribe("{\"types\":[\"context.*\"]}");
        }
        wire.clear();
        hub.session("agent:b").send("\"type\":\"context.updated\",\"payload\":{\"n\":1}");
        assertThat(wire.deliveries()).hasSize(1);
        List<Json> rows = hub.ask("subscriptions", null).array("items").items();
        assertThat(rows.stream().filter(r -> "session".equals(((Json.Obj) r).string("kind"))))
                .hasSize(1);
    }

    @Test
    void sub_01_two_filters_of_one_client_give_two_marked_copies_with_acknowledgements_of_their_own() {
        TestWire wire = hub.session("agent:a");
        String wide = wire.subscribe("{\"types\":[\"task.*\"],\"delivery_mode\":\"at_least_once\"}");
        String narrow = wire.subscribe("{\"types\":[\"task.submitted\"],\"delivery_mode\":\"at_least_once\"}");
        hub.session("agent:b").send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        List<Json.Obj> copies = wire.deliveries("task.submitted");
        assertThat(copies).hasSize(2);
        assertThat(copies.stream().map(c -> c.object("delivery").string("subscription_id")))
                .containsExactlyInAnyOrder(wide, narrow);
        assertThat(copies.get(0).string("id")).isEqualTo(copies.get(1).string("id"));
        wire.ack(copies.get(0));
        String other = copies.get(1).object("delivery").string("subscription_id");
        assertThat(hub.ask("subscription", other).integer("in_flight")).isPositive();
    }

    @Test
    void sub_07_patterns_are_compared_by_segments_and_case() {
        TestWire wire = hub.session("agent:a");
        String all = wire.subscribe("{\"types\":[\"task.*\"]}");
        wire.subscribe("{\"types\":[\"TASK.*\"]}");
        wire.subscribe("{\"types\":[\"task\"]}");
        String tools = wire.subscribe("{\"types\":[\"tool.*.progress\"]}");
        String refused = wire.send("\"type\":\"subscription.requested\",\"payload\":{\"types\":[\"task.**\"]}");
        assertThat(wire.answerTo(refused).string("type")).isEqualTo("subscription.rejected");
        TestWire other = hub.session("agent:b");
        other.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        other.send("\"type\":\"task.cancel.requested\",\"task_id\":\"t1\"");
        other.send("\"type\":\"tool.call.progress\",\"task_id\":\"c1\"");
        assertThat(wire.deliveries("task.cancel.requested").stream()
                        .map(d -> d.object("delivery").string("subscription_id")))
                .containsExactly(all);
        assertThat(wire.deliveries("tool.call.progress").stream()
                        .map(d -> d.object("delivery").string("subscription_id")))
                .containsExactly(tools);
    }
}
