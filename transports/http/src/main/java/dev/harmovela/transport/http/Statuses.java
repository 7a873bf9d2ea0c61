package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;

/** Which HTTP status tells which refusal (D34). */
final class Statuses {

    static final int BAD_REQUEST = 400;
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    static final int GONE = 410;
    static final int UNAVAILABLE = 503;

    private Statuses() {}

    /** Status of a refused event. */
    static int ofEvent(ProtocolError error) {
        if (isMissing(error)) {
            return NOT_FOUND;
        }
        return switch (error.code()) {
            case SESSION_ERROR, UNKNOWN_TARGET -> NOT_FOUND;
            case SESSION_CLOSED -> GONE;
            case CONFLICT, TASK_ERROR, DELEGATION_ERROR, STALE_STATE, BUDGET_EXCEEDED, CHECKPOINT_MISSING -> CONFLICT;
            default -> general(error, BAD_REQUEST);
        };
    }

    /** Status of a question about one thing, where a foreign thing and a missing one are the same. */
    static int ofThing(ProtocolError error) {
        if (isMissing(error)) {
            return NOT_FOUND;
        }
        return error.code() == ErrorCode.SESSION_CLOSED ? GONE : general(error, NOT_FOUND);
    }

    /** Status of a question about many things. */
    static int ofList(ProtocolError error) {
        return isMissing(error) ? NOT_FOUND : general(error, BAD_REQUEST);
    }

    /** Status of attaching to a session: closed is 410, anything that keeps it from the caller is 404 (SES-04). */
    static int ofAttachment(ProtocolError error) {
        return switch (error.code()) {
            case SESSION_CLOSED -> GONE;
            case UNAUTHORIZED, PROTOCOL_ERROR -> NOT_FOUND;
            default -> general(error, NOT_FOUND);
        };
    }

    private static int general(ProtocolError error, int otherwise) {
        return switch (error.code()) {
            case UNAUTHENTICATED -> 401;
            case UNAUTHORIZED -> 403;
            case PAYLOAD_TOO_LARGE -> 413;
            case RATE_LIMITED -> 429;
            case BUSY, TRANSPORT_UNAVAILABLE, TIMEOUT, ABORTED -> UNAVAILABLE;
            case INTERNAL_ERROR -> error.retryable() ? UNAVAILABLE : 500;
            case CONFLICT -> CONFLICT;
            case INVALID_ENVELOPE, INVALID_PAYLOAD, PROTOCOL_ERROR -> BAD_REQUEST;
            default -> otherwise;
        };
    }

    private static boolean isMissing(ProtocolError error) {
        String reason = error.details().string("reason");
        return reason != null && (reason.equals("not_found") || reason.startsWith("unknown_"));
    }
}
