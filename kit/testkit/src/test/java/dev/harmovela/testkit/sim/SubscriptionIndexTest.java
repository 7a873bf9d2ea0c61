package dev.harmovela.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.Positions;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.routing.Route;
import dev.harmovela.harness.routing.SubscriptionIndex;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The index finds what a look at every filter finds, and looks at little more than that (§4). */
class SubscriptionIndexTest {

    private static final List<String> TYPES = List.of(
            "agent.message.sent", "context.updated", "memory.fact.added", "task.progress", "environment.observed");
    private static final List<String> PATTERNS = List.of(
            "*",
            "agent.*",
            "agent.message.sent",
            "*.updated",
            "memory.*.added",
            "memory.*",
            "task.*",
            "context.updated");
    private static final List<String> NAMES = List.of("agent:a", "agent:b", "agent:c");
    private static final List<String> WORDS = List.of("x", "y", "z");

    private final EventReader reader = new EventReader(EventRegistry.standard(), Limits.DEFAULT);
    private final Positions positions = new Positions();
    private final SubscriptionIndex index = new SubscriptionIndex();
    private final List<Route> routes = new ArrayList<>();

    private Route add(String id, String tenant, Json.Obj filter) {
        positions.apply(new RecoveryFact.Started(id, 0));
        Subscription subscription = new Subscription(
                id,
                Subscription.Kind.SESSION,
                tenant,
                "session",
                filter,
                DeliveryMode.AT_LEAST_ONCE,
                RetryPolicy.DEFAULT,
                10,
                Json.Obj.of(),
                0,
                0,
                Long.MAX_VALUE);
        Route route =
                new Route(subscription, SubscriptionFilter.of(filter), Objects.requireNonNull(positions.find(id)));
        index.add(route);
        routes.add(route);
        return route;
    }

    private Event event(Json.Builder members) {
        Json.Obj json = members.put("spec_version", "0.2")
                .put("created_at", "2026-07-10T10:00:00Z")
                .put("payload", Json.Obj.builder().put("subject", "s").build())
                .build();
        byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        if (reader.read(bytes, 0, bytes.length) instanceof EventReader.Read.Ok ok) {
            return ok.event();
        }
        throw new AssertionError("not an event: " + json);
    }

    private Set<String> found(String tenant, Event event) {
        Set<String> ids = new TreeSet<>();
        index.match(tenant, event, route -> {
            assertThat(ids.add(route.subscription().id())).as("found once").isTrue();
        });
        return ids;
    }

    private Set<String> expected(String tenant, Event event) {
        Set<String> ids = new TreeSet<>();
        for (Route route : routes) {
            if (route.subscription().tenant().equals(tenant) && route.filter().matches(event)) {
                ids.add(route.subscription().id());
            }
        }
        return ids;
    }

    private static <T> T one(SplittableRandom random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static List<String> some(SplittableRandom random, List<String> of) {
        return random.nextBoolean() ? List.of(one(random, of)) : List.of(one(random, of), one(random, of));
    }

    private static Json.Obj filter(SplittableRandom random) {
        Json.Builder filter = Json.Obj.builder();
        boolean typed = random.nextInt(3) != 0;
        if (typed) {
            filter.put("types", some(random, PATTERNS));
        }
        if (!typed || random.nextInt(4) == 0) {
            filter.put(one(random, List.of("source", "target")), some(random, NAMES));
        }
        for (String name : List.of("topic", "session_id", "conversation_id", "task_id")) {
            if (random.nextInt(5) == 0) {
                filter.put(name, some(random, WORDS));
            }
        }
        if (random.nextInt(6) == 0) {
            filter.put("metadata", Json.Obj.builder().put("actor_id", "me").build());
        }
        return filter.build();
    }

    private Event event(SplittableRandom random) {
        Json.Builder event = Json.Obj.builder()
                .put("id", "e" + random.nextInt())
                .put("type", one(random, TYPES))
                .put("source", one(random, NAMES));
        event.put("target", random.nextBoolean() ? one(random, NAMES) : null);
        event.put("actor_id", random.nextInt(3) == 0 ? "me" : null);
        for (String name : List.of("topic", "session_id", "conversation_id", "task_id")) {
            event.put(name, random.nextBoolean() ? one(random, WORDS) : null);
        }
        return event(event);
    }

    @Test
    void the_index_finds_exactly_what_comparing_every_filter_finds() {
        SplittableRandom random = new SplittableRandom(7);
        int matches = 0;
        for (int round = 0; round < 400; round++) {
            add("sub" + round, round % 5 == 0 ? "other" : "default", filter(random));
            if (round % 3 == 2) {
                Route gone = routes.remove(random.nextInt(routes.size()));
                index.remove(gone);
            }
            for (int i = 0; i < 8; i++) {
                Event event = event(random);
                String tenant = i == 0 ? "other" : "default";
                Set<String> expected = expected(tenant, event);
                assertThat(found(tenant, event)).isEqualTo(expected);
                matches += expected.size();
            }
        }
        assertThat(matches).isGreaterThan(1_000);
    }

    @Test
    void ten_thousand_subscriptions_cost_an_event_no_more_than_its_matches_do() {
        SplittableRandom random = new SplittableRandom(8);
        List<String> kinds = List.of("topic", "task_id", "source", "target", "conversation_id", "session_id");
        for (int i = 0; i < 10_000; i++) {
            Json.Builder filter = Json.Obj.builder().put("types", "context.*");
            add(
                    "other" + i,
                    "default",
                    filter.put(one(random, kinds), "agent:n" + i).build());
        }
        for (int i = 0; i < 7; i++) {
            add("mine" + i, "default", Json.Obj.builder().put("topic", "mine").build());
            add(
                    "agents" + i,
                    "default",
                    Json.Obj.builder().put("types", "agent.*").build());
        }
        Event event = event(Json.Obj.builder()
                .put("id", "e1")
                .put("type", "agent.message.sent")
                .put("source", "agent:a")
                .put("topic", "mine"));
        long before = index.compared();

        assertThat(found("default", event)).hasSize(14);
        assertThat(index.compared() - before).isEqualTo(14);
    }
}
