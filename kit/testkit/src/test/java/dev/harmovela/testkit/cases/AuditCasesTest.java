package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.WireInfo;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who did what, and who was refused what (§7, D41, OBS-06). */
class AuditCasesTest {

    private final TestHub hub = TestHub.inMemory();

    private static Caller caller(String identity, String tenant, String... grants) {
        Credential credential =
                new Credential("token:tk_" + identity, List.of(), List.of(grants), List.of(), Long.MAX_VALUE);
        return Caller.verified(identity, tenant, credential);
    }

    private static final Caller ACME_ADMIN = caller("agent:acme-admin", "acme", "audit.read");
    private static final Caller GLOBEX_ADMIN = caller("agent:globex-admin", "globex", "audit.read");

    private Answer answer(Caller caller, Json.Obj filter, int limit, @Nullable String cursor) {
        Answer[] got = new Answer[1];
        hub.hub().ask(caller, new Ask("audit", null, filter, limit, cursor), answer -> got[0] = answer);
        hub.drain();
        return Objects.requireNonNull(got[0]);
    }

    private List<Json.Obj> audit(Caller caller, String... filter) {
        Json.Builder asked = Json.Obj.builder();
        for (int i = 0; i < filter.length; i += 2) {
            asked.put(filter[i], filter[i + 1]);
        }
        return items(((Answer.Found) answer(caller, asked.build(), 1000, null)).body());
    }

    private static List<Json.Obj> items(Json.Obj page) {
        return Objects.requireNonNull(page.array("items")).items().stream()
                .map(Json.Obj.class::cast)
                .toList();
    }

    private static List<String> texts(List<Json.Obj> rows, String member) {
        return rows.stream().map(row -> String.valueOf(row.string(member))).toList();
    }

    private TestWire wire(Caller caller) {
        return hub.wire(new WireInfo("websocket", caller, WireInfo.Kind.DUPLEX));
    }

    private TestWire opened(Caller caller) {
        TestWire wire = wire(caller);
        wire.open(Objects.requireNonNull(caller.identity()));
        return wire;
    }

    @Test
    void obs06_each_step_is_told_with_who_did_it_and_what_proved_it() {
        TestWire worker = opened(caller("agent:w", "acme", "*"));
        worker.send("\"type\":\"subscription.requested\",\"source\":\"agent:w\","
                + "\"payload\":{\"types\":[\"task.submitted\"]}");
        String sub = Objects.requireNonNull(worker.last("subscription.created").object("payload"))
                .string("subscription_id");
        TestWire boss = opened(caller("agent:b", "acme", "*"));
        String id = boss.send("\"type\":\"task.submitted\",\"source\":\"agent:b\",\"task_id\":\"t1\","
                + "\"correlation_id\":\"c1\",\"payload\":{}");
        worker.send("\"type\":\"event.acknowledged\",\"source\":\"agent:w\",\"payload\":{\"acknowledged_event_id\":\""
                + id + "\",\"subscription_id\":\"" + sub + "\"}");
        worker.send("\"type\":\"task.started\",\"source\":\"agent:w\",\"task_id\":\"t1\",\"payload\":{}");
        worker.send("\"type\":\"task.completed\",\"source\":\"agent:w\",\"task_id\":\"t1\",\"payload\":{}");

        List<Json.Obj> rows = audit(ACME_ADMIN);
        assertThat(texts(rows, "type"))
                .containsSubsequence(
                        "session.opened",
                        "session.ready",
                        "subscription.created",
                        "task.submitted",
                        "task.started",
                        "task.completed")
                .contains("event.acknowledged");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.string("tenant")).isEqualTo("acme");
            assertThat(row.string("decision")).isEqualTo("allowed");
        });
        Json.Obj submitted = audit(ACME_ADMIN, "type", "task.submitted").getFirst();
        assertThat(submitted.string("event_id")).isEqualTo(id);
        assertThat(submitted.string("actor")).isEqualTo("agent:b");
        assertThat(submitted.string("transport")).isEqualTo("websocket");
        assertThat(submitted.string("transport_identity")).isEqualTo("token:tk_agent:b");
        assertThat(submitted.string("correlation_id")).isEqualTo("c1");
        Json.Obj acknowledged = audit(ACME_ADMIN, "type", "event.acknowledged").getFirst();
        assertThat(acknowledged.string("actor")).isEqualTo("agent:w");
        assertThat(acknowledged.string("event_id")).isEqualTo(id);
        assertThat(acknowledged.string("delivery_status")).isEqualTo("acknowledged");
        assertThat(acknowledged.string("resource")).isEqualTo("subscription:" + sub);
        assertThat(acknowledged.integer("sequence")).isOne();
    }

    @Test
    void obs06_who_refused_a_delivery_is_told_and_the_hub_only_where_it_gave_up_by_itself() {
        TestWire worker = opened(caller("agent:w", "acme", "*")).as("agent:w");
        String sub = worker.subscribe("{\"types\":[\"context.updated\"]}");
        TestWire boss = opened(caller("agent:b", "acme", "*"));
        boss.send("\"type\":\"context.updated\",\"source\":\"agent:b\",\"payload\":{}");
        for (String code : List.of("busy", "invalid_payload")) {
            Json.Obj copy = worker.deliveries("context.updated").getLast();
            worker.send("\"type\":\"event.rejected\",\"source\":\"agent:w\",\"payload\":{\"subscription_id\":\"" + sub
                    + "\",\"acknowledged_event_id\":\"" + copy.string("id") + "\",\"error\":{\"code\":\"" + code
                    + "\",\"message\":\"no\"}}");
            hub.advance(60_000);
        }
        Json.Obj failed = audit(ACME_ADMIN, "type", "event.rejected").getFirst();
        assertThat(failed.string("actor")).isEqualTo("agent:w");
        assertThat(failed.string("reason")).isEqualTo("busy");
        assertThat(audit(ACME_ADMIN, "actor", "agent:w"))
                .filteredOn(row -> "dead_lettered".equals(row.string("delivery_status")))
                .singleElement()
                .satisfies(row -> assertThat(row.string("resource")).isEqualTo("subscription:" + sub));
        boss.send("\"type\":\"context.updated\",\"source\":\"agent:b\",\"payload\":{}");
        hub.advance(30_000);
        assertThat(audit(ACME_ADMIN, "type", "event.rejected").getLast().string("actor"))
                .as("nobody said anything")
                .isEqualTo("harness:harmovela");
    }

    @Test
    void obs06_a_correlation_brings_everything_about_it_also_the_acknowledgements_and_refusals() {
        TestWire worker = hub.session("agent:w");
        worker.subscribe("{\"types\":[\"task.submitted\"]}");
        TestWire boss = hub.session("agent:b");
        boss.send("\"type\":\"task.submitted\",\"task_id\":\"t0\",\"correlation_id\":\"other\",\"payload\":{}");
        boss.send("\"type\":\"task.completed\",\"task_id\":\"nothing\",\"correlation_id\":\"c1\",\"payload\":{}");
        boss.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"correlation_id\":\"c1\",\"payload\":{}");
        worker.deliveries().forEach(worker::ack);
        List<Json.Obj> rows = audit(Caller.open(), "correlation_id", "c1");
        assertThat(texts(rows, "type"))
                .contains("task.completed", "task.submitted", "event.acknowledged")
                .doesNotContain("session.opened");
        assertThat(texts(rows, "correlation_id")).containsOnly("c1");
        assertThat(texts(audit(Caller.open(), "correlation_id", "c1", "decision", "denied"), "type"))
                .containsExactly("task.completed");
        assertThat(audit(Caller.open(), "correlation_id", "nobody")).isEmpty();
    }

    @Test
    void sec01_a_forged_source_is_refused_and_both_tenants_see_the_reach() {
        TestWire bob = opened(caller("agent:bob", "acme", "event.publish"));
        bob.send("\"type\":\"command.requested\",\"source\":\"agent:bob\",\"target\":\"agent:db\","
                + "\"correlation_id\":\"c1\","
                + "\"actor_id\":\"agent:admin\",\"requested_action\":\"command.issue\",\"tenant_id\":\"acme\","
                + "\"target_tenant_id\":\"globex\",\"roles\":[\"admin\"],\"payload\":{\"command\":\"drop\"}");
        for (Caller admin : List.of(ACME_ADMIN, GLOBEX_ADMIN)) {
            List<Json.Obj> denied = audit(admin, "decision", "denied");
            assertThat(denied).as(admin.tenant()).hasSize(1);
            Json.Obj row = denied.getFirst();
            assertThat(row.string("type")).isEqualTo("command.requested");
            assertThat(row.string("actor")).isEqualTo("agent:bob");
            assertThat(row.string("transport_identity")).isEqualTo("token:tk_agent:bob");
            assertThat(row.string("actor_tenant")).isEqualTo("acme");
            assertThat(row.string("target_tenant")).isEqualTo("globex");
            assertThat(row.string("code")).isEqualTo("unauthorized");
            assertThat(row.string("target")).isEqualTo("agent:db");
            assertThat(row.string("time")).isNotNull();
            assertThat(row.string("tenant")).isEqualTo(admin.tenant());
        }
    }

    @Test
    void sec02_a_foreign_session_looks_like_none_and_its_tenant_is_told() {
        TestWire alice = opened(caller("agent:alice", "globex", "*"));
        TestWire bob = opened(caller("agent:bob", "acme", "*"));
        String foreign = bob.send(
                "\"type\":\"context.updated\",\"source\":\"agent:bob\",\"session_id\":\"" + alice.sessionId() + "\"");
        assertThat(bob.refusal(foreign)).isEqualTo("session_error");
        bob.send("\"type\":\"context.updated\",\"source\":\"agent:bob\",\"session_id\":\"ses_none\"");
        assertThat(texts(audit(ACME_ADMIN, "decision", "denied"), "reason"))
                .containsExactly("unknown_session", "unknown_session");
        List<Json.Obj> told = audit(GLOBEX_ADMIN, "decision", "denied");
        assertThat(texts(told, "actor")).containsExactly("agent:bob");
        assertThat(texts(told, "actor_tenant")).containsExactly("acme");
    }

    @Test
    void obs06_a_login_that_fails_is_told_without_a_name() {
        ProtocolError nobody = ProtocolError.of(ErrorCode.UNAUTHENTICATED, "a valid bearer token is needed");
        hub.hub().turnedAway("http", "GET /harmovela/api/stats", nobody);
        hub.advance(2_000);
        Json.Obj row = audit(Caller.open(), "decision", "denied").getFirst();
        assertThat(row.string("action")).isEqualTo("login");
        assertThat(row.string("code")).isEqualTo("unauthenticated");
        assertThat(row.string("actor")).isEmpty();
        assertThat(row.string("target")).isEqualTo("GET /harmovela/api/stats");
    }

    @Test
    void sec02_the_audit_is_for_those_who_may_read_it_and_of_their_own_tenant() {
        opened(caller("agent:x", "globex", "*"));
        assertThat(audit(ACME_ADMIN)).isEmpty();
        assertThat(audit(GLOBEX_ADMIN)).isNotEmpty();
        Answer refused = answer(caller("agent:x", "globex", "event.publish"), Json.Obj.of(), 10, null);
        assertThat(refused).isInstanceOf(Answer.Failed.class);
        assertThat(((Answer.Failed) refused).error().wireCode()).isEqualTo("unauthorized");
        assertThat(texts(audit(GLOBEX_ADMIN, "decision", "denied"), "action")).containsExactly("audit");
    }

    @Test
    void obs06_pages_follow_each_other_without_a_gap_while_the_log_grows() {
        TestWire boss = hub.session("agent:b");
        for (int i = 0; i < 40; i++) {
            boss.send("\"type\":\"task.submitted\",\"task_id\":\"t" + i + "\",\"payload\":{}");
        }
        List<String> whole = texts(audit(Caller.open()), "cursor");
        List<String> paged = new ArrayList<>();
        String cursor = null;
        do {
            Json.Obj page = ((Answer.Found) answer(Caller.open(), Json.Obj.of(), 7, cursor)).body();
            paged.addAll(texts(items(page), "cursor"));
            cursor = page.string("next_cursor");
            if (paged.size() < 30) {
                boss.send("\"type\":\"task.submitted\",\"task_id\":\"more" + paged.size() + "\",\"payload\":{}");
            }
        } while (cursor != null);
        assertThat(paged).doesNotHaveDuplicates().startsWith(whole.toArray(String[]::new));
        assertThat(paged.size()).isGreaterThan(whole.size());
        Answer wrong = answer(Caller.open(), Json.Obj.of(), 7, "?!");
        assertThat(((Answer.Failed) wrong).error().reason()).isEqualTo("cursor_out_of_range");
    }

    @Test
    void obs06_a_time_and_an_actor_narrow_it_and_a_wrong_filter_is_refused() {
        TestWire one = hub.session("agent:one");
        TestWire two = hub.session("agent:two");
        hub.advance(60_000);
        String since = Timestamps.format(hub.now());
        one.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"payload\":{}");
        two.send("\"type\":\"task.submitted\",\"source\":\"agent:two\",\"task_id\":\"t2\",\"payload\":{}");
        assertThat(texts(audit(Caller.open(), "since", since, "type", "task.submitted"), "task_id"))
                .containsExactly("t1", "t2");
        assertThat(texts(audit(Caller.open(), "since", since, "actor", "agent:two"), "task_id"))
                .containsOnly("t2");
        assertThat(texts(audit(Caller.open(), "until", since), "type")).contains("session.opened");
        assertThat(audit(Caller.open(), "until", since, "type", "task.*")).isEmpty();
        for (String[] wrong : new String[][] {{"colour", "red"}, {"since", "yesterday"}, {"type", ".."}}) {
            Json.Obj filter = Json.Obj.builder().put(wrong[0], wrong[1]).build();
            assertThat(answer(Caller.open(), filter, 10, null)).isInstanceOf(Answer.Failed.class);
        }
    }

    @Test
    void d41_a_flood_of_refusals_is_told_by_its_number() {
        TestWire boss = hub.session("agent:b");
        for (int i = 0; i < 5_000; i++) {
            boss.raw("{\"spec_version\":\"0.2\",\"id\":\"e" + i
                    + "\",\"type\":\"task.completed\",\"source\":\"agent:b\","
                    + "\"created_at\":\"2026-07-10T10:00:00Z\",\"task_id\":\"none\",\"payload\":{}}");
        }
        hub.advance(3_000);
        List<Json.Obj> denied = audit(Caller.open(), "decision", "denied", "actor", "agent:b");
        assertThat(denied).hasSize(21);
        assertThat(denied.getLast().integer("count")).isEqualTo(5_000 - 20);
        assertThat(denied.subList(0, 20))
                .allSatisfy(row -> assertThat(row.has("count")).isFalse());
    }

    @Test
    void d41_many_names_are_counted_together() {
        TestWire request = hub.request();
        int names = 2_000;
        for (int name = 0; name < names; name++) {
            request.raw("{\"spec_version\":\"0.2\",\"id\":\"n" + name
                    + "\",\"type\":\"task.completed\",\"source\":\"agent:n" + name
                    + "\",\"created_at\":\"2026-07-10T10:00:00Z\",\"task_id\":\"none\",\"payload\":{}}");
        }
        hub.advance(3_000);
        List<Json.Obj> denied = audit(Caller.open(), "decision", "denied");
        assertThat(denied.size()).isLessThan(300);
        long counted = denied.stream()
                .mapToLong(row -> row.integer("count") == null ? 1 : row.integer("count"))
                .sum();
        assertThat(counted).as("nobody is forgotten").isEqualTo(names);
        assertThat(texts(denied, "actor")).contains("(others)");
    }

    @Test
    void obs06_whoever_may_read_the_audit_can_listen_to_it() {
        TestWire listener = hub.session("agent:listener");
        listener.subscribe("{\"types\":[\"audit.recorded\"]}");
        TestWire star = hub.session("agent:star");
        star.subscribe("{\"types\":[\"*\"]}");
        listener.clear();
        TestWire boss = hub.session("agent:b");
        boss.send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"correlation_id\":\"c1\",\"payload\":{}");
        boss.send("\"type\":\"task.completed\",\"task_id\":\"none\",\"payload\":{}");
        hub.advance(2_000);
        List<Json.Obj> told = listener.deliveries("audit.recorded").stream()
                .map(event -> Objects.requireNonNull(event.object("payload")))
                .toList();
        assertThat(texts(told, "type")).contains("session.opened", "task.submitted", "task.completed");
        assertThat(told.stream().filter(row -> "denied".equals(row.string("decision"))))
                .hasSize(1);
        List<String> asked = texts(audit(Caller.open()), "cursor");
        assertThat(asked).containsAll(texts(told, "cursor"));
        assertThat(star.deliveries("audit.recorded")).isEmpty();
    }

    @Test
    void obs06_what_the_hub_does_by_itself_is_told_too() {
        TestWire worker = hub.session("agent:w");
        worker.subscribe("{\"types\":[\"task.submitted\"],\"ttl_ms\":1000}");
        hub.session("agent:b").send("\"type\":\"task.submitted\",\"task_id\":\"t1\",\"payload\":{\"timeout_ms\":5000}");
        worker.cut();
        hub.advance(400_000);
        List<Json.Obj> rows = audit(Caller.open(), "actor", "harness:harmovela");
        assertThat(texts(rows, "type"))
                .contains("hub.started", "subscription.expired", "task.timed_out", "session.closed");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.string("cause")).isNotEmpty();
            assertThat(row.string("authority")).isEqualTo("hub");
        });
    }
}
