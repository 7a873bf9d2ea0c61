package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.TenantPolicy;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.WireInfo;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may do what, and who sees what (§7, D13, D25, D35, D40). */
class SecurityCasesTest {

    private final TestHub hub = TestHub.inMemory();

    @AfterEach
    void stop() {
        hub.close();
    }

    private static Caller caller(String identity, String tenant, String... grants) {
        return Caller.verified(
                identity,
                tenant,
                new Credential(
                        "token:" + tenant + "/" + identity, List.of(), List.of(grants), List.of(), Long.MAX_VALUE));
    }

    private static final String[] READER = {"event.subscribe", "subscribe:*", "read:*"};
    private static final String[] WRITER = {"event.publish", "write:*", "send:*", "task.submit", "subscribe:*", "read:*"
    };

    private TestWire wire(Caller caller) {
        return hub.wire(new WireInfo("websocket", caller, WireInfo.Kind.DUPLEX)).as(String.valueOf(caller.identity()));
    }

    private TestWire session(Caller caller) {
        TestWire wire = wire(caller);
        wire.open(String.valueOf(caller.identity()));
        return wire;
    }

    private Answer ask(Caller caller, String scope, String id, String filter) {
        List<Answer> got = new ArrayList<>();
        hub.hub().ask(caller, new Ask(scope, id, (Json.Obj) Json.parse(filter), 100, null), got::add);
        hub.drain();
        return got.getFirst();
    }

    private List<Json> items(Caller caller, String scope) {
        return ((Answer.Found) ask(caller, scope, null, "{}"))
                .body()
                .array("items")
                .items();
    }

    private static String reason(Json.Obj refusal) {
        return refusal.object("payload").object("error").object("details").string("reason");
    }

    @Test
    void sec_01_names_roles_and_tenants_in_a_message_grant_nothing() {
        TestWire bob = session(caller("agent:bob", "acme", READER));
        String forged = bob.send("\"type\":\"command.requested\",\"source\":\"agent:admin\",\"target\":\"agent:db\","
                + "\"correlation_id\":\"c1\",\"actor_id\":\"agent:admin\",\"requested_action\":\"command.issue\","
                + "\"tenant_id\":\"globex\",\"roles\":[\"admin\"],\"payload\":{\"command\":\"drop\"}");
        assertThat(bob.answerTo(forged).string("type")).isEqualTo("command.rejected");
        assertThat(bob.refusal(forged)).isEqualTo("unauthorized");
        assertThat(reason(bob.answerTo(forged))).isEqualTo("forged_source");
        String own = bob.send("\"type\":\"command.requested\",\"target\":\"agent:db\",\"correlation_id\":\"c2\","
                + "\"actor_id\":\"agent:bob\",\"requested_action\":\"command.issue\",\"tenant_id\":\"acme\","
                + "\"target_tenant_id\":\"acme\",\"roles\":[\"admin\"],\"payload\":{\"command\":\"drop\"}");
        assertThat(reason(bob.answerTo(own))).isEqualTo("missing_role");
        TestWire admin = session(caller("agent:carol", "acme", "*"));
        String borrowed = admin.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"actor_id\":\"agent:admin\","
                + "\"requested_action\":\"task.submit\",\"tenant_id\":\"acme\",\"target_tenant_id\":\"acme\"");
        assertThat(reason(admin.answerTo(borrowed))).isEqualTo("forged_actor");
        String away = admin.send("\"type\":\"task.submitted\",\"task_id\":\"t2\",\"target_tenant_id\":\"globex\"");
        assertThat(reason(admin.answerTo(away))).isEqualTo("tenant_access_denied");
    }

    @Test
    void sec_02_a_foreign_task_answers_like_one_that_is_not_there() {
        Caller alice = caller("agent:alice", "acme", WRITER);
        session(alice).send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        Caller bob = caller("agent:bob", "globex", WRITER);
        Caller submitterOnly = caller("agent:eve", "acme", "task.submit");
        assertThat(ask(alice, "task", "t1", "{}")).isInstanceOf(Answer.Found.class);
        for (Caller other : List.of(bob, submitterOnly)) {
            String foreign = ask(other, "task", "t1", "{}").toString();
            assertThat(foreign)
                    .isEqualTo(ask(other, "task", "t0", "{}").toString().replace("t0", "t1"));
            assertThat(items(other, "tasks")).isEmpty();
        }
        TestWire wire = session(bob);
        String foreign = wire.send("\"type\":\"task.cancel.requested\",\"task_id\":\"t1\"");
        String missing = wire.send("\"type\":\"task.cancel.requested\",\"task_id\":\"t0\"");
        assertThat(wire.answerTo(foreign).object("payload").toString())
                .isEqualTo(wire.answerTo(missing).object("payload").toString().replace("t0", "t1"));
        assertThat(((Answer.Found) ask(bob, "history", null, "{\"task_id\":\"t1\"}"))
                        .body()
                        .toString())
                .isEqualTo(((Answer.Found) ask(bob, "history", null, "{\"task_id\":\"t0\"}"))
                        .body()
                        .toString());
    }

    @Test
    void sec_04_a_filter_wider_than_the_scopes_is_refused_whole() {
        TestWire wire = session(caller("agent:a", "default", "subscribe:task.*", "read:task"));
        TestWire other = session(caller("agent:b", "default", READER));
        for (String filter : List.of(
                "{\"types\":[\"*\"]}",
                "{\"types\":[\"task.*\",\"memory.*\"]}",
                "{\"target\":\"agent:b\"}",
                "{\"source\":\"agent:b\"}",
                "{\"types\":[\"task.*\"],\"session_id\":\"" + other.sessionId() + "\"}",
                "{\"types\":[\"task.*\"],\"session_id\":\"s_of_nobody\"}")) {
            String id = wire.send("\"type\":\"subscription.requested\",\"payload\":" + filter);
            assertThat(wire.answerTo(id).string("type")).as(filter).isEqualTo("event.rejected");
            assertThat(wire.refusal(id)).isEqualTo("unauthorized");
        }
        assertThat(wire.subscribe("{\"types\":[\"task.*\"]}")).isNotEmpty();
        assertThat(wire.subscribe("{\"types\":[\"task.submitted\"],\"session_id\":\"" + wire.sessionId() + "\"}"))
                .isNotEmpty();
        TestWire unread = session(caller("agent:c", "default", "subscribe:*", "read:task"));
        String id = unread.send("\"type\":\"subscription.requested\",\"payload\":{\"types\":[\"*\"]}");
        assertThat(unread.answerTo(id)
                        .object("payload")
                        .object("error")
                        .object("details")
                        .string("required"))
                .startsWith("read:");
    }

    @Test
    void ses_04_a_foreign_session_answers_like_an_unknown_one_on_every_door_and_after_its_end() {
        Caller alice = caller("agent:alice", "acme", WRITER);
        TestWire wire = session(alice);
        String id = wire.sessionId();
        for (Caller thief : List.of(caller("agent:bob", "acme", WRITER), caller("agent:alice", "globex", WRITER))) {
            assertForeignLikeMissing(thief, id);
        }
        wire.send("\"type\":\"session.closed\",\"payload\":{\"session_id\":\"" + id + "\"}");
        assertForeignLikeMissing(caller("agent:bob", "acme", WRITER), id);
    }

    @Test
    void ses_04_a_name_for_a_session_that_another_tenant_has_taken_answers_like_a_free_one() {
        String opened =
                "{\"spec_version\":\"0.2\",\"type\":\"session.opened\",\"source\":\"agent:%s\",\"session_id\":\"%s\","
                        + "\"payload\":{\"session_id\":\"%s\",\"version\":\"0.2\",\"capabilities\":{}}}";
        List<String> answers = new ArrayList<>();
        TestWire alice = wire(caller("agent:alice", "acme", WRITER));
        alice.raw(opened.formatted("alice", "s1", "s1"));
        String taken = alice.last("session.opened").string("session_id");
        for (String name : List.of(taken, "s1", "s_free")) {
            TestWire bob = wire(caller("agent:bob", "globex", WRITER));
            bob.raw(opened.formatted("bob", name, name));
            Json.Obj answer = bob.last("session.opened");
            String given = answer.string("session_id");
            assertThat(given).isNotEqualTo(name);
            answers.add(answer.object("payload").without("cursor").toString().replace(given, "ID"));
            // the peer may go on by the name it wished
            String id = bob.send("\"type\":\"task.submitted\",\"task_id\":\"t_" + answers.size()
                    + "\",\"session_id\":\"" + name + "\"");
            assertThat(bob.refusal(id)).isNull();
        }
        assertThat(answers).hasSize(3).allMatch(answers.getFirst()::equals);
        assertThat(items(caller("agent:alice", "acme", "*"), "sessions")).hasSize(1);
    }

    private void assertForeignLikeMissing(Caller thief, String id) {
        WireInfo info = new WireInfo("sse", thief, WireInfo.Kind.DUPLEX);
        Hub.Attachment foreign = hub.hub().attachSession(hub.wire(info), info, id, null, null);
        Hub.Attachment missing = hub.hub().attachSession(hub.wire(info), info, "sess_none", null, null);
        assertThat(foreign).isInstanceOf(Hub.Attachment.Refused.class);
        assertThat(foreign.toString()).isEqualTo(missing.toString().replace("sess_none", id));
        assertThat(ask(thief, "session", id, "{}").toString())
                .isEqualTo(ask(thief, "session", "sess_none", "{}").toString().replace("sess_none", id));
        TestWire bob = wire(thief);
        String closing = bob.send("\"type\":\"session.closed\",\"payload\":{\"session_id\":\"" + id + "\"}");
        String closingNone = bob.send("\"type\":\"session.closed\",\"payload\":{\"session_id\":\"sess_none\"}");
        assertThat(bob.answerTo(closing).object("payload").toString())
                .isEqualTo(
                        bob.answerTo(closingNone).object("payload").toString().replace("sess_none", id));
    }

    @Test
    void del_14_looking_at_dead_letters_needs_its_own_right_and_changes_nothing() {
        Caller worker = caller("agent:w", "acme", READER);
        TestWire consumer = session(worker);
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        session(caller("agent:p", "acme", WRITER)).send("\"type\":\"context.updated\"");
        Json.Obj delivery = consumer.deliveries("context.updated").getFirst();
        consumer.send("\"type\":\"event.rejected\",\"payload\":{\"acknowledged_event_id\":\"" + delivery.string("id")
                + "\",\"error\":{\"code\":\"invalid_payload\",\"message\":\"no\"}}");
        Caller admin = caller("agent:admin", "acme", "*");
        assertThat(items(admin, "dead_letters")).hasSize(1);
        String before = ((Answer.Found) ask(admin, "stats", null, "{}")).body().toString();
        items(admin, "dead_letters");
        assertThat(((Answer.Found) ask(admin, "stats", null, "{}")).body().toString())
                .isEqualTo(before);
        Answer refused = ask(worker, "dead_letters", null, "{}");
        assertThat(((Answer.Failed) refused).error().details().string("required"))
                .isEqualTo("dlq.read");
        assertThat(items(caller("agent:admin", "globex", "*"), "dead_letters")).isEmpty();
        for (String action : List.of("dlq.replay", "dlq.discard")) {
            List<Answer> got = new ArrayList<>();
            hub.hub().act(worker, action, (Json.Obj) Json.parse("{\"filter\":{}}"), got::add);
            hub.drain();
            assertThat(((Answer.Failed) got.getFirst()).error().details().string("required"))
                    .isEqualTo(action);
        }
    }

    @Test
    void d35_a_session_may_do_what_its_credential_grants_and_it_declared() {
        TestWire wire = wire(caller("agent:a", "default", WRITER));
        wire.open("agent:a", "{\"authorized_actions\":[\"event.subscribe\"]}");
        String submitted = wire.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        assertThat(wire.refusal(submitted)).isEqualTo("unauthorized");
        assertThat(wire.subscribe("{\"types\":[\"task.*\"]}")).isNotEmpty();
        TestWire greedy = wire(caller("agent:b", "default", READER));
        greedy.open("agent:b", "{\"authorized_actions\":[\"*\"]}");
        assertThat(greedy.refusal(greedy.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"")))
                .as("declaring grants nothing")
                .isEqualTo("unauthorized");
        TestWire pipe = hub.pipe();
        pipe.open("agent:a", "{\"authorized_actions\":[\"event.subscribe\"]}");
        assertThat(pipe.refusal(pipe.send("\"type\":\"task.submitted\",\"source\":\"agent:a\",\"task_id\":\"t1\"")))
                .isEqualTo("unauthorized");
    }

    @Test
    void d40_writing_and_addressing_need_their_scopes() {
        TestWire wire = session(caller("agent:a", "default", "write:agent", "send:agent:friend*"));
        assertThat(wire.refusal(wire.send("\"type\":\"agent.message.sent\",\"target\":\"agent:friend1\"")))
                .isNull();
        assertThat(wire.refusal(wire.send("\"type\":\"agent.message.sent\",\"target\":\"agent:other\"")))
                .isEqualTo("unauthorized");
        assertThat(wire.refusal(wire.send("\"type\":\"memory.updated\""))).isEqualTo("unauthorized");
        assertThat(wire.refusal(wire.send("\"type\":\"agent.message.sent\",\"source\":\"agent:b\"")))
                .isEqualTo("unauthorized");
    }

    @Test
    void two_tenants_with_identical_ids_see_nothing_of_each_other() {
        List<TestWire> wires = new ArrayList<>();
        for (String tenant : List.of("acme", "globex", "default")) {
            TestWire wire = session(caller("agent:a", tenant, "*"));
            wire.subscribe("{\"types\":[\"*\"]}");
            wires.add(wire);
        }
        for (int i = 0; i < wires.size(); i++) {
            wires.get(i)
                    .raw("{\"spec_version\":\"0.2\",\"id\":\"evt_same\",\"type\":\"task.submitted\","
                            + "\"source\":\"agent:a\","
                            + "\"created_at\":\"2026-07-10T10:00:00Z\",\"task_id\":\"t1\",\"target\":\"agent:a\","
                            + "\"correlation_id\":\"c1\",\"payload\":{\"task_id\":\"t1\",\"description\":\"" + i
                            + "\"}}");
        }
        String[] tenants = {"acme", "globex", "default"};
        for (int i = 0; i < wires.size(); i++) {
            String mine = Integer.toString(i);
            assertThat(wires.get(i).refusal("evt_same")).isNull();
            assertThat(wires.get(i).deliveries("task.submitted"))
                    .hasSize(2)
                    .allSatisfy(copy -> assertThat(copy.object("payload").string("description"))
                            .isEqualTo(mine));
            Caller admin = caller("agent:a", tenants[i], "*");
            assertThat(items(admin, "tasks")).hasSize(1);
            assertThat(items(admin, "sessions")).hasSize(1);
            assertThat(items(admin, "agents")).hasSize(1);
            assertThat(items(admin, "subscriptions")).hasSize(2);
            Json.Obj stats = ((Answer.Found) ask(admin, "stats", null, "{}")).body();
            assertThat(stats.integer("events_published")).isEqualTo(1);
            assertThat(((Answer.Found) ask(admin, "history", null, "{\"event_id\":\"evt_same\"}"))
                            .body()
                            .array("items")
                            .items())
                    .hasSize(1);
        }
    }

    @Test
    void an_inbox_of_another_tenant_cannot_be_named_into_being() {
        session(caller("agent:a", "default", "*"))
                .send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"target\":\"agent:x#acme\"");
        session(caller("agent:a", "default", "*"))
                .send("\"type\":\"task.submitted\",\"task_id\":\"t2\",\"target\":\"#acme:agent:x\"");
        TestWire victim = session(caller("agent:x", "acme", READER));
        assertThat(victim.deliveries()).isEmpty();
        assertThat(items(caller("agent:x", "acme", READER), "subscriptions")).hasSize(1);
    }

    @Test
    void crossing_needs_the_right_by_name_and_lands_in_the_other_tenant_only() {
        TestWire there = session(caller("agent:t", "globex", READER));
        there.subscribe("{\"types\":[\"task.*\"]}");
        TestWire here = session(caller("agent:h", "acme", READER));
        here.subscribe("{\"types\":[\"task.*\"]}");
        TestWire operator = session(caller("agent:op", "acme", "*", "tenant.cross_access"));
        String id = operator.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"target_tenant_id\":\"globex\"");
        assertThat(operator.refusal(id)).isNull();
        assertThat(there.deliveries("task.submitted")).hasSize(1);
        assertThat(here.deliveries("task.submitted")).isEmpty();
        String subscribed = operator.send("\"type\":\"subscription.requested\",\"target_tenant_id\":\"globex\","
                + "\"payload\":{\"types\":[\"task.*\"]}");
        assertThat(operator.refusal(subscribed)).isEqualTo("not_supported");
    }

    @Test
    void a_live_connection_follows_its_credential() {
        Caller before = caller("agent:a", "default", WRITER);
        TestWire wire = session(before);
        String tasks = wire.subscribe("{\"types\":[\"task.*\"]}");
        String memory = wire.subscribe("{\"types\":[\"memory.*\"]}");
        Caller after = Caller.verified(
                "agent:a",
                "default",
                new Credential(
                        before.credential().name(),
                        List.of(),
                        List.of("subscribe:task.*", "read:task"),
                        List.of(),
                        Long.MAX_VALUE));
        hub.hub().govern(Map.of(), held -> held.equals(before) ? after : held);
        hub.drain();
        Json.Obj ended = wire.last("subscription.expired").object("payload");
        assertThat(ended.string("subscription_id")).isEqualTo(memory);
        assertThat(ended.string("reason")).isEqualTo("rights_withdrawn");
        assertThat(wire.refusal(wire.send("\"type\":\"task.submitted\",\"task_id\":\"t9\"")))
                .isEqualTo("unauthorized");
        hub.session("agent:p").send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        assertThat(wire.deliveries("task.submitted"))
                .singleElement()
                .satisfies(copy -> assertThat(copy.object("delivery").string("subscription_id"))
                        .isEqualTo(tasks));
        hub.hub().govern(Map.of(), _ -> null);
        hub.drain();
        assertThat(wire.closed()).isEqualTo(CloseReason.UNAUTHORIZED);
    }

    @Test
    void a_connection_ends_when_its_credential_expires() {
        Caller brief = Caller.verified(
                "agent:a",
                "default",
                new Credential("token:tk_1", List.of(), List.of("*"), List.of(), hub.now() + 5_000));
        TestWire wire = session(brief);
        hub.advance(4_999);
        assertThat(wire.closed()).isNull();
        hub.advance(2);
        assertThat(wire.closed()).isEqualTo(CloseReason.UNAUTHORIZED);
    }

    @Test
    void limits_of_a_tenant_refuse_with_a_time_to_come_back() {
        TenantPolicy.Limits limits = new TenantPolicy.Limits(1, 3, Long.MAX_VALUE, Long.MAX_VALUE, 2);
        hub.hub().govern(Map.of("acme", new TenantPolicy(limits, List.of())), held -> held);
        TestWire wire = session(caller("agent:a", "acme", "*"));
        TestWire second = wire(caller("agent:b", "acme", "*"));
        second.raw("{\"spec_version\":\"0.2\",\"type\":\"session.open\",\"source\":\"agent:b\"}");
        Json.Obj full = second.last("session.error").object("error");
        assertThat(full.string("code")).isEqualTo("rate_limited");
        assertThat(full.object("details").integer("retry_after_ms")).isPositive();
        wire.subscribe("{\"types\":[\"task.*\"]}");
        wire.subscribe("{\"types\":[\"memory.*\"]}");
        assertThat(wire.refusal(
                        wire.send("\"type\":\"subscription.requested\",\"payload\":{\"types\":[\"context.*\"]}")))
                .isEqualTo("rate_limited");
        assertThat(wire.refusal(wire.send("\"type\":\"context.updated\""))).isNull();
        assertThat(wire.refusal(wire.send("\"type\":\"context.updated\""))).isNull();
        String third = wire.send("\"type\":\"context.updated\"");
        assertThat(wire.refusal(third)).isEqualTo("rate_limited");
        Long wait = wire.answerTo(third)
                .object("payload")
                .object("error")
                .object("details")
                .integer("retry_after_ms");
        hub.advance(wait);
        assertThat(wire.refusal(wire.send("\"type\":\"context.updated\""))).isNull();
        TestWire other = session(caller("agent:a", "globex", "*"));
        for (int i = 0; i < 10; i++) {
            assertThat(other.refusal(other.send("\"type\":\"context.updated\"")))
                    .isNull();
        }
    }

    @Test
    void the_security_profile_is_agreed_on_only_where_rights_are_enforced() {
        String asked = "{\"profiles\":[\"harmovela.core.v1\",\"harmovela.security.v1\","
                + "\"harmovela.coordination.v1\",\"harmovela.adaptation.v1\"]}";
        TestWire known = wire(caller("agent:a", "default", "write:task"));
        known.raw("{\"type\":\"session.open\",\"source\":\"agent:a\",\"capabilities\":" + asked + "}");
        Json.Obj agreed = known.last("session.opened").object("capabilities");
        assertThat(agreed.strings("profiles"))
                .contains("harmovela.security.v1", "harmovela.coordination.v1", "harmovela.adaptation.v1");
        assertThat(agreed.object("auth").bool("required")).isTrue();
        assertThat(agreed.object("auth").strings("scopes")).containsExactly("write:task");
        TestWire open = hub.wire();
        open.raw("{\"type\":\"session.open\",\"source\":\"agent:a\",\"capabilities\":" + asked + "}");
        Json.Obj free = open.last("session.opened").object("capabilities");
        assertThat(free.strings("profiles"))
                .doesNotContain("harmovela.security.v1", "harmovela.coordination.v1", "harmovela.adaptation.v1");
        assertThat(free.object("auth").bool("required")).isFalse();
    }

    @Test
    void what_a_tenant_has_in_flight_is_bounded_over_all_its_subscriptions() {
        TenantPolicy.Limits limits =
                new TenantPolicy.Limits(Long.MAX_VALUE, Long.MAX_VALUE, 2, Long.MAX_VALUE, Long.MAX_VALUE);
        hub.hub().govern(Map.of("acme", new TenantPolicy(limits, List.of())), held -> held);
        TestWire one = session(caller("agent:a", "acme", "*"));
        TestWire two = session(caller("agent:b", "acme", "*"));
        TestWire other = session(caller("agent:a", "globex", "*"));
        for (TestWire wire : List.of(one, two, other)) {
            wire.subscribe("{\"types\":[\"context.*\"]}");
        }
        for (int i = 0; i < 3; i++) {
            one.send("\"type\":\"context.updated\"");
            other.send("\"type\":\"context.updated\"");
        }
        assertThat(one.deliveries().size() + two.deliveries().size()).isEqualTo(2);
        assertThat(other.deliveries()).hasSize(3);
        for (int acknowledged = 0; acknowledged < 6; ) {
            int before = acknowledged;
            for (TestWire wire : List.of(one, two)) {
                List<Json.Obj> copies = wire.deliveries();
                wire.clear();
                copies.forEach(wire::ack);
                acknowledged += copies.size();
            }
            hub.advance(20);
            assertThat(acknowledged).as("nobody is left waiting").isGreaterThan(before);
        }
        one.send("\"type\":\"context.updated\"");
        two.send("\"type\":\"session.closed\",\"payload\":{\"session_id\":\"" + two.sessionId() + "\"}");
        one.clear();
        one.send("\"type\":\"context.updated\"");
        hub.advance(20);
        assertThat(one.deliveries())
                .as("what an ended session had out counts no longer")
                .isNotEmpty();
    }

    @Test
    void members_are_taken_from_what_consumers_without_the_right_get() {
        TenantPolicy.Redaction rule = new TenantPolicy.Redaction(
                List.of(TypePattern.parse("memory.*")), List.of("ssn", "born"), "read:belief");
        hub.hub().govern(Map.of("acme", new TenantPolicy(TenantPolicy.Limits.NONE, List.of(rule))), held -> held);
        TestWire some = session(caller("agent:some", "acme", "subscribe:memory.*", "read:memory"));
        TestWire all = session(caller("agent:all", "acme", "subscribe:memory.*", "read:memory", "read:belief"));
        some.subscribe("{\"types\":[\"memory.*\"]}");
        all.subscribe("{\"types\":[\"memory.*\"]}");
        TestWire publisher = session(caller("agent:p", "acme", "*"));
        String id = publisher.send("\"type\":\"memory.updated\",\"payload\":{\"ssn\":\"078-05\",\"name\":\"x\"}");
        Json.Obj less = some.deliveries("memory.updated").getFirst().object("payload");
        assertThat(less.toString()).isEqualTo("{\"name\":\"x\",\"_redacted\":[\"ssn\"]}");
        assertThat(all.deliveries("memory.updated").getFirst().object("payload").string("ssn"))
                .isEqualTo("078-05");
        String filter = "{\"event_id\":\"" + id + "\"}";
        assertThat(ask(caller("agent:some", "acme", "read:memory"), "history", null, filter)
                        .toString())
                .contains("_redacted")
                .doesNotContain("078-05");
        assertThat(ask(caller("agent:all", "acme", "read:memory", "read:belief"), "history", null, filter)
                        .toString())
                .contains("078-05");
        String made = publisher.send("\"type\":\"memory.updated\",\"payload\":{\"_redacted\":[\"x\"]}");
        assertThat(publisher.refusal(made)).isEqualTo("invalid_payload");
    }
}
