package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event in the making, for those that the hub or a client originates. Not thread-safe. */
public final class EventDraft {

    /** Members that a draft writes by itself. */
    private static final Set<String> COPIED = Set.of("spec_version", "aep_version", "expires_at", "delivery");

    private final EventType type;
    private final long nowMillis;
    private final @Nullable String[] texts = new String[Field.ROUTED];
    private final Map<String, Json> members = new LinkedHashMap<>();
    private Json.Obj payload = Json.Obj.of();
    private byte @Nullable [] payloadBytes;
    private DeliveryAsk delivery = DeliveryAsk.NONE;
    private long expiresAt = Long.MAX_VALUE;
    private long staleAt = Long.MAX_VALUE;

    private EventDraft(EventType type, String id, String source, long nowMillis) {
        this.type = type;
        this.nowMillis = nowMillis;
        texts[Field.ID.ordinal()] = id;
        texts[Field.SOURCE.ordinal()] = source;
    }

    /** Begins an event created at {@code nowMillis} (epoch). */
    public static EventDraft of(EventType type, String id, String source, long nowMillis) {
        return new EventDraft(type, id, source, nowMillis);
    }

    private EventDraft set(Field field, @Nullable String value) {
        texts[field.ordinal()] = value;
        return this;
    }

    /**
     * Everything that an event says, to be said once more with something changed; its id and source stay, and so do the
     * bytes of its payload unless another one is set.
     */
    public static EventDraft of(Event event) {
        EventDraft draft = of(event.type(), event.id(), event.source(), event.createdAtMillis())
                .expiresAt(event.expiresAt())
                .delivery(event.delivery());
        draft.staleAt = event.staleAt();
        int from = event.payloadOffset();
        draft.payloadBytes = Arrays.copyOfRange(event.bytes(), from, from + event.payloadLength());
        Json.Obj whole = (Json.Obj) Json.parse(new String(event.bytes(), StandardCharsets.UTF_8));
        whole.forEach((name, value) -> {
            Field routed = Field.routed(name);
            if (routed != null && routed != Field.PAYLOAD) {
                if (value instanceof Json.Str text && draft.texts[routed.ordinal()] == null) {
                    draft.texts[routed.ordinal()] = text.value();
                }
            } else if (routed == null && !COPIED.contains(name)) {
                draft.members.put(name, value);
            }
        });
        return draft;
    }

    /** As for all that follow, null leaves the member out. */
    public EventDraft target(@Nullable String value) {
        return set(Field.TARGET, value);
    }

    public EventDraft topic(@Nullable String value) {
        return set(Field.TOPIC, value);
    }

    public EventDraft sessionId(@Nullable String value) {
        return set(Field.SESSION_ID, value);
    }

    public EventDraft conversationId(@Nullable String value) {
        return set(Field.CONVERSATION_ID, value);
    }

    public EventDraft taskId(@Nullable String value) {
        return set(Field.TASK_ID, value);
    }

    public EventDraft parentTaskId(@Nullable String value) {
        return set(Field.PARENT_TASK_ID, value);
    }

    public EventDraft correlationId(@Nullable String value) {
        return set(Field.CORRELATION_ID, value);
    }

    public EventDraft causationId(@Nullable String value) {
        return set(Field.CAUSATION_ID, value);
    }

    public EventDraft tenantId(@Nullable String value) {
        return set(Field.TENANT_ID, value);
    }

    public EventDraft targetTenantId(@Nullable String value) {
        return set(Field.TARGET_TENANT_ID, value);
    }

    /** When it expires in epoch milliseconds; {@link Long#MAX_VALUE} = never. */
    public EventDraft expiresAt(long epochMillis) {
        expiresAt = epochMillis;
        return this;
    }

    /** What is asked of its delivery; not part of the bytes. */
    public EventDraft delivery(DeliveryAsk ask) {
        delivery = ask;
        return this;
    }

    /** Any other envelope member; the routed ones have methods of their own. */
    public EventDraft member(String name, @Nullable Json value) {
        if (Field.routed(name) != null || name.equals("delivery") || name.equals("spec_version")) {
            throw new IllegalArgumentException(name + " cannot be set as a member");
        }
        if (value != null) {
            members.put(name, value);
        }
        return this;
    }

    public EventDraft payload(Json.Obj value) {
        payload = value;
        payloadBytes = null;
        return this;
    }

    public Event build() {
        texts[Field.TYPE.ordinal()] = type.name();
        texts[Field.CREATED_AT.ordinal()] = Timestamps.format(nowMillis);
        int mask = 1 << Field.PAYLOAD.ordinal();
        for (int i = 0; i < texts.length; i++) {
            mask |= texts[i] == null ? 0 : 1 << i;
        }
        int[] spans = Spans.of(mask);
        JsonBytes out = new JsonBytes(512);
        out.raw("{\"spec_version\":\"" + EnvelopeCheck.VERSION + "\"");
        int place = 1;
        for (int i = 0; i < texts.length; i++) {
            String text = texts[i];
            if (text != null) {
                out.raw(",\"").raw(Field.at(i).wire()).raw("\":");
                int from = out.size() + 1;
                out.string(text);
                int length = out.size() - 1 - from;
                Spans.set(spans, place, from, length, escapedIn(out, from));
                place += 2;
            }
        }
        if (expiresAt != Long.MAX_VALUE) {
            out.raw(",\"expires_at\":").string(Timestamps.format(expiresAt));
        }
        members.forEach((name, value) -> out.raw(",").string(name).raw(":").value(value));
        out.raw(",\"payload\":");
        int from = out.size();
        if (payloadBytes == null) {
            out.value(payload);
        } else {
            out.raw(payloadBytes, 0, payloadBytes.length);
        }
        Spans.set(spans, place, from, out.size() - from, false);
        out.raw("}");
        return new Event(type, out.toByteArray(), spans, new Event.Times(nowMillis, expiresAt, staleAt), delivery);
    }

    private static boolean escapedIn(JsonBytes out, int from) {
        byte[] bytes = out.array();
        for (int i = from; i < out.size(); i++) {
            if (bytes[i] == '\\') {
                return true;
            }
        }
        return false;
    }
}
