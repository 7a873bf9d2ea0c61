package dev.harmovela.dimension.governance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.Verdict.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Governance claims as a policy question (§7, D35). */
class ClaimsTest {

    private static final Standing BELIEVED = new Standing("default", rights(), true);

    private static Rights rights(String... roles) {
        return Rights.of(Roles.STANDARD.grants(List.of(roles)), EventRegistry.standard());
    }

    private final Claims claims = new Claims(Roles.STANDARD);

    private static Event event(String actor, String action, String roles, String tenant, String target) {
        return EventDraft.of(EventRegistry.standard().require("task.submitted"), "evt_1", "agent:a", 1)
                .tenantId(tenant)
                .targetTenantId(target)
                .member("actor_id", actor == null ? null : Json.of(actor))
                .member("requested_action", action == null ? null : Json.of(action))
                .member("roles", roles == null ? null : Json.of(List.of(roles.split(" "))))
                .payload(Json.Obj.of())
                .build();
    }

    /** The reasons have an order: what is missing first is told first. */
    @ParameterizedTest
    @CsvSource({
        ",         task.submit,     publisher,             acme, acme,   missing_identity",
        ",         task.submit,     ,                      ,     ,       missing_identity",
        "agent:a,  task.submit,     publisher,             ,     acme,   missing_tenant",
        "agent:a,  task.submit,     publisher,             acme, ,       missing_tenant",
        "agent:a,  task.submit,     ,                      ,     ,       missing_tenant",
        "agent:a,  task.submit,     ,                      acme, acme,   missing_role",
        "agent:a,  task.submit,     viewer,                acme, acme,   missing_role",
        "agent:a,  task.submit,     viewer,                acme, globex, missing_role",
        "agent:a,  task.submit,     nonsense,              acme, acme,   missing_role",
        "agent:a,  task.manage,     publisher,             acme, acme,   missing_role",
        "agent:a,  task.submit,     publisher,             acme, globex, tenant_access_denied",
        "agent:a,  task.submit,     admin,                 acme, globex, tenant_access_denied",
        "agent:a,  task.submit,     cross-tenant-operator, acme, globex, ",
        "agent:a,  task.submit,     platform-admin,        acme, globex, ",
        "agent:a,  task.submit,     viewer publisher,      acme, acme,   ",
        "agent:a,  event.subscribe, viewer,                acme, acme,   ",
        "agent:a,  governance.audit.read, tenant-admin,    acme, acme,   ",
        "agent:a,  governance.audit.read, operator,        acme, acme,   missing_role",
        "agent:a,  delegation.own,  supervisor,            acme, acme,   ",
        "agent:a,  conformance.run, admin,                 acme, acme,   ",
        ",         ,                ,                      acme, globex, tenant_access_denied",
        ",         ,                cross-tenant-operator, acme, globex, ",
        ",         ,                ,                      acme, acme,   ",
        ",         ,                ,                      ,     ,       "
    })
    void reasons(String actor, String action, String roles, String tenant, String target, String reason) {
        Verdict verdict = claims.evaluate(event(actor, action, roles, tenant, target), BELIEVED);
        assertThat(verdict.reason()).isEqualTo(reason);
        if (reason != null) {
            assertThat(verdict.outcome()).isEqualTo(Outcome.DENIED);
            assertThat(verdict.refusal().code()).isEqualTo(ErrorCode.UNAUTHORIZED);
            assertThat(verdict.refusal().details().string("reason")).isEqualTo(reason);
        } else {
            assertThat(verdict.outcome()).isEqualTo(action == null ? Outcome.NOT_ASKED : Outcome.ALLOWED);
        }
        assertThat(verdict.actor()).isEqualTo(actor);
        assertThat(verdict.action()).isEqualTo(action);
        assertThat(verdict.targetTenant()).isEqualTo(target);
    }

    @Test
    void rolesFromTheNetworkCountForNothing() {
        Event event = event("agent:a", "task.submit", "platform-admin", "acme", "acme");
        assertThat(claims.evaluate(event, new Standing("acme", rights(), false)).reason())
                .isEqualTo("missing_role");
        Verdict granted = claims.evaluate(event, new Standing("acme", rights("publisher"), false));
        assertThat(granted.outcome()).isEqualTo(Outcome.ALLOWED);
    }

    /** Naming another tenant as one's own does not make it so. */
    @Test
    void tenantFromTheNetworkIsTheCredentials() {
        Standing standing = new Standing("acme", rights("admin"), false);
        Event borrowed = event("agent:a", "task.submit", null, "globex", "globex");
        assertThat(claims.evaluate(borrowed, standing).reason()).isEqualTo("tenant_access_denied");
        Event onlyTarget = event(null, null, null, null, "globex");
        assertThat(claims.evaluate(onlyTarget, standing).reason()).isEqualTo("tenant_access_denied");
        assertThat(claims.evaluate(onlyTarget, new Standing("acme", rights("platform-admin"), false))
                        .reason())
                .isNull();
    }

    @Test
    void crossingIsNeverMeantByAGlob() {
        assertThat(Roles.STANDARD.allow(List.of("admin"), Roles.CROSS_ACCESS)).isFalse();
        assertThat(Roles.STANDARD.allow(List.of("platform-admin"), Roles.CROSS_ACCESS))
                .isTrue();
        assertThat(Roles.covers(List.of("tenant.*", "*"), Roles.CROSS_ACCESS)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "task.*, task.submit, true",
        "task.*, task, false",
        "task.*, tasks.submit, false",
        "*, anything, true",
        "write:*, write:task, true",
        "send:agent:*, send:agent:b, true",
        "send:agent:*, send:tool:b, false",
        "a*b*c, a-b-b-c, true",
        "a*b*c, a-b-b, false"
    })
    void globs(String glob, String action, boolean covered) {
        assertThat(Roles.covers(List.of(glob), action)).isEqualTo(covered);
    }

    /** D40: the role vocabulary spelled out as scopes. */
    @Test
    void publishAndSubscribeStandForScopes() {
        assertThat(Roles.STANDARD.grants(List.of("viewer")))
                .containsExactly("event.subscribe", "subscribe:*", "read:*");
        assertThat(Roles.STANDARD.allow(List.of("publisher"), "write:task")).isTrue();
        assertThat(Roles.STANDARD.allow(List.of("viewer"), "write:task")).isFalse();
        Roles narrowed = Roles.STANDARD.with("publisher", List.of("write:task"));
        assertThat(narrowed.allow(List.of("publisher"), "write:memory")).isFalse();
        assertThat(narrowed.names()).contains("viewer", "platform-admin").hasSize(8);
    }

    @Test
    void oneRoleMayStandAlone() {
        Event event = EventDraft.of(EventRegistry.standard().require("task.submitted"), "evt_1", "agent:a", 1)
                .tenantId("acme")
                .targetTenantId("acme")
                .member("actor_id", Json.of("agent:a"))
                .member("requested_action", Json.of("task.submit"))
                .member("roles", Json.of("publisher"))
                .payload(Json.Obj.of())
                .build();
        assertThat(claims.evaluate(event, BELIEVED).outcome()).isEqualTo(Outcome.ALLOWED);
    }
}
