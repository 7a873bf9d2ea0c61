package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/** Judges the payload of an event whose envelope is valid (§1, §4, §5, §7). */
final class PayloadCheck {

    private final Limits limits;
    private final PayloadSchemas schemas;

    PayloadCheck(EventRegistry registry, Limits limits) {
        this.limits = limits;
        this.schemas = new PayloadSchemas(registry);
    }

    /** The first problem, or null. */
    @Nullable ProtocolError problem(EventType type, EnvelopeScan scan) {
        ProtocolError addressed = addressed(type, scan);
        if (addressed != null) {
            return addressed;
        }
        if (!scan.isObject(Field.PAYLOAD)) {
            return null;
        }
        String reserved = scan.reservedKey();
        if (reserved != null && limits.reservedKeys() == Limits.ReservedKeys.REFUSED) {
            return ProtocolError.invalidPayload(
                    "payload." + reserved, "absent: keys with _ in front are reserved", "a value");
        }
        if (type.name().equals("subscription.requested")) {
            return filter(scan);
        }
        ProtocolError schema = schemas.problem(type, scan);
        if (schema != null) {
            return schema;
        }
        return type.in("task") || type.in("tool.call") ? taskIds(scan) : null;
    }

    private static @Nullable ProtocolError addressed(EventType type, EnvelopeScan scan) {
        boolean command = type.in("command");
        if (!command && !type.in("query")) {
            return null;
        }
        ErrorCode code = command ? ErrorCode.INVALID_COMMAND : ErrorCode.INVALID_QUERY;
        Field missing =
                !scan.has(Field.TARGET) ? Field.TARGET : !scan.has(Field.CORRELATION_ID) ? Field.CORRELATION_ID : null;
        return missing == null
                ? null
                : ProtocolError.mismatch(code, missing.wire(), "a non-empty string", scan.shown(missing))
                        .with("reason", "missing_" + missing.wire());
    }

    private static @Nullable ProtocolError filter(EnvelopeScan scan) {
        if (!(scan.value(Field.PAYLOAD) instanceof Json.Obj payload)) {
            throw new IllegalStateException("a payload that was read is gone");
        }
        return FilterCheck.problem(payload);
    }

    private @Nullable ProtocolError taskIds(EnvelopeScan scan) {
        if (!scan.isString(Field.PAYLOAD_TASK_ID)) {
            return null;
        }
        if (scan.length(Field.PAYLOAD_TASK_ID) > limits.maxNameBytes()) {
            return ProtocolError.invalidPayload(
                    "payload.task_id",
                    "at most " + limits.maxNameBytes() + " bytes",
                    scan.length(Field.PAYLOAD_TASK_ID) + " bytes");
        }
        if (!scan.has(Field.TASK_ID) || scan.sameText(Field.TASK_ID, Field.PAYLOAD_TASK_ID)) {
            return null;
        }
        return ProtocolError.invalidPayload(
                "payload.task_id",
                "the task_id of the envelope, " + scan.shown(Field.TASK_ID),
                scan.shown(Field.PAYLOAD_TASK_ID));
    }
}
