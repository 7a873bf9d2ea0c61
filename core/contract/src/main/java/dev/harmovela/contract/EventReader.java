package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of bytes: one pass, every check that needs no state (§1).
 *
 * <p>Holds buffers between events: one reader per thread. Never throws for what is in the bytes, and does not keep
 * the array.
 */
public final class EventReader {

    private final EventRegistry registry;
    private final Limits limits;
    private final EnvelopeScan scan;
    private final EnvelopeCheck envelope;
    private final PayloadCheck payloads;

    public EventReader(EventRegistry registry, Limits limits) {
        this.registry = registry;
        this.limits = limits;
        scan = new EnvelopeScan(limits.maxDepth());
        envelope = new EnvelopeCheck(scan, limits);
        payloads = new PayloadCheck(registry, limits);
    }

    /** What reading gives. */
    public sealed interface Read {

        /** An event that is valid as far as that can be seen without state. */
        record Ok(Event event) implements Read {}

        /**
         * Bytes that are refused.
         *
         * @param first the first failure in the order of §1
         * @param all every problem found, {@code first} in front
         * @param id the event's id, if one could be read; the same goes for the four after it
         * @param json false when the bytes were not JSON at all
         * @param envelopeValid whether spec_version, id, type, source, created_at and payload are valid, so that a
         *     request is
         *     answered by its family's {@code .rejected} (D25)
         */
        record Bad(
                ProtocolError first,
                List<ProtocolError> all,
                @Nullable String id,
                @Nullable String type,
                @Nullable String source,
                @Nullable String correlationId,
                @Nullable String taskId,
                boolean json,
                boolean envelopeValid)
                implements Read {}
    }

    /** Reads one event from {@code len} bytes. */
    public Read read(byte[] buf, int off, int len) {
        scan.read(buf, off, len);
        try {
            return judge(len);
        } finally {
            scan.release();
        }
    }

    private Read judge(int length) {
        JsonException broken = scan.broken();
        if (broken != null) {
            envelope.begin();
            envelope.add(ProtocolError.invalidJson(broken));
            if (!broken.syntax() && scan.complete()) {
                envelope.check(registeredType());
            }
            return bad(!broken.syntax(), false);
        }
        if (!scan.object()) {
            envelope.begin();
            envelope.add(ProtocolError.invalidEnvelope("", "a JSON object", scan.shownTop()));
            return bad(true, false);
        }
        EventType type = registeredType();
        envelope.begin();
        size(length);
        boolean core = envelope.check(type);
        if (type == null) {
            envelope.typeProblem();
        }
        if (envelope.problems().isEmpty() && type != null) {
            ProtocolError problem = payloads.problem(type, scan);
            if (problem == null) {
                return new Read.Ok(event(type));
            }
            envelope.add(problem);
        }
        return bad(true, core && type != null);
    }

    private void size(int length) {
        int payload = scan.isObject(Field.PAYLOAD) ? scan.length(Field.PAYLOAD) : 0;
        if (payload > limits.maxPayloadBytes()) {
            envelope.add(
                    ProtocolError.tooLarge(payload, limits.maxPayloadBytes()).with("path", "payload"));
        } else if (length > limits.maxEventBytes()) {
            envelope.add(ProtocolError.tooLarge(length, limits.maxEventBytes()));
        }
    }

    private @Nullable EventType registeredType() {
        if (!scan.isString(Field.TYPE)) {
            return null;
        }
        if (scan.escaped(Field.TYPE)) {
            String text = scan.text(Field.TYPE);
            return text == null ? null : registry.find(text);
        }
        int from = scan.from(Field.TYPE);
        return registry.find(scan.buffer(), from, from + scan.length(Field.TYPE));
    }

    private Event event(EventType type) {
        boolean ofTask = type.in("task") || type.in("tool.call");
        boolean claims =
                scan.has(Field.REQUESTED_ACTION) || scan.has(Field.TENANT_ID) || scan.has(Field.TARGET_TENANT_ID);
        Event event = new Event(type, scan.stored(), scan.spans(ofTask), envelope.times(), envelope.delivery())
                .claiming(claims)
                .knowing(Field.SOURCE, scan.name(Field.SOURCE))
                .knowing(Field.SESSION_ID, scan.name(Field.SESSION_ID));
        if (type.in("event")) {
            event.settling(new Event.Settles(
                    scan.text(Field.PAYLOAD_ACKNOWLEDGED_EVENT_ID), scan.name(Field.PAYLOAD_SUBSCRIPTION_ID)));
        }
        return scan.isObject(Field.AUTHORIZATION)
                ? event.authorizedBy((Json.Obj) scan.value(Field.AUTHORIZATION))
                : event;
    }

    private Read.Bad bad(boolean json, boolean envelopeValid) {
        List<ProtocolError> all = List.copyOf(envelope.problems());
        return new Read.Bad(
                all.getFirst(),
                all,
                named(Field.ID),
                named(Field.TYPE),
                named(Field.SOURCE),
                named(Field.CORRELATION_ID),
                scan.has(Field.TASK_ID) ? named(Field.TASK_ID) : named(Field.PAYLOAD_TASK_ID),
                json,
                envelopeValid);
    }

    private @Nullable String named(Field field) {
        return scan.isString(field) && scan.length(field) > 0 && scan.length(field) <= limits.maxNameBytes()
                ? scan.text(field)
                : null;
    }
}
