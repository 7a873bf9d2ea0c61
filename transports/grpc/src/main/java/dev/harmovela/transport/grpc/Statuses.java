package dev.harmovela.transport.grpc;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.spi.CloseReason;
import io.grpc.Metadata;
import io.grpc.Status;

/**
 * How a stream ends (§13). A slow reader and a message that is too large are both {@code RESOURCE_EXHAUSTED}; the
 * trailer {@code x-harmovela-error} tells them apart. {@link CloseReason#REPLACED} is {@code CANCELLED}: a client that
 * came back after it would take the session away again from the stream that just took it.
 */
final class Statuses {

    private Statuses() {}

    static Status of(CloseReason reason, String text) {
        return switch (reason) {
            case NORMAL -> Status.OK;
            case GOING_AWAY -> Status.UNAVAILABLE.withDescription(text);
            case PROTOCOL_ERROR -> Status.INVALID_ARGUMENT.withDescription(text);
            case UNAUTHORIZED -> Status.PERMISSION_DENIED.withDescription(text);
            case TOO_LARGE, SLOW_READER -> Status.RESOURCE_EXHAUSTED.withDescription(text);
            case REPLACED -> Status.CANCELLED.withDescription(text);
            case INTERNAL -> Status.INTERNAL.withDescription(text);
        };
    }

    /** The standard error behind the end of a stream, for its trailer; an orderly end has none. */
    static ErrorCode code(CloseReason reason) {
        return switch (reason) {
            case NORMAL, GOING_AWAY -> ErrorCode.TRANSPORT_UNAVAILABLE;
            case PROTOCOL_ERROR -> ErrorCode.PROTOCOL_ERROR;
            case UNAUTHORIZED -> ErrorCode.UNAUTHORIZED;
            case TOO_LARGE -> ErrorCode.PAYLOAD_TOO_LARGE;
            case SLOW_READER -> ErrorCode.RATE_LIMITED;
            case REPLACED -> ErrorCode.SESSION_ERROR;
            case INTERNAL -> ErrorCode.INTERNAL_ERROR;
        };
    }

    /** Status of a refusal. */
    static Status of(ProtocolError error) {
        Status status = switch (error.code()) {
            case INVALID_ENVELOPE, INVALID_PAYLOAD, INVALID_EVENT_TYPE, UNKNOWN_EVENT_TYPE, PROTOCOL_ERROR ->
                Status.INVALID_ARGUMENT;
            case UNSUPPORTED_VERSION, SESSION_CLOSED, NOT_SUPPORTED -> Status.FAILED_PRECONDITION;
            case TIMEOUT, SESSION_TIMEOUT, TASK_TIMEOUT, TOOL_TIMEOUT, NEGOTIATION_TIMEOUT -> Status.DEADLINE_EXCEEDED;
            case UNAUTHORIZED -> Status.PERMISSION_DENIED;
            case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
            case RATE_LIMITED, PAYLOAD_TOO_LARGE -> Status.RESOURCE_EXHAUSTED;
            case ABORTED, CONFLICT -> Status.ABORTED;
            case BUSY, TRANSPORT_UNAVAILABLE -> Status.UNAVAILABLE;
            case SESSION_ERROR, UNKNOWN_TARGET -> Status.NOT_FOUND;
            case TASK_CANCELLED -> Status.CANCELLED;
            case INTERNAL_ERROR -> Status.INTERNAL;
            default -> Status.FAILED_PRECONDITION;
        };
        return status.withDescription(error.message());
    }

    /** What keeps a session from the caller looks the same whether the session exists or not (SES-04). */
    static Status ofAttachment(ProtocolError error) {
        return switch (error.code()) {
            case UNAUTHORIZED, PROTOCOL_ERROR -> Status.NOT_FOUND.withDescription(error.message());
            default -> of(error);
        };
    }

    /** Trailers that carry the whole error (ENV-05). */
    static Metadata trailers(ProtocolError error) {
        Metadata trailers = new Metadata();
        trailers.put(Keys.ERROR, Keys.printable(error.toJson().toString()));
        return trailers;
    }
}
