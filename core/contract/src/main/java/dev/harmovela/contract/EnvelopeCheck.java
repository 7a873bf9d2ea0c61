package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges the envelope that an {@link EnvelopeScan} found: required fields, types and ranges, version (§1, D1, D2). */
final class EnvelopeCheck {

    /** The version this hub speaks. */
    static final String VERSION = "0.2";

    private static final byte[] VERSION_BYTES = VERSION.getBytes(StandardCharsets.US_ASCII);
    private static final String NAME = "a non-empty string";
    private static final String INSTANT = "an RFC 3339 instant with offset";
    private static final Field[] REQUIRED = {Field.ID, Field.TYPE, Field.SOURCE, Field.CREATED_AT, Field.PAYLOAD};
    private static final long OPTIONAL = optional();

    private final EnvelopeScan scan;
    private final Limits limits;
    private final List<ProtocolError> problems = new ArrayList<>();
    /** Senders ask for the same again and again: the last ask that was right, so that it is not parsed each time. */
    private byte[] lastDelivery = {};

    private DeliveryAsk lastAsk = DeliveryAsk.NONE;
    private long createdAt;
    private long expiresAt;
    private long validUntil;
    private long staleAfter;
    private DeliveryAsk delivery = DeliveryAsk.NONE;

    EnvelopeCheck(EnvelopeScan scan, Limits limits) {
        this.scan = scan;
        this.limits = limits;
    }

    private static long optional() {
        long bits = 0;
        for (Field field : Field.values()) {
            bits |= field.kind() == Field.Kind.OTHER ? 0 : field.bit();
        }
        for (Field field : REQUIRED) {
            bits &= ~field.bit();
        }
        return bits;
    }

    void begin() {
        problems.clear();
        createdAt = 0;
        expiresAt = Long.MAX_VALUE;
        validUntil = Long.MAX_VALUE;
        staleAfter = Long.MAX_VALUE;
        delivery = DeliveryAsk.NONE;
    }

    void add(ProtocolError problem) {
        problems.add(problem);
    }

    List<ProtocolError> problems() {
        return problems;
    }

    Event.Times times() {
        long grownOld = staleAfter == Long.MAX_VALUE ? Long.MAX_VALUE : createdAt + staleAfter;
        return new Event.Times(createdAt, expiresAt, Math.min(validUntil, grownOld));
    }

    DeliveryAsk delivery() {
        return delivery;
    }

    /**
     * Checks everything but whether the type is registered; answers whether the required fields and the version are
     * valid.
     */
    boolean check(@Nullable EventType type) {
        boolean handshake = type != null && type.handshake();
        int before = problems.size();
        if (!handshake && missingVersion()) {
            add(ProtocolError.invalidEnvelope("spec_version", "\"" + VERSION + "\"", scan.shown(Field.SPEC_VERSION))
                    .with("supported", Json.of(List.of(VERSION))));
        }
        for (Field field : REQUIRED) {
            if (scan.has(field) || !handshake) {
                required(field);
            }
        }
        int afterRequired = problems.size();
        for (long rest = scan.seen() & OPTIONAL; rest != 0; rest &= rest - 1) {
            Field field = Field.at(Long.numberOfTrailingZeros(rest));
            if (scan.has(field)) {
                typed(field);
            }
        }
        if (handshake && scan.has(Field.CAPABILITIES) && !scan.isObject(Field.CAPABILITIES)) {
            wrong(Field.CAPABILITIES, "an object");
        }
        if (scan.has(Field.DELIVERY)) {
            readDelivery();
        }
        int beforeVersion = problems.size();
        version(handshake);
        return afterRequired == before && beforeVersion == problems.size();
    }

    private boolean missingVersion() {
        return scan.seen(Field.SPEC_VERSION) ? !scan.has(Field.SPEC_VERSION) : !scan.has(Field.AEP_VERSION);
    }

    private void version(boolean handshake) {
        Field field = scan.has(Field.SPEC_VERSION) ? Field.SPEC_VERSION : Field.AEP_VERSION;
        if (!scan.has(field) || (scan.seen(Field.SPEC_VERSION) && field == Field.AEP_VERSION && !handshake)) {
            return;
        }
        boolean supported = scan.isString(field) && versionText(field);
        if (supported && (field == Field.SPEC_VERSION || handshake)) {
            return;
        }
        ProtocolError problem = ProtocolError.unsupportedVersion(scan.shown(field), List.of(VERSION));
        add(
                field == Field.SPEC_VERSION
                        ? problem
                        : problem.with("path", field.wire())
                                .with("hint", "send spec_version \"" + VERSION + "\" instead of aep_version"));
    }

    private boolean versionText(Field field) {
        int from = scan.from(field);
        return Arrays.equals(scan.buffer(), from, from + scan.length(field), VERSION_BYTES, 0, VERSION_BYTES.length)
                || (scan.escaped(field) && VERSION.equals(scan.text(field)));
    }

    /** Adds what is wrong with a type that is not registered. */
    void typeProblem() {
        String type = scan.text(Field.TYPE);
        if (type != null) {
            add(
                    EventRegistry.wellFormed(type)
                            ? ProtocolError.unknownType(Shown.text(type))
                            : ProtocolError.invalidType(Shown.text(type)));
        }
    }

    private void required(Field field) {
        if (field == Field.TYPE) {
            if (!scan.isString(field)) {
                wrong(field, "a string");
            }
        } else {
            typed(field);
        }
    }

    private void typed(Field field) {
        switch (field.kind()) {
            case NAME -> name(field);
            case TIME -> instant(field);
            case OBJECT -> {
                if (!scan.isObject(field)) {
                    wrong(field, "an object");
                }
            }
            default -> rare(field);
        }
    }

    private void name(Field field) {
        if (!scan.isString(field) || scan.length(field) == 0) {
            wrong(field, NAME);
        } else if (scan.length(field) > limits.maxNameBytes()) {
            add(ProtocolError.invalidEnvelope(
                    field.wire(), "at most " + limits.maxNameBytes() + " bytes", scan.length(field) + " bytes"));
        }
    }

    private void instant(Field field) {
        long millis = Timestamps.INVALID;
        if (scan.isString(field)) {
            int from = scan.from(field);
            String text = scan.escaped(field) ? scan.text(field) : null;
            millis = text != null
                    ? Timestamps.parse(text)
                    : Timestamps.parse(scan.buffer(), from, from + scan.length(field));
        }
        if (millis == Timestamps.INVALID) {
            wrong(field, INSTANT);
        } else if (field == Field.CREATED_AT) {
            createdAt = millis;
        } else if (field == Field.EXPIRES_AT) {
            expiresAt = millis;
        } else if (field == Field.VALID_UNTIL) {
            validUntil = millis;
        }
    }

    private void rare(Field field) {
        Json value = scan.value(field);
        String expected = switch (field.kind()) {
            case TEXT -> value instanceof Json.Str s && !s.value().isEmpty() ? null : NAME;
            case NAMES -> names(value) ? null : "a string or an array of strings";
            case DURATION -> duration(value) ? null : "an ISO 8601 duration";
            case NUMBER -> within(value, Double.MAX_VALUE) ? null : "a number, 0 or more";
            case COUNT -> value instanceof Json.Num && whole(value) ? null : "an integer, 0 or more";
            case UNIT -> within(value, 1) ? null : "a number from 0 to 1";
            case WORD ->
                value instanceof Json.Str s && Arrays.asList(field.words()).contains(s.value())
                        ? null
                        : "one of " + String.join(", ", field.words());
            case CHAIN ->
                value instanceof Json.Arr a && a.items().stream().allMatch(Json.Obj.class::isInstance)
                        ? null
                        : "an array of objects";
            case NAME, TIME, OBJECT, OTHER -> null;
        };
        if (expected != null) {
            wrong(field, expected);
        }
    }

    /** The only member of that kind is {@code stale_after}. */
    private boolean duration(@Nullable Json value) {
        if (!(value instanceof Json.Str text) || !Durations.wellFormed(text.value())) {
            return false;
        }
        staleAfter = Durations.millis(text.value());
        return true;
    }

    private static boolean names(@Nullable Json value) {
        return value instanceof Json.Str
                || (value instanceof Json.Arr a && a.items().stream().allMatch(Json.Str.class::isInstance));
    }

    private static boolean within(@Nullable Json value, double most) {
        if (!(value instanceof Json.Num n)) {
            return false;
        }
        double number = Double.parseDouble(n.text());
        return number >= 0 && number <= most;
    }

    private static boolean whole(Json value) {
        Long number = Json.Obj.of().with("n", value).integer("n");
        return number != null && number >= 0 && number <= Numbers.MAX_INTEGER;
    }

    private void readDelivery() {
        if (scan.isObject(Field.DELIVERY) && scan.sameBytes(Field.DELIVERY, lastDelivery)) {
            delivery = lastAsk;
            return;
        }
        if (!(scan.value(Field.DELIVERY) instanceof Json.Obj ask)) {
            wrong(Field.DELIVERY, "an object");
            return;
        }
        Json mode = ask.get("mode");
        if (mode != null && !(mode instanceof Json.Str m && DeliveryMode.of(m.value()) != null)) {
            add(ProtocolError.invalidEnvelope(
                    "delivery.mode", "best_effort, at_least_once or replayable", Shown.of(mode)));
            return;
        }
        Json retry = ask.get("retry");
        if (retry != null && !(retry instanceof Json.Obj)) {
            add(ProtocolError.invalidEnvelope("delivery.retry", "an object", Shown.of(retry)));
            return;
        }
        String member = retry instanceof Json.Obj policy ? RetryCheck.wrongMember(policy) : null;
        if (member != null && retry instanceof Json.Obj policy) {
            add(ProtocolError.invalidEnvelope(
                    "delivery.retry." + member, RetryCheck.expected(member), Shown.of(policy.get(member))));
            return;
        }
        delivery = DeliveryAsk.of(ask);
        lastDelivery = scan.bytes(Field.DELIVERY);
        lastAsk = delivery;
    }

    private void wrong(Field field, String expected) {
        add(ProtocolError.invalidEnvelope(field.wire(), expected, scan.shown(field)));
    }
}
