package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be wrong with the payload of {@code subscription.requested} (§4). */
final class FilterCheck {

    private static final List<String> SELECTORS = List.of("types", "source", "target", "topic");
    private static final List<String> SCOPES = List.of("session_id", "conversation_id", "task_id");

    private static final List<String> ORDERINGS =
            List.of(SubscriptionFilter.ORDERED_BY_TASK, SubscriptionFilter.UNORDERED);

    private static final List<String> LAG_ACTIONS = List.of("gap", "park", "end");

    private FilterCheck() {}

    /** The first problem, or null. */
    static @Nullable ProtocolError problem(Json.Obj filter) {
        boolean selects = false;
        for (String name : SELECTORS) {
            ProtocolError bad = strings(filter, name);
            if (bad != null) {
                return bad;
            }
            selects |= !filter.strings(name).isEmpty();
        }
        for (String name : SCOPES) {
            ProtocolError bad = strings(filter, name);
            if (bad != null) {
                return bad;
            }
        }
        ProtocolError pattern = patterns(filter);
        if (pattern != null) {
            return pattern;
        }
        if (!selects) {
            return refused("", "an object with at least one of types, source, target or topic", "none of them")
                    .saying("A subscription needs at least one of types, source, target or topic");
        }
        return options(filter);
    }

    private static @Nullable ProtocolError strings(Json.Obj filter, String name) {
        Json value = filter.get(name);
        return switch (value) {
            case null -> null;
            case Json.Str s -> s.value().isEmpty() ? refused(name, "a non-empty string", "an empty one") : null;
            case Json.Arr a -> items(name, a);
            default -> refused(name, "a string or an array of strings", Shown.of(value));
        };
    }

    private static @Nullable ProtocolError items(String name, Json.Arr array) {
        if (array.items().isEmpty()) {
            return refused(name, "a string or a non-empty array of strings", "an empty array");
        }
        for (int i = 0; i < array.items().size(); i++) {
            Json item = array.items().get(i);
            if (!(item instanceof Json.Str s) || s.value().isEmpty()) {
                return refused(name + "." + i, "a non-empty string", Shown.of(item));
            }
        }
        return null;
    }

    private static @Nullable ProtocolError patterns(Json.Obj filter) {
        List<String> types = filter.strings("types");
        for (int i = 0; i < types.size(); i++) {
            String problem = TypePattern.problem(types.get(i));
            if (problem != null) {
                String path = filter.array("types") == null ? "types" : "types." + i;
                return refused(path, "a type pattern", Shown.text(types.get(i)))
                        .with("reason", "invalid_pattern")
                        .saying("payload." + path + ": " + problem);
            }
        }
        return null;
    }

    private static @Nullable ProtocolError options(Json.Obj filter) {
        Json metadata = filter.get("metadata");
        if (metadata != null && !(metadata instanceof Json.Obj)) {
            return refused("metadata", "an object", Shown.of(metadata));
        }
        Json inclusive = filter.get("inclusive");
        if (inclusive != null && !(inclusive instanceof Json.Bool)) {
            return refused("inclusive", "true or false", Shown.of(inclusive));
        }
        for (String name : List.of("from_cursor", "consumer_group")) {
            Json value = filter.get(name);
            if (value != null && !(value instanceof Json.Str s && !s.value().isEmpty())) {
                return refused(name, "a non-empty string", Shown.of(value));
            }
        }
        Json mode = filter.get("delivery_mode");
        if (mode != null && !(mode instanceof Json.Str m && DeliveryMode.of(m.value()) != null)) {
            return refused("delivery_mode", "best_effort, at_least_once or replayable", Shown.of(mode));
        }
        Json ordering = filter.get("ordering");
        if (ordering != null && !(ordering instanceof Json.Str o && ORDERINGS.contains(o.value()))) {
            return refused("ordering", "task or none", Shown.of(ordering));
        }
        Json expires = filter.get("expires_at");
        if (expires != null && !(expires instanceof Json.Str e && Timestamps.parse(e.value()) != Timestamps.INVALID)) {
            return refused("expires_at", "an RFC 3339 instant with offset", Shown.of(expires));
        }
        return numbers(filter);
    }

    private static @Nullable ProtocolError numbers(Json.Obj filter) {
        Json ttl = filter.get("ttl_ms");
        if (ttl != null && !within(filter.integer("ttl_ms"), 1, Numbers.MAX_INTEGER)) {
            return refused("ttl_ms", "milliseconds, 1 or more", Shown.of(ttl));
        }
        Json window = filter.get("max_in_flight");
        if (window != null && !within(filter.integer("max_in_flight"), 1, 1_000_000)) {
            return refused("max_in_flight", "a number from 1 to 1000000", Shown.of(window));
        }
        ProtocolError lag = lag(filter.get("lag"));
        return lag == null ? retry(filter.get("retry")) : lag;
    }

    private static @Nullable ProtocolError lag(@Nullable Json lag) {
        if (lag == null) {
            return null;
        }
        if (!(lag instanceof Json.Obj given)) {
            return refused("lag", "an object", Shown.of(lag));
        }
        for (String name : List.of("max_events", "max_bytes", "max_age_ms")) {
            Json value = given.get(name);
            if (value != null && !within(given.integer(name), 1, Numbers.MAX_INTEGER)) {
                return refused("lag." + name, "a positive integer", Shown.of(value));
            }
        }
        Json action = given.get("on_lag");
        return action == null || action instanceof Json.Str a && LAG_ACTIONS.contains(a.value())
                ? null
                : refused("lag.on_lag", "gap, park or end", Shown.of(action));
    }

    private static @Nullable ProtocolError retry(@Nullable Json retry) {
        if (retry == null) {
            return null;
        }
        if (!(retry instanceof Json.Obj policy)) {
            return refused("retry", "an object", Shown.of(retry));
        }
        String wrong = RetryCheck.wrongMember(policy);
        return wrong == null
                ? null
                : refused("retry." + wrong, RetryCheck.expected(wrong), Shown.of(policy.get(wrong)));
    }

    private static boolean within(@Nullable Long value, long least, long most) {
        return value != null && value >= least && value <= most;
    }

    private static ProtocolError refused(String path, String expected, String got) {
        return ProtocolError.subscriptionRejected(path.isEmpty() ? "payload" : "payload." + path, expected, got);
    }
}
