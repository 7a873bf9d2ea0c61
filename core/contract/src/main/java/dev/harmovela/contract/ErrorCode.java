package dev.harmovela.contract;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The catalogue of error codes (§8). */
public enum ErrorCode {
    PROTOCOL_ERROR(Category.PROTOCOL, Retry.NEVER, "The event breaks the protocol"),
    INVALID_ENVELOPE(Category.PROTOCOL, Retry.NEVER, "The envelope is malformed"),
    INVALID_EVENT_TYPE(Category.PROTOCOL, Retry.NEVER, "The event type is ill-formed"),
    UNKNOWN_EVENT_TYPE(Category.PROTOCOL, Retry.NEVER, "The event type is not registered"),
    UNSUPPORTED_VERSION(Category.PROTOCOL, Retry.NEVER, "The protocol version is not supported"),
    PAYLOAD_TOO_LARGE(Category.PROTOCOL, Retry.NEVER, "The event is larger than allowed"),
    INVALID_PAYLOAD(Category.PROTOCOL, Retry.NEVER, "The payload is malformed"),
    CONFLICT(Category.PROTOCOL, Retry.NEVER, "The id is taken by another event"),
    NOT_SUPPORTED(Category.PROTOCOL, Retry.NEVER, "This is not supported"),
    ABORTED(Category.PROTOCOL, Retry.LATER, "The operation was aborted"),
    TIMEOUT(Category.PROTOCOL, Retry.LATER, "The operation took too long"),
    BUSY(Category.PROTOCOL, Retry.LATER, "Too busy at the moment"),
    TRANSPORT_UNAVAILABLE(Category.PROTOCOL, Retry.LATER, "The transport is not available"),
    INTERNAL_ERROR(Category.PROTOCOL, Retry.LATER, "The hub failed"),
    RATE_LIMITED(Category.PROTOCOL, Retry.LATER, "Too many events in a short time"),
    SESSION_ERROR(Category.SESSION, Retry.NEVER, "The session cannot be used"),
    SESSION_TIMEOUT(Category.SESSION, Retry.LATER, "The session fell silent"),
    SESSION_CLOSED(Category.SESSION, Retry.NEVER, "The session has ended"),
    UNAUTHORIZED(Category.SESSION, Retry.NEVER, "Not allowed"),
    UNAUTHENTICATED(Category.SESSION, Retry.NEVER, "No valid credential"),
    UNSUPPORTED_PROFILE(Category.SESSION, Retry.NEVER, "A required profile is not available"),
    INVALID_CAPABILITY(Category.SESSION, Retry.NEVER, "A declared capability is not acceptable"),
    MISSING_CAPABILITY(Category.SESSION, Retry.NEVER, "A capability is missing"),
    SUBSCRIPTION_ERROR(Category.SUBSCRIPTION, Retry.NEVER, "The subscription cannot be used"),
    SUBSCRIPTION_REJECTED(Category.SUBSCRIPTION, Retry.NEVER, "The subscription was not accepted"),
    TASK_ERROR(Category.TASK, Retry.NEVER, "The task does not allow this"),
    TASK_TIMEOUT(Category.TASK, Retry.LATER, "The task ran out of time"),
    TASK_CANCELLED(Category.TASK, Retry.NEVER, "The task was cancelled"),
    CHECKPOINT_MISSING(Category.TASK, Retry.NEVER, "The checkpoint does not exist"),
    TOOL_ERROR(Category.TOOL, Retry.NEVER, "The tool failed"),
    TOOL_TIMEOUT(Category.TOOL, Retry.LATER, "The tool ran out of time"),
    DELEGATION_ERROR(Category.COORDINATION, Retry.NEVER, "The delegation does not allow this"),
    INVALID_COMMAND(Category.COORDINATION, Retry.NEVER, "The command is malformed"),
    INVALID_QUERY(Category.COORDINATION, Retry.NEVER, "The query is malformed"),
    UNKNOWN_TARGET(Category.COORDINATION, Retry.NEVER, "The target is not known"),
    NEGOTIATION_TIMEOUT(Category.COORDINATION, Retry.LATER, "No decision within the negotiation window"),
    STALE_STATE(Category.COORDINATION, Retry.LATER, "The state named is not the current one"),
    BUDGET_EXCEEDED(Category.ADAPTATION, Retry.NEVER, "The budget is used up");

    /** The part of the protocol a code belongs to. */
    public enum Category {
        PROTOCOL,
        SESSION,
        SUBSCRIPTION,
        TASK,
        TOOL,
        COORDINATION,
        ADAPTATION
    }

    private enum Retry {
        NEVER,
        LATER
    }

    private static final Map<String, ErrorCode> BY_WIRE = new HashMap<>();

    static {
        for (ErrorCode code : values()) {
            BY_WIRE.put(code.wire, code);
        }
    }

    private final String wire = name().toLowerCase(Locale.ROOT);
    private final Category category;
    private final Retry retry;
    private final String defaultText;

    ErrorCode(Category category, Retry retry, String defaultText) {
        this.category = category;
        this.retry = retry;
        this.defaultText = defaultText;
    }

    /** The code in envelopes, lower_snake. */
    public String wire() {
        return wire;
    }

    /** Whether the same event may succeed later. */
    public boolean retryable() {
        return retry == Retry.LATER;
    }

    public Category category() {
        return category;
    }

    /** A sentence for people, safe to show to any peer. */
    public String defaultText() {
        return defaultText;
    }

    /** Whether the code is in the catalogue. */
    public static boolean isKnown(String wire) {
        return BY_WIRE.containsKey(wire);
    }

    /** The code of that wire name; {@link #PROTOCOL_ERROR} for one that is not in the catalogue. */
    public static ErrorCode ofWire(String wire) {
        return BY_WIRE.getOrDefault(wire, PROTOCOL_ERROR);
    }
}
