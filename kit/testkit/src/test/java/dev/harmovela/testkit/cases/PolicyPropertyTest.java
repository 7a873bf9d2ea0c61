package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.WireInfo;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random roles, tenants, filters and events through a whole hub, against a reference that reads grants as texts (§7,
 * D25, D40): no delivery without a right, no right without a grant, and nothing withheld that was granted.
 */
class PolicyPropertyTest {

    private static final List<String> TENANTS = List.of("acme", "globex");
    private static final List<String> NAMES = List.of("agent:a", "agent:b", "agent:c");
    private static final List<String> TYPES = List.of(
            "context.updated", "memory.updated", "memory.summary.ready", "agent.message.sent", "environment.changed");
    private static final List<String> GRANTS = List.of(
            "write:context",
            "write:memory",
            "write:agent",
            "write:*",
            "read:context",
            "read:memory",
            "read:agent",
            "read:*",
            "subscribe:context.*",
            "subscribe:memory.updated",
            "subscribe:memory.*",
            "subscribe:*",
            "send:agent:a",
            "send:agent:*",
            "*");
    private static final List<String> FILTERS =
            List.of("*", "context.*", "memory.*", "memory.updated", "memory.summary.ready", "agent.message.sent");

    private final TestHub hub = TestHub.inMemory();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("harmovela.seeds", 25));
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    /** One who takes part, as the reference knows it. */
    private static final class Member {
        private final String name;
        private final String tenant;
        private final Set<String> grants;
        private final TestWire wire;
        private final List<Wanted> wanted = new ArrayList<>();
        private final Set<String> expected = new TreeSet<>();

        Member(String name, String tenant, Set<String> grants, TestWire wire) {
            this.name = name;
            this.tenant = tenant;
            this.grants = grants;
            this.wire = wire;
        }

        boolean mayWrite(String type) {
            return holds("write:", family(type));
        }

        boolean maySend(@Nullable String target) {
            return target == null || target.equals(name) || holds("send:", target);
        }

        boolean maySubscribe(String pattern) {
            boolean covered = grants.contains("*")
                    || grants.stream()
                            .filter(grant -> grant.startsWith("subscribe:"))
                            .map(grant -> grant.substring("subscribe:".length()))
                            .anyMatch(granted -> granted.equals(pattern)
                                    || (granted.endsWith("*")
                                            && pattern.startsWith(granted.substring(0, granted.length() - 1))));
            boolean readable = pattern.equals("*")
                    ? grants.contains("*") || grants.contains("read:*")
                    : holds("read:", family(pattern));
            return covered && readable;
        }

        private boolean holds(String kind, String what) {
            return grants.contains("*")
                    || grants.contains(kind + "*")
                    || grants.contains(kind + what)
                    || (what.startsWith("agent:") && grants.contains(kind + "agent:*"));
        }
    }

    /** A subscription that was let through. */
    private record Wanted(String id, List<String> patterns) {

        boolean matches(String type) {
            return patterns.stream()
                    .anyMatch(pattern -> pattern.equals("*")
                            || pattern.equals(type)
                            || (pattern.endsWith(".*") && type.startsWith(pattern.substring(0, pattern.length() - 1))));
        }
    }

    private static String family(String type) {
        return type.substring(0, type.indexOf('.'));
    }

    private static <T> T any(SplittableRandom random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private Member member(SplittableRandom random, String name, String tenant) {
        Set<String> grants = new LinkedHashSet<>();
        int many = random.nextInt(7);
        for (int i = 0; i < many; i++) {
            // everything at once is rare
            grants.add(any(random, random.nextInt(4) == 0 ? GRANTS : GRANTS.subList(0, GRANTS.size() - 1)));
        }
        Caller caller = Caller.verified(
                name,
                tenant,
                new Credential("token:" + tenant + name, List.of(), List.copyOf(grants), List.of(), Long.MAX_VALUE));
        TestWire wire = hub.wire(new WireInfo("websocket", caller, WireInfo.Kind.DUPLEX))
                .as(name);
        wire.open(name);
        return new Member(name, tenant, grants, wire);
    }

    private void subscribe(SplittableRandom random, Member member) {
        List<String> patterns = new ArrayList<>(List.of(any(random, FILTERS)));
        if (random.nextBoolean()) {
            patterns.add(any(random, FILTERS));
        }
        String id = member.wire.send(
                "\"type\":\"subscription.requested\",\"payload\":{\"types\":" + Json.of(patterns) + "}");
        boolean may = patterns.stream().allMatch(member::maySubscribe);
        Json.Obj answer = member.wire.answerTo(id);
        assertThat(answer.string("type"))
                .as(member.grants + " and " + patterns)
                .isEqualTo(may ? "subscription.created" : "event.rejected");
        if (may) {
            Json.Obj payload = Objects.requireNonNull(answer.object("payload"));
            member.wanted.add(new Wanted(Objects.requireNonNull(payload.string("subscription_id")), patterns));
        }
    }

    private void publish(SplittableRandom random, Member member, List<Member> all) {
        String type = any(random, TYPES);
        String target = random.nextInt(3) == 0 ? any(random, NAMES) : null;
        String id = member.wire.send("\"type\":\"" + type + "\""
                + (target == null ? "" : ",\"target\":\"" + target + "\"") + ",\"payload\":{\"memory_id\":\"m1\"}");
        boolean may = member.mayWrite(type) && member.maySend(target);
        assertThat(member.wire.refusal(id))
                .as(member.grants + " and " + type + " to " + target)
                .isEqualTo(may ? null : "unauthorized");
        if (!may) {
            return;
        }
        for (Member other : all) {
            if (!other.tenant.equals(member.tenant)) {
                continue;
            }
            for (Wanted wanted : other.wanted) {
                if (wanted.matches(type)) {
                    other.expected.add(wanted.id() + " " + id);
                }
            }
            if (other.name.equals(target)) {
                other.expected.add("inbox " + id);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sec_04_nothing_is_delivered_without_a_right_and_nothing_is_withheld_that_was_granted(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Member> all = new ArrayList<>();
        for (String tenant : TENANTS) {
            for (String name : NAMES) {
                all.add(member(random, name, tenant));
            }
        }
        for (int move = 0; move < 120; move++) {
            Member member = any(random, all);
            if (random.nextInt(5) == 0) {
                subscribe(random, member);
            } else {
                publish(random, member, all);
            }
        }
        for (Member member : all) {
            Set<String> own = new TreeSet<>();
            member.wanted.forEach(wanted -> own.add(wanted.id()));
            Set<String> got = new TreeSet<>();
            for (Json.Obj copy : member.wire.deliveries()) {
                String through = String.valueOf(
                        Objects.requireNonNull(copy.object("delivery")).string("subscription_id"));
                got.add((own.contains(through) ? through : "inbox") + " " + copy.string("id"));
            }
            assertThat(got)
                    .as("seed " + seed + ", " + member.name + " of " + member.tenant + " with " + member.grants)
                    .isEqualTo(member.expected);
        }
    }
}
