package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription asks for: the payload of {@code subscription.requested} (§4). All given fields must match, any
 * value of a field may; an empty list matches everything.
 *
 * @param types patterns of event types
 * @param source producers
 * @param target consumers
 * @param topic topics
 * @param sessionId sessions
 * @param conversationId conversations
 * @param taskId tasks
 * @param metadata values that other envelope members must equal, in order of their names in the request
 * @param fromCursor where to begin: a cursor, {@code earliest}, {@code latest}, or null for now (D9)
 * @param inclusive whether the event at the cursor itself is asked for
 * @param mode the delivery mode asked for, or null
 * @param expiresAt when it ends in epoch milliseconds, {@link Long#MAX_VALUE} = never
 * @param ttlMs how long it lives in milliseconds, 0 = not said
 * @param retry retry policy with gaps
 * @param maxInFlight unacknowledged deliveries at the most, 0 = not said
 * @param group consumer group, or null
 * @param raw the whole payload as asked
 */
public record SubscriptionFilter(
        List<TypePattern> types,
        List<String> source,
        List<String> target,
        List<String> topic,
        List<String> sessionId,
        List<String> conversationId,
        List<String> taskId,
        Map<String, Json> metadata,
        @Nullable String fromCursor,
        boolean inclusive,
        @Nullable DeliveryMode mode,
        long expiresAt,
        long ttlMs,
        RetryPolicy.Partial retry,
        int maxInFlight,
        @Nullable String group,
        Json.Obj raw) {

    /** Members that decide what matches and how it is delivered; two requests that agree in them ask for the same. */
    static final List<String> CANONICAL = List.of(
            "types",
            "source",
            "target",
            "topic",
            "session_id",
            "conversation_id",
            "task_id",
            "metadata",
            "delivery_mode",
            "consumer_group",
            "ordering");

    /** Value of {@code ordering}: an event waits until the earlier ones of its task have ended. */
    public static final String ORDERED_BY_TASK = "task";

    /** Value of {@code ordering} that means the same as leaving it out. */
    static final String UNORDERED = "none";

    private static final Set<String> LISTS =
            Set.of("types", "source", "target", "topic", "session_id", "conversation_id", "task_id");

    /** What reading a filter gives. */
    public sealed interface Parsed {
        /** A filter that can be subscribed to. */
        record Ok(SubscriptionFilter filter) implements Parsed {}

        /** Why it cannot: {@code subscription_rejected} with {@code details.path}. */
        record Bad(ProtocolError error) implements Parsed {}
    }

    /** Reads the payload of {@code subscription.requested}. */
    public static Parsed parse(Json.Obj payload) {
        ProtocolError problem = FilterCheck.problem(payload);
        return problem == null ? new Parsed.Ok(of(payload)) : new Parsed.Bad(problem);
    }

    /** The filter of a payload that was found valid before. */
    public static SubscriptionFilter of(Json.Obj payload) {
        Map<String, Json> metadata = new LinkedHashMap<>();
        Json.Obj meta = payload.object("metadata");
        if (meta != null) {
            meta.forEach(metadata::put);
        }
        String expires = payload.string("expires_at");
        String mode = payload.string("delivery_mode");
        Json.Obj retry = payload.object("retry");
        return new SubscriptionFilter(
                payload.strings("types").stream().map(TypePattern::parse).toList(),
                payload.strings("source"),
                payload.strings("target"),
                payload.strings("topic"),
                payload.strings("session_id"),
                payload.strings("conversation_id"),
                payload.strings("task_id"),
                metadata,
                payload.string("from_cursor"),
                Boolean.TRUE.equals(payload.bool("inclusive")),
                mode == null ? null : DeliveryMode.of(mode),
                expires == null ? Long.MAX_VALUE : Timestamps.parse(expires),
                orZero(payload.integer("ttl_ms")),
                retry == null ? RetryPolicy.Partial.UNSET : RetryPolicy.parse(retry),
                (int) orZero(payload.integer("max_in_flight")),
                payload.string("consumer_group"),
                payload);
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    /** Whether the filter asks for the event. */
    public boolean matches(Event event) {
        return brings(event.type()) && matchesBesidesType(event);
    }

    /** Whether everything but the type agrees; the type was looked at before. */
    public boolean matchesBesidesType(Event event) {
        return any(source, event.source())
                && any(target, event.target())
                && any(topic, event.topic())
                && any(sessionId, event.sessionId())
                && any(conversationId, event.conversationId())
                && any(taskId, event.taskId())
                && matchesMetadata(event);
    }

    /** Whether events of the type are brought; those of the hub's own families only when a pattern names them (D32). */
    private boolean brings(EventType type) {
        if (types.isEmpty()) {
            return !type.reserved();
        }
        for (TypePattern pattern : types) {
            if (pattern.brings(type)) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the patterns matches the type. */
    public boolean matchesType(String type) {
        if (types.isEmpty()) {
            return true;
        }
        for (TypePattern pattern : types) {
            if (pattern.matches(type)) {
                return true;
            }
        }
        return false;
    }

    private static boolean any(List<String> wanted, @Nullable String value) {
        return wanted.isEmpty() || (value != null && wanted.contains(value));
    }

    private boolean matchesMetadata(Event event) {
        for (Map.Entry<String, Json> wanted : metadata.entrySet()) {
            Json value = event.member(wanted.getKey());
            boolean same = value == null ? wanted.getValue() == Json.Null.NULL : value.equals(wanted.getValue());
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /** Whether a pattern begins with the family, as those must that want the hub's own families (D32). */
    public boolean namesFamily(String family) {
        for (TypePattern pattern : types) {
            if (pattern.names(family)) {
                return true;
            }
        }
        return false;
    }

    /** The filter alone: members that decide what matches, single values as lists, in one order. */
    public Json.Obj canonical() {
        Json.Builder out = Json.Obj.builder();
        for (String name : CANONICAL) {
            if (LISTS.contains(name)) {
                List<String> values =
                        raw.strings(name).stream().sorted().distinct().toList();
                out.put(name, values.isEmpty() ? null : values);
            } else if (name.equals("ordering")) {
                out.put(name, ORDERED_BY_TASK.equals(raw.string(name)) ? ORDERED_BY_TASK : null);
            } else if (!name.equals("metadata")) {
                out.put(name, raw.get(name));
            } else if (!metadata.isEmpty()) {
                Json.Builder sorted = Json.Obj.builder();
                new TreeMap<>(metadata).forEach(sorted::put);
                out.put(name, sorted.build());
            }
        }
        return out.build();
    }
}
