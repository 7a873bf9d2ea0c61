package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.List;

/**
 * Why something was refused or failed, as it stands in {@code payload.error} (§8).
 *
 * @param code what kind of error
 * @param message a sentence for people; nothing in it is secret
 * @param retryable whether the same event may succeed later
 * @param details members for programs: {@code path}, {@code expected}, {@code got}, {@code reason} and others
 */
public record ProtocolError(ErrorCode code, String message, boolean retryable, Json.Obj details) {

    /** An error of that code with its default sentence. */
    public static ProtocolError of(ErrorCode code) {
        return of(code, code.defaultText());
    }

    public static ProtocolError of(ErrorCode code, String message) {
        return new ProtocolError(code, message, code.retryable(), Json.Obj.of());
    }

    /** A code with {@code details.reason}. */
    public static ProtocolError because(ErrorCode code, String reason, String message) {
        return of(code, message).with("reason", reason);
    }

    /** A member that is not as it should be; {@code got} must be short and safe to show. */
    public static ProtocolError mismatch(ErrorCode code, String path, String expected, String got) {
        String place = path.isEmpty() ? "the event" : path;
        return new ProtocolError(
                code,
                place + " must be " + expected + ", got " + got,
                code.retryable(),
                Json.Obj.builder()
                        .put("path", path)
                        .put("expected", expected)
                        .put("got", got)
                        .build());
    }

    public static ProtocolError invalidEnvelope(String path, String expected, String got) {
        return mismatch(ErrorCode.INVALID_ENVELOPE, path, expected, got);
    }

    public static ProtocolError invalidPayload(String path, String expected, String got) {
        return mismatch(ErrorCode.INVALID_PAYLOAD, path, expected, got);
    }

    /** Bytes or text that are not acceptable JSON (D18). */
    public static ProtocolError invalidJson(JsonException refused) {
        return invalidEnvelope(refused.path(), refused.expected(), refused.got())
                .with("offset", Json.of(refused.offset()))
                .saying(refused.getMessage() + " (byte " + refused.offset() + ")");
    }

    public static ProtocolError unsupportedVersion(String got, List<String> supported) {
        return mismatch(ErrorCode.UNSUPPORTED_VERSION, "spec_version", String.join(" or ", supported), got)
                .with("supported", Json.of(supported));
    }

    public static ProtocolError invalidType(String got) {
        return mismatch(ErrorCode.INVALID_EVENT_TYPE, "type", "lower-case words joined by dots", got);
    }

    public static ProtocolError unknownType(String type) {
        return mismatch(ErrorCode.UNKNOWN_EVENT_TYPE, "type", "a registered event type", type);
    }

    /** An event of {@code length} bytes, or with a payload of so many, where {@code limit} are allowed. */
    public static ProtocolError tooLarge(long length, long limit) {
        return mismatch(ErrorCode.PAYLOAD_TOO_LARGE, "", "at most " + limit + " bytes", length + " bytes")
                .with("limit", Json.of(limit));
    }

    /** An event that its state does not allow: {@code task_error} and its like. */
    public static ProtocolError illegalTransition(ErrorCode code, String from, String event, List<String> allowed) {
        return of(code, event + " is not possible in " + from)
                .with("from", from)
                .with("event", event)
                .with("allowed", Json.of(allowed));
    }

    /** {@link #illegalTransition(ErrorCode, String, String, List)} of a task (§5). */
    public static ProtocolError illegalTransition(String from, String event, List<String> allowed) {
        return illegalTransition(ErrorCode.TASK_ERROR, from, event, allowed);
    }

    /** A filter that cannot be subscribed to. */
    public static ProtocolError subscriptionRejected(String path, String expected, String got) {
        return mismatch(ErrorCode.SUBSCRIPTION_REJECTED, path, expected, got);
    }

    /** {@code unauthorized} with one of the reasons of §7. */
    public static ProtocolError unauthorized(String reason, String message) {
        return because(ErrorCode.UNAUTHORIZED, reason, message);
    }

    /** A fault of the hub; says nothing about its inside. */
    public static ProtocolError internal() {
        return of(ErrorCode.INTERNAL_ERROR);
    }

    /** This error with one more detail. */
    public ProtocolError with(String key, Json value) {
        return new ProtocolError(code, message, retryable, details.with(key, value));
    }

    /** This error with one more detail. */
    public ProtocolError with(String key, String value) {
        return with(key, Json.of(value));
    }

    /** This error with another sentence. */
    public ProtocolError saying(String sentence) {
        return new ProtocolError(code, sentence, retryable, details);
    }

    /** This error with another answer to whether it may succeed later. */
    public ProtocolError retryable(boolean later) {
        return new ProtocolError(code, message, later, details);
    }

    /** The text for {@code payload.reason}: {@code details.reason}, else the code (D25). */
    public String reason() {
        String reason = details.string("reason");
        return reason != null ? reason : code.wire();
    }

    /** The form in payloads; empty details are left out. */
    public Json.Obj toJson() {
        Json.Builder out = Json.Obj.builder()
                .put("code", code.wire())
                .put("message", message)
                .put("retryable", retryable);
        return (details.isEmpty() ? out : out.put("details", details)).build();
    }

    /**
     * Reads what a peer wrote. Never fails: a code that is not in the catalogue becomes {@code protocol_error}, keeps
     * its text in {@code details.peer_code} and counts as retryable unless the peer says otherwise; a known code has
     * its own default.
     */
    public static ProtocolError parse(Json.Obj error) {
        String wire = error.string("code");
        ErrorCode code = wire == null ? ErrorCode.PROTOCOL_ERROR : ErrorCode.ofWire(wire);
        boolean foreign = wire == null || !ErrorCode.isKnown(wire);
        String message = error.string("message");
        Boolean retryable = error.bool("retryable");
        Json.Obj details = error.object("details");
        Json.Obj kept = details == null ? Json.Obj.of() : details;
        return new ProtocolError(
                code,
                message == null ? code.defaultText() : message,
                retryable != null ? retryable : foreign || code.retryable(),
                foreign && wire != null ? kept.with("peer_code", Json.of(wire)) : kept);
    }

    /** The code as the peer wrote it, also one that is not in the catalogue. */
    public String wireCode() {
        String peer = details.string("peer_code");
        return peer != null ? peer : code.wire();
    }
}
