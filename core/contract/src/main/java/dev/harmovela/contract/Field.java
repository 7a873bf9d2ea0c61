package dev.harmovela.contract;

import dev.harmovela.contract.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Envelope members that have a meaning (§1, §9). Those up to {@link #PAYLOAD} are routed by: an {@link Event} keeps
 * where they stand.
 */
enum Field {
    ID(Kind.NAME),
    TYPE(Kind.OTHER),
    SOURCE(Kind.NAME),
    CREATED_AT(Kind.TIME),
    TARGET(Kind.NAME),
    TOPIC(Kind.NAME),
    SESSION_ID(Kind.NAME),
    CONVERSATION_ID(Kind.NAME),
    TASK_ID(Kind.NAME),
    PARENT_TASK_ID(Kind.NAME),
    CORRELATION_ID(Kind.NAME),
    CAUSATION_ID(Kind.NAME),
    TENANT_ID(Kind.NAME),
    TARGET_TENANT_ID(Kind.NAME),
    PAYLOAD(Kind.OBJECT),
    SPEC_VERSION(Kind.OTHER),
    AEP_VERSION(Kind.OTHER),
    EXPIRES_AT(Kind.TIME),
    DELIVERY(Kind.OTHER),
    AUTHORIZATION(Kind.OBJECT),
    CAPABILITIES(Kind.OTHER),
    PAYLOAD_SCHEMA(Kind.TEXT),
    ACTOR_ID(Kind.NAME),
    ROLES(Kind.NAMES),
    REQUESTED_ACTION(Kind.TEXT),
    BUDGET_ID(Kind.NAME),
    BUDGET_COST(Kind.NUMBER),
    BELIEF_STATUS(Kind.WORD, "asserted", "retracted", "revised", "contradicted", "unknown"),
    BELIEF_SCOPE(Kind.WORD, "fact", "inference", "observation", "preference", "hypothesis"),
    CONFIDENCE(Kind.UNIT),
    VALID_FROM(Kind.TIME),
    VALID_UNTIL(Kind.TIME),
    STALE_AFTER(Kind.DURATION),
    REFRESH_HINT(Kind.TEXT),
    DELEGATED_BY(Kind.NAME),
    DELEGATED_TO(Kind.NAME),
    HANDOFF_TOKEN(Kind.TEXT),
    CHECKPOINT_ID(Kind.NAME),
    CHECKPOINT_AT(Kind.TIME),
    INTERRUPTION_POLICY(Kind.WORD, "save_and_stop", "drain_then_stop", "force_stop"),
    COMPENSATION_ID(Kind.NAME),
    EVIDENCE_CHAIN(Kind.CHAIN),
    SOURCE_TRUST(Kind.WORD, "verified", "attested", "unverified", "signed"),
    ATTESTATION_COUNT(Kind.COUNT),
    DATA_PROVENANCE(Kind.TEXT),
    /** No envelope member: {@code task_id} inside the payload. The same goes for those after it. */
    PAYLOAD_TASK_ID("task_id"),
    PAYLOAD_ACKNOWLEDGED_EVENT_ID("acknowledged_event_id"),
    PAYLOAD_SUBSCRIPTION_ID("subscription_id");

    /** What a member has to be. */
    enum Kind {
        /** Non-empty string of limited length. */
        NAME,
        /** Non-empty string. */
        TEXT,
        /** One name or an array of them. */
        NAMES,
        /** RFC 3339 instant. */
        TIME,
        /** ISO 8601 duration. */
        DURATION,
        OBJECT,
        /** Number, 0 or more. */
        NUMBER,
        /** Integer, 0 or more. */
        COUNT,
        /** Number from 0 to 1. */
        UNIT,
        /** One of a few words. */
        WORD,
        /** Array of objects. */
        CHAIN,
        /** Checked on its own. */
        OTHER
    }

    static final int ROUTED = PAYLOAD.ordinal() + 1;
    static final int COUNT = values().length;

    private static final Field[] ALL = values();
    private static final Field[] SLOTS = new Field[256];

    static {
        for (Field field : ALL) {
            if (field.ordinal() >= PAYLOAD_TASK_ID.ordinal()) {
                continue;
            }
            int slot = slot(JsonScanner.hash(field.bytes, 0, field.bytes.length));
            while (SLOTS[slot] != null) {
                slot = slot + 1 & SLOTS.length - 1;
            }
            SLOTS[slot] = field;
        }
    }

    private final String wire;
    private final byte[] bytes;
    private final Kind kind;
    private final String[] words;

    Field(Kind kind, String... words) {
        this.wire = name().toLowerCase(Locale.ROOT);
        this.bytes = wire.getBytes(StandardCharsets.US_ASCII);
        this.kind = kind;
        this.words = words;
    }

    /** A member of the payload. */
    Field(String wire) {
        this.wire = wire;
        this.bytes = wire.getBytes(StandardCharsets.US_ASCII);
        this.kind = Kind.OTHER;
        this.words = new String[0];
    }

    String wire() {
        return wire;
    }

    Kind kind() {
        return kind;
    }

    /** The words of a {@link Kind#WORD}. */
    String[] words() {
        return words;
    }

    long bit() {
        return 1L << ordinal();
    }

    static Field at(int ordinal) {
        return ALL[ordinal];
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 11 ^ hash >>> 20) & 255;
    }

    /** The field whose key the scanner has just read, or null. */
    static @Nullable Field find(JsonScanner scanner) {
        int slot = slot(scanner.keyHash());
        while (SLOTS[slot] != null) {
            Field field = SLOTS[slot];
            if (scanner.keyIs(field.bytes)) {
                return field;
            }
            slot = slot + 1 & SLOTS.length - 1;
        }
        return null;
    }

    /** The member of the payload whose key, beginning with {@code letter}, the scanner has just read, or null. */
    static @Nullable Field ofPayload(JsonScanner scanner, int letter) {
        Field candidate = switch (letter) {
            case 't' -> PAYLOAD_TASK_ID;
            case 'a' -> PAYLOAD_ACKNOWLEDGED_EVENT_ID;
            case 's' -> PAYLOAD_SUBSCRIPTION_ID;
            default -> null;
        };
        return candidate != null && scanner.keyIs(candidate.bytes) ? candidate : null;
    }

    /** The routed field of that name, or null. */
    static @Nullable Field routed(String name) {
        for (int i = 0; i < ROUTED; i++) {
            if (ALL[i].wire.equals(name)) {
                return ALL[i];
            }
        }
        return null;
    }
}
