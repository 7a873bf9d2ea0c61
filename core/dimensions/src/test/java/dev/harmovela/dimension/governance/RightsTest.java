package dev.harmovela.dimension.governance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What grants come to (§7, D25, D35, D40). */
class RightsTest {

    private static final EventRegistry REGISTRY = EventRegistry.standard();

    private static Rights rights(String... grants) {
        return Rights.of(List.of(grants), REGISTRY);
    }

    private static Rights role(String role) {
        return Rights.of(Roles.STANDARD.grants(List.of(role)), REGISTRY);
    }

    private static SubscriptionFilter filter(List<String> types) {
        return SubscriptionFilter.of(Json.Obj.builder().put("types", types).build());
    }

    /** A new event type has to say who may send and read it. */
    @Test
    void everyTypeOfTheRegistryHasARule() {
        for (EventType type : REGISTRY.types()) {
            EventRule rule = EventRule.of(type);
            assertThat(rule).as("rule for %s", type).isNotNull();
            assertThat(rule.sending() == EventRule.Sending.HUB)
                    .as("%s is sent by the hub only", type)
                    .isEqualTo(type.hubOnly());
        }
    }

    @Test
    void withoutGrantsNothingIsAllowedButToSpeakOfOnesOwn() {
        Rights none = rights();
        for (EventType type : REGISTRY.types()) {
            boolean own =
                    Set.of("session", "capabilities", "subscription", "event").contains(type.family());
            assertThat(none.mayWrite(type)).as(type.name()).isEqualTo(own && !type.hubOnly());
            assertThat(none.mayRead(type)).isFalse();
        }
        assertThat(none.maySend("agent:a")).isFalse();
        assertThat(none.holds("task.submit")).isFalse();
        assertThat(none.missingToSubscribe(filter(List.of("task.*")))).isEqualTo("subscribe:task.*");
    }

    @Test
    void standardRolesDoWhatTheirVocabularySays() {
        EventType submitted = REGISTRY.require("task.submitted");
        EventType command = REGISTRY.require("command.requested");
        assertThat(role("viewer").mayWrite(submitted)).isFalse();
        assertThat(role("viewer").missingToSubscribe(filter(List.of("*")))).isNull();
        assertThat(role("publisher").mayWrite(submitted)).isTrue();
        assertThat(role("publisher").mayWrite(command)).isFalse();
        assertThat(role("publisher").missingToWrite(command)).isEqualTo("command.issue");
        assertThat(role("supervisor").mayWrite(command)).isTrue();
        assertThat(role("publisher").maySend("agent:any")).isTrue();
        assertThat(role("tenant-admin").holds(Actions.AUDIT_READ)).isTrue();
        assertThat(role("operator").holds(Actions.AUDIT_READ)).isFalse();
        assertThat(role("admin").holds(Actions.HUB_READ)).isFalse();
        assertThat(role("platform-admin").holds(Actions.HUB_READ)).isTrue();
        assertThat(role("admin").holds(Roles.CROSS_ACCESS)).isFalse();
        assertThat(role("admin").mayWrite(REGISTRY.require("audit.recorded"))).isFalse();
    }

    /** Only a filter that names the hub's own families brings them, so only that one needs the rights to them. */
    @Test
    void lettersAndAuditNeedRightsOfTheirOwn() {
        Rights viewer = role("viewer");
        assertThat(viewer.missingToSubscribe(filter(List.of("*")))).isNull();
        assertThat(viewer.missingToSubscribe(filter(List.of("event.*")))).isEqualTo(Actions.DLQ_READ);
        assertThat(viewer.missingToSubscribe(filter(List.of("event.delivered"))))
                .isNull();
        assertThat(viewer.missingToSubscribe(filter(List.of("audit.*")))).isEqualTo(Actions.AUDIT_READ);
        assertThat(role("tenant-admin").missingToSubscribe(filter(List.of("audit.*", "event.*"))))
                .isNull();
    }

    @Test
    void aDeclarationNarrowsAndNeverWidens() {
        Rights all = rights("*", Roles.CROSS_ACCESS);
        Rights some = all.narrowedTo(List.of("task.submit"));
        assertThat(some.mayWrite(REGISTRY.require("task.submitted"))).isTrue();
        assertThat(some.mayWrite(REGISTRY.require("task.started"))).isFalse();
        assertThat(some.maySend("agent:a")).as("it names no send: scope").isTrue();
        assertThat(some.holds(Roles.CROSS_ACCESS)).isFalse();
        assertThat(some.missingToSubscribe(filter(List.of("task.*")))).isEqualTo("subscribe:task.*");
        assertThat(rights("write:task").narrowedTo(List.of("*")).mayWrite(REGISTRY.require("memory.updated")))
                .isFalse();
        assertThat(all.narrowedTo(List.of("send:agent:a")).maySend("agent:b")).isFalse();
        assertThat(all.narrowedTo(List.of()).mayWrite(REGISTRY.require("task.started")))
                .isFalse();
    }

    // --- against a reference that asks type by type

    private static final List<String> PATTERNS = List.of(
            "*",
            "task.*",
            "task.submitted",
            "tool.*",
            "tool.call.*",
            "tool.*.progress",
            "event.*",
            "audit.*",
            "event.dead_lettered",
            "memory.fact.*",
            "memory.*",
            "*.requested",
            "adaptation.goal.*",
            "query.*");
    private static final List<String> GRANTS = List.of(
            "*",
            "write:task",
            "write:*",
            "write:t*",
            "read:*",
            "read:task",
            "read:tool.call",
            "read:memory",
            "read:event",
            "read:e*",
            "send:agent:*",
            "send:agent:a",
            "task.*",
            "task.submit",
            "command.issue",
            "command.*",
            "query.issue",
            "dlq.*",
            "audit.read",
            "event.publish",
            "event.subscribe",
            "governance.audit.read",
            "tenant.cross_access",
            "budget.*");

    private static List<String> pick(Random random, List<String> from, int most) {
        List<String> picked = new ArrayList<>();
        for (int n = random.nextInt(most + 1); n > 0; n--) {
            picked.add(from.get(random.nextInt(from.size())));
        }
        return picked;
    }

    @Test
    void nothingIsAllowedWithoutAGrantAndEverythingGrantedIs() {
        Random random = new Random(42);
        for (int run = 0; run < 4000; run++) {
            List<String> grants = pick(random, GRANTS, 5);
            pick(random, PATTERNS, 3).forEach(pattern -> grants.add("subscribe:" + pattern));
            Rights rights = Rights.of(grants, REGISTRY);
            List<String> asked = pick(random, PATTERNS, 3);
            boolean allowed = rights.missingToSubscribe(filter(asked)) == null;
            List<String> patterns = asked.isEmpty() ? List.of("*") : asked;
            for (EventType type : REGISTRY.types()) {
                assertThat(rights.mayWrite(type)).as("%s %s", grants, type).isEqualTo(Naive.writes(grants, type));
                boolean brought = patterns.stream().anyMatch(one -> Naive.brings(one, type));
                if (allowed && brought) {
                    assertThat(Naive.reads(grants, type))
                            .as("%s %s %s", grants, asked, type)
                            .isTrue();
                }
            }
            if (!allowed) {
                assertThat(Naive.subscribes(grants, patterns))
                        .as("%s %s", grants, asked)
                        .isFalse();
            }
        }
    }

    /** The same questions, answered one type at a time from the words of the specification. */
    private static final class Naive {

        static List<String> spelled(List<String> grants) {
            List<String> all = new ArrayList<>(grants);
            if (grants.contains("event.publish")) {
                all.addAll(List.of("write:*", "send:*"));
            }
            if (grants.contains("event.subscribe")) {
                all.addAll(List.of("subscribe:*", "read:*"));
            }
            if (grants.contains("governance.audit.read")) {
                all.add("audit.read");
            }
            return all;
        }

        static boolean has(List<String> grants, String right) {
            for (String grant : spelled(grants)) {
                String regex = grant.replace(".", "\\.").replace("*", ".*");
                boolean sameKind = grant.equals("*") || grant.contains(":") == right.contains(":");
                if (sameKind && right.matches(regex)) {
                    return true;
                }
            }
            return false;
        }

        static boolean writes(List<String> grants, EventType type) {
            if (type.hubOnly()) {
                return false;
            }
            return switch (type.name()) {
                case "task.submitted" -> has(grants, "task.submit") || has(grants, "write:task");
                case "command.requested" -> has(grants, "command.issue");
                case "query.requested" -> has(grants, "query.issue");
                case "delegation.requested", "delegation.handoff.completed" -> has(grants, "delegation.own");
                case "adaptation.budget.established", "adaptation.budget.adjusted" -> has(grants, "budget.establish");
                default ->
                    Set.of("session", "capabilities", "subscription", "event").contains(type.family())
                            || has(grants, "write:" + type.family());
            };
        }

        static boolean brings(String pattern, EventType type) {
            boolean own = Set.of("session", "capabilities", "subscription", "event", "audit")
                    .contains(type.family());
            return TypePattern.parse(pattern).matches(type.name()) && (!own || pattern.startsWith(type.family() + "."));
        }

        static boolean reads(List<String> grants, EventType type) {
            boolean subscribed = grants.contains("*")
                    || spelled(grants).stream()
                            .filter(grant -> grant.startsWith("subscribe:"))
                            .anyMatch(grant -> TypePattern.parse(grant.substring("subscribe:".length()))
                                    .matches(type.name()));
            String needed = switch (type.name()) {
                case "event.dead_lettered" -> "dlq.read";
                case "audit.recorded" -> "audit.read";
                default -> "read:" + type.family();
            };
            return subscribed && has(grants, needed);
        }

        /** Whether each pattern stands among the granted ones word for word and all it brings may be read. */
        static boolean subscribes(List<String> grants, List<String> patterns) {
            return patterns.stream()
                    .allMatch(
                            pattern -> (grants.contains("*") || spelled(grants).contains("subscribe:" + pattern))
                                    && REGISTRY.types().stream()
                                            .filter(type -> brings(pattern, type))
                                            .allMatch(type -> reads(grants, type)));
        }
    }
}
