package dev.harmovela.harness.routing;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.TypePattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the subscriptions an event belongs to at the price of its matches, not of all subscriptions.
 *
 * <p>Each subscription hangs on one anchor, the most selective field its filter names (task, conversation, session,
 * target, topic, source, else its type patterns); the rest of the filter is checked on what an anchor brings.
 * Tenants never share an anchor. One owner, not thread-safe.
 */
public final class SubscriptionIndex {

    private final Map<String, Anchors> tenants = new HashMap<>();
    private long visit;
    private long compared;

    public void add(Route route) {
        tenants.computeIfAbsent(route.subscription().tenant(), _ -> new Anchors())
                .each(
                        route.filter(),
                        (map, value) -> map.computeIfAbsent(value, _ -> new ArrayList<>())
                                .add(route));
    }

    public void remove(Route route) {
        Anchors anchors = tenants.get(route.subscription().tenant());
        if (anchors != null) {
            anchors.each(
                    route.filter(),
                    (map, value) -> map.computeIfPresent(value, (_, list) -> {
                        list.remove(route);
                        return list.isEmpty() ? null : list;
                    }));
        }
    }

    /** Calls {@code found} once for each subscription of {@code tenant} that {@code event} belongs to. */
    public void match(String tenant, Event event, Consumer<Route> found) {
        Anchors anchors = tenants.get(tenant);
        if (anchors == null) {
            return;
        }
        visit++;
        offer(anchors.at(anchors.tasks, event.taskId()), event, found);
        offer(anchors.at(anchors.conversations, event.conversationId()), event, found);
        offer(anchors.at(anchors.sessions, event.sessionId()), event, found);
        offer(anchors.at(anchors.targets, event.target()), event, found);
        offer(anchors.at(anchors.topics, event.topic()), event, found);
        offer(anchors.at(anchors.sources, event.source()), event, found);
        List<List<Route>> byType = anchors.byType(event.type());
        for (int i = 0; i < byType.size(); i++) {
            offerOfType(byType.get(i), event, found);
        }
    }

    /** Filters that were compared with an event since the beginning: the price of matching, whatever the machine. */
    public long compared() {
        return compared;
    }

    private void offer(@Nullable List<Route> routes, Event event, Consumer<Route> found) {
        if (routes == null) {
            return;
        }
        for (int i = 0; i < routes.size(); i++) {
            Route route = routes.get(i);
            if (isNew(route)) {
                compared++;
                if (route.filter().matches(event)) {
                    found.accept(route);
                }
            }
        }
    }

    private void offerOfType(List<Route> routes, Event event, Consumer<Route> found) {
        for (int i = 0; i < routes.size(); i++) {
            Route route = routes.get(i);
            if (isNew(route)) {
                compared++;
                if (route.filter().matchesBesidesType(event)) {
                    found.accept(route);
                }
            }
        }
    }

    /** Whether this event has not met the route yet: a filter may hang on several anchors. */
    private boolean isNew(Route route) {
        boolean seen = route.visited == visit;
        route.visited = visit;
        return !seen;
    }

    /** The anchors of one tenant. */
    private static final class Anchors {
        final Map<String, List<Route>> tasks = new HashMap<>();
        final Map<String, List<Route>> conversations = new HashMap<>();
        final Map<String, List<Route>> sessions = new HashMap<>();
        final Map<String, List<Route>> targets = new HashMap<>();
        final Map<String, List<Route>> topics = new HashMap<>();
        final Map<String, List<Route>> sources = new HashMap<>();
        final Map<String, List<Route>> patterns = new LinkedHashMap<>();
        private final Map<EventType, List<List<Route>>> resolved = new HashMap<>();

        @Nullable List<Route> at(Map<String, List<Route>> anchor, @Nullable String value) {
            return value == null || anchor.isEmpty() ? null : anchor.get(value);
        }

        /** Visits every place a filter hangs on. */
        void each(SubscriptionFilter filter, BiConsumer<Map<String, List<Route>>, String> visitor) {
            if (!(anchor(tasks, filter.taskId(), visitor)
                    || anchor(conversations, filter.conversationId(), visitor)
                    || anchor(sessions, filter.sessionId(), visitor)
                    || anchor(targets, filter.target(), visitor)
                    || anchor(topics, filter.topic(), visitor)
                    || anchor(sources, filter.source(), visitor))) {
                resolved.clear();
                anchor(
                        patterns,
                        filter.types().stream().map(TypePattern::toString).toList(),
                        visitor);
            }
        }

        private static boolean anchor(
                Map<String, List<Route>> map,
                List<String> values,
                BiConsumer<Map<String, List<Route>>, String> visitor) {
            values.stream().distinct().forEach(value -> visitor.accept(map, value));
            return !values.isEmpty();
        }

        /** The lists of all patterns that match a type; worked out once per type until the patterns change. */
        List<List<Route>> byType(EventType type) {
            List<List<Route>> lists = resolved.get(type);
            if (lists == null) {
                lists = new ArrayList<>();
                for (Map.Entry<String, List<Route>> entry : patterns.entrySet()) {
                    if (TypePattern.parse(entry.getKey()).brings(type)) {
                        lists.add(entry.getValue());
                    }
                }
                resolved.put(type, lists);
            }
            return lists;
        }
    }
}
