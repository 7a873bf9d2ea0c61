package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.frame.FrameCodec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which records of the audit are wanted.
 *
 * @param equal members that must be equal, by name
 * @param type pattern that the type must match, or null
 * @param since no record before this time, epoch milliseconds
 * @param until no record at or after this time, epoch milliseconds
 */
record AuditFilter(Json.Obj equal, @Nullable TypePattern type, long since, long until) {

    private static final List<String> MEMBERS = List.of(
            "actor",
            "correlation_id",
            "task_id",
            "event_id",
            "decision",
            "action",
            "resource",
            "code",
            "transport_identity",
            "subscription_id",
            "session_id");

    /** It names something that is none. */
    static final class NotOne extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient ProtocolError error;

        NotOne(String member, String expected) {
            super(member);
            error = ProtocolError.because(ErrorCode.INVALID_PAYLOAD, "invalid_filter", member + " must be " + expected);
        }

        ProtocolError error() {
            return error;
        }
    }

    static AuditFilter of(Json.Obj asked) throws NotOne {
        Json.Builder equal = Json.Obj.builder();
        TypePattern type = null;
        long since = Long.MIN_VALUE;
        long until = Long.MAX_VALUE;
        for (String name : asked.names()) {
            String value = asked.string(name);
            if (value == null || value.isEmpty()) {
                throw new NotOne(name, "given once");
            }
            switch (name) {
                case "type" -> type = pattern(value);
                case "since" -> since = time(name, value);
                case "until" -> until = time(name, value);
                default -> {
                    if (!MEMBERS.contains(name)) {
                        throw new NotOne(
                                name,
                                "left out: an audit has " + String.join(", ", MEMBERS) + ", type, since and until");
                    }
                    equal.put(name, value);
                }
            }
        }
        return new AuditFilter(equal.build(), type, since, until);
    }

    private static TypePattern pattern(String value) throws NotOne {
        try {
            return TypePattern.parse(value);
        } catch (IllegalArgumentException e) {
            throw new NotOne("type", "a pattern of event types");
        }
    }

    private static long time(String name, String value) throws NotOne {
        long time = Timestamps.parse(value);
        if (time < 0) {
            throw new NotOne(name, "a time as in RFC 3339");
        }
        return time;
    }

    /** A key of the log's index under which every record that is about one event can be found first, or null. */
    @Nullable Long key() {
        String correlation = equal.string("correlation_id");
        if (correlation != null) {
            return FrameCodec.key("correlation", correlation);
        }
        String task = equal.string("task_id");
        if (task != null) {
            return FrameCodec.key("task", task);
        }
        String event = equal.string("event_id");
        return event == null ? null : FrameCodec.key("id", event);
    }

    boolean takes(String recordType) {
        return type == null || type.matches(recordType);
    }

    boolean takes(Json.Obj row) {
        for (String name : equal.names()) {
            if (!Objects.equals(equal.string(name), row.string(name))) {
                return false;
            }
        }
        return true;
    }
}
