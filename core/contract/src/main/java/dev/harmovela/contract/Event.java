package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.contract.json.JsonScanner;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One event, immutable: its stored bytes and where the routed fields stand in them (§1).
 *
 * <p>The stored bytes are what the sender wrote, without the top-level members {@code delivery} and {@code
 * authorization}. Texts are decoded when they are asked for. Safe to share between threads.
 */
public final class Event {

    private static final int RECORD_VERSION = 1;
    /** The form of events that grow stale: one time more. */
    private static final int STALE_RECORD = 2;

    private final EventType type;
    private final byte[] bytes;
    private final int[] spans;
    private final long createdAtMillis;
    private final long expiresAt;
    private final long staleAt;
    private final DeliveryAsk delivery;
    private final @Nullable String[] texts;
    private Json.@Nullable Obj payload;
    private Json.@Nullable Obj authorization;
    private @Nullable Settles settles;
    private boolean claims;

    /**
     * What an acknowledgement or refusal by a consumer says (§6, D10).
     *
     * @param eventId the event it speaks of, null when it names none
     * @param subscriptionId the one subscription it is meant for, null for all of the session
     */
    public record Settles(
            @Nullable String eventId, @Nullable String subscriptionId) {}

    record Times(long createdAt, long expiresAt, long staleAt) {}

    Event(EventType type, byte[] bytes, int[] spans, Times times, DeliveryAsk delivery) {
        this.type = type;
        this.bytes = bytes;
        this.spans = spans;
        this.createdAtMillis = times.createdAt();
        this.expiresAt = times.expiresAt();
        this.staleAt = times.staleAt();
        this.delivery = delivery;
        this.texts = new String[spans.length / 2];
    }

    /** Notes that the envelope asks for a governance decision, before the event is shown to anybody. */
    Event claiming(boolean asks) {
        claims = asks;
        return this;
    }

    /** Gives a text that the reader had decoded before, before the event is shown to anybody. */
    Event knowing(Field field, @Nullable String text) {
        int place = Spans.place(spans, field);
        if (place >= 0) {
            texts[place / 2] = text;
        }
        return this;
    }

    /** Attaches what the reader has seen of the payload anyway, before the event is shown to anybody. */
    Event settling(Settles seen) {
        settles = seen;
        return this;
    }

    /** What a consumer's answer to a delivery settles; for an event just read, without parsing its payload. */
    public Settles settles() {
        Settles known = settles;
        if (known == null) {
            known = new Settles(
                    payload().string("acknowledged_event_id"), payload().string("subscription_id"));
            settles = known;
        }
        return known;
    }

    /** The same event under another delivery request; what was sent stays as it is. */
    public Event under(DeliveryAsk ask) {
        return new Event(type, bytes, spans, new Times(createdAtMillis, expiresAt, staleAt), ask).claiming(claims);
    }

    /** Attaches the member that is cut from the stored bytes, before the event is shown to anybody. */
    Event authorizedBy(Json.@Nullable Obj claim) {
        authorization = claim;
        return this;
    }

    private @Nullable String text(Field field) {
        int place = Spans.place(spans, field);
        if (place < 0) {
            return null;
        }
        String known = texts[place / 2];
        if (known == null) {
            int from = Spans.from(spans, place);
            known = JsonScanner.decode(bytes, from, from + Spans.length(spans, place), Spans.escaped(spans, place));
            texts[place / 2] = known;
        }
        return known;
    }

    private String textOrEmpty(Field field) {
        String text = text(field);
        return text == null ? "" : text;
    }

    /** Empty where an abbreviated handshake left it out (D2). */
    public String id() {
        return textOrEmpty(Field.ID);
    }

    public EventType type() {
        return type;
    }

    /** Empty where an abbreviated handshake left it out (D2). */
    public String source() {
        return textOrEmpty(Field.SOURCE);
    }

    /** RFC 3339 as sent; empty where an abbreviated handshake left it out (D2). */
    public String createdAt() {
        return textOrEmpty(Field.CREATED_AT);
    }

    /** {@link #createdAt()} in epoch milliseconds, 0 when it was left out. */
    public long createdAtMillis() {
        return createdAtMillis;
    }

    public @Nullable String target() {
        return text(Field.TARGET);
    }

    public @Nullable String topic() {
        return text(Field.TOPIC);
    }

    public @Nullable String sessionId() {
        return text(Field.SESSION_ID);
    }

    public @Nullable String conversationId() {
        return text(Field.CONVERSATION_ID);
    }

    /** The envelope's, or for {@code task.*} and {@code tool.call.*} the payload's. */
    public @Nullable String taskId() {
        return text(Field.TASK_ID);
    }

    public @Nullable String parentTaskId() {
        return text(Field.PARENT_TASK_ID);
    }

    public @Nullable String correlationId() {
        return text(Field.CORRELATION_ID);
    }

    public @Nullable String causationId() {
        return text(Field.CAUSATION_ID);
    }

    public @Nullable String tenantId() {
        return text(Field.TENANT_ID);
    }

    public @Nullable String targetTenantId() {
        return text(Field.TARGET_TENANT_ID);
    }

    /** When it expires in epoch milliseconds, {@link Long#MAX_VALUE} = never. */
    public long expiresAt() {
        return expiresAt;
    }

    /**
     * When what it says is no longer fresh, in epoch milliseconds: the earlier of {@code valid_until} and {@code
     * stale_after} (§9); {@link Long#MAX_VALUE} = never.
     */
    public long staleAt() {
        return staleAt;
    }

    public DeliveryAsk delivery() {
        return delivery;
    }

    /** What stood in {@code authorization}; only on an event just read, never stored nor forwarded. */
    public Json.@Nullable Obj authorization() {
        return authorization;
    }

    /** Whether {@code requested_action} or a tenant is named (§7); only on an event just read. */
    public boolean hasClaims() {
        return claims;
    }

    /** The payload, parsed on demand; empty where an abbreviated handshake left it out (D2). */
    public Json.Obj payload() {
        Json.Obj known = payload;
        if (known == null) {
            known = readPayload();
            payload = known;
        }
        return known;
    }

    private Json.Obj readPayload() {
        int place = Spans.place(spans, Field.PAYLOAD);
        if (place < 0) {
            return Json.Obj.of();
        }
        Json read = Json.parse(bytes, Spans.from(spans, place), Spans.length(spans, place), JsonScanner.DEPTH_LIMIT);
        return read instanceof Json.Obj object ? object : Json.Obj.of();
    }

    /** First byte of the payload in {@link #bytes()}, or -1 without one. */
    public int payloadOffset() {
        int place = Spans.place(spans, Field.PAYLOAD);
        return place < 0 ? -1 : Spans.from(spans, place);
    }

    /** Bytes of the payload, 0 without one. */
    public int payloadLength() {
        int place = Spans.place(spans, Field.PAYLOAD);
        return place < 0 ? 0 : Spans.length(spans, place);
    }

    /** Any envelope member; null when it is absent or JSON null, or one that is not stored and not {@code delivery}. */
    public @Nullable Json member(String envelopeField) {
        if (envelopeField.equals(Field.DELIVERY.wire())) {
            return delivery.raw().isEmpty() ? null : delivery.raw();
        }
        Field field = Field.routed(envelopeField);
        if (field == Field.PAYLOAD) {
            return payloadOffset() < 0 ? null : payload();
        }
        if (field != null) {
            String text = text(field);
            return text == null ? null : Json.of(text);
        }
        try {
            return find(envelopeField);
        } catch (JsonException e) {
            throw new IllegalStateException("stored event is not readable", e);
        }
    }

    private @Nullable Json find(String name) {
        JsonScanner scanner = new JsonScanner(JsonScanner.DEPTH_LIMIT);
        scanner.reset(bytes, 0, bytes.length);
        scanner.enterObject();
        while (scanner.nextKey()) {
            if (scanner.keyText().equals(name)) {
                Json value = scanner.value();
                return value == Json.Null.NULL ? null : value;
            }
            scanner.skip();
        }
        return null;
    }

    /**
     * The stored form: the complete JSON object without {@code delivery} and {@code authorization}, otherwise byte
     * for byte as sent. Not to be modified.
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * A 64-bit hash over type, target, topic, scope ids, correlation, causation, tenants and payload bytes: what must
     * be equal in a duplicate. Id, {@code created_at}, {@code delivery} and {@code authorization} do not count.
     */
    public long contentHash() {
        ContentHash hash = new ContentHash();
        hash.add(type.name());
        for (int i = Field.TARGET.ordinal(); i < Field.PAYLOAD.ordinal(); i++) {
            String text = text(Field.at(i));
            if (text != null) {
                hash.add(i);
                hash.add(text);
            }
        }
        if (payloadOffset() >= 0) {
            hash.add(bytes, payloadOffset(), payloadLength());
        }
        return hash.value();
    }

    /** Whether the other event has the same content in the sense of {@link #contentHash()}, compared in full (§6). */
    public boolean sameContent(Event other) {
        if (!type.name().equals(other.type.name()) || payloadLength() != other.payloadLength()) {
            return false;
        }
        for (int i = Field.TARGET.ordinal(); i < Field.PAYLOAD.ordinal(); i++) {
            if (!Objects.equals(text(Field.at(i)), other.text(Field.at(i)))) {
                return false;
            }
        }
        int mine = payloadOffset();
        int theirs = other.payloadOffset();
        int length = payloadLength();
        return length == 0 || Arrays.equals(bytes, mine, mine + length, other.bytes, theirs, theirs + length);
    }

    /**
     * Writes what {@link #readRecord} needs to give this event back without reading JSON; {@code authorization} is
     * not in it.
     */
    public void writeRecord(Out out) {
        boolean fresh = staleAt == Long.MAX_VALUE;
        out.u8(fresh ? RECORD_VERSION : STALE_RECORD).string(type.name());
        out.i64(createdAtMillis).i64(expiresAt);
        if (!fresh) {
            out.i64(staleAt);
        }
        delivery.write(out);
        out.bytes(bytes);
        Spans.write(out, spans);
    }

    /**
     * Reads what {@link #writeRecord} wrote. A type that is no longer registered comes back with index -1 and {@code
     * custom}.
     *
     * @throws IllegalArgumentException when the record is cut off or of another format
     */
    public static Event readRecord(In in, EventRegistry registry) {
        int version = in.u8();
        if (version != RECORD_VERSION && version != STALE_RECORD) {
            throw new IllegalArgumentException("event record of version " + version);
        }
        EventType type = registry.known(in);
        Times times = new Times(in.i64(), in.i64(), version == STALE_RECORD ? in.i64() : Long.MAX_VALUE);
        DeliveryAsk delivery = DeliveryAsk.read(in);
        byte[] bytes = in.bytes();
        return new Event(type, bytes, Spans.read(in, bytes.length), times, delivery);
    }

    /** What an audit keeps of an event: the envelope that it is routed by, with an empty payload. */
    public Event withoutPayload() {
        return EventDraft.of(type, id(), source(), createdAtMillis)
                .target(target())
                .topic(topic())
                .sessionId(sessionId())
                .conversationId(conversationId())
                .taskId(taskId())
                .parentTaskId(parentTaskId())
                .correlationId(correlationId())
                .causationId(causationId())
                .tenantId(tenantId())
                .targetTenantId(targetTenantId())
                .build()
                .under(delivery);
    }

    /** Type and id; never content. */
    @Override
    public String toString() {
        return type.name() + " " + id();
    }
}
