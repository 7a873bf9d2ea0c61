package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a link needs of an event. */
final class Envelope {

    private Envelope() {}

    /** The event, or null when the bytes are none: no JSON object, no UTF-8, nothing to be called by. */
    static Json.@Nullable Obj parse(byte[] bytes) {
        try {
            return Json.parse(bytes, 0, bytes.length) instanceof Json.Obj event ? event : null;
        } catch (RuntimeException notJson) {
            return null;
        }
    }

    /** The session that an event names itself. */
    static @Nullable String session(Json.Obj event) {
        String top = event.string("session_id");
        Json.Obj payload = event.object("payload");
        return top != null || payload == null ? top : payload.string("session_id");
    }

    /** The headers that tell brokers and their readers what a message is (§13). */
    static Map<String, String> headers(Json.Obj event, String hubId, String dedupe) {
        Map<String, String> headers = new LinkedHashMap<>();
        put(headers, Headers.TYPE, event.string("type"));
        put(headers, Headers.SOURCE, event.string("source"));
        put(headers, Headers.SESSION, event.string("session_id"));
        put(headers, Headers.CONVERSATION, event.string("conversation_id"));
        put(headers, Headers.TASK, event.string("task_id"));
        put(headers, Headers.CORRELATION, event.string("correlation_id"));
        put(headers, Headers.CAUSATION, event.string("causation_id"));
        put(headers, Headers.DELIVERY_MODE, mode(event));
        headers.put(Headers.HUB, hubId);
        headers.put(Headers.DEDUPE, dedupe);
        return headers;
    }

    private static void put(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null && value.chars().allMatch(c -> c >= ' ' && c < 127)) {
            headers.put(name, value);
        }
    }

    static @Nullable String mode(Json.Obj event) {
        Json.Obj delivery = event.object("delivery");
        return delivery == null ? null : delivery.string("mode");
    }

    /** What keeps the order of related events: the first of these that it has (§13). */
    static @Nullable String key(Json.Obj event) {
        for (String name : new String[] {"task_id", "conversation_id", "session_id", "source"}) {
            String value = event.string(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /**
     * The same for every retry of one send (D38): subscription, cursor, attempt and how often the session came
     * back; what is no
     * delivery is known by its own id.
     */
    static String dedupe(Json.Obj event, String resumes) {
        Json.Obj delivery = event.object("delivery");
        String subscription = delivery == null ? null : delivery.string("subscription_id");
        String cursor = delivery == null ? null : delivery.string("cursor");
        if (delivery == null || subscription == null || cursor == null) {
            return event.string("id") + "/" + resumes;
        }
        Long attempt = delivery.integer("attempt");
        return subscription + "/" + cursor + "/" + (attempt == null ? 1 : attempt) + "/" + resumes;
    }
}
