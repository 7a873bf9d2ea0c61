package dev.harmovela.grpc;

import dev.harmovela.contract.ErrorCode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended.
 *
 * @param code number of the gRPC status, 0 for a good end
 * @param status its name
 * @param text what it says beside that, perhaps nothing
 * @param trailers texts among the trailers, by their names in small letters
 * @param details what {@code grpc-status-details-bin} held, or null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GrpcEnd(int code, String status, String text, Map<String, String> trailers, byte @Nullable [] details) {

    public GrpcEnd {
        trailers = Map.copyOf(trailers);
    }

    /** Whether it ended well. */
    public boolean ok() {
        return code == 0;
    }

    /** Where a stream goes on, or null when the hub did not say. */
    public @Nullable String cursor() {
        return trailers.get("x-harmovela-cursor");
    }

    /** The standard error that the status stands for (§13), or null for a good end. */
    public @Nullable ErrorCode error() {
        return switch (status) {
            case "OK" -> null;
            case "CANCELLED", "ABORTED" -> ErrorCode.ABORTED;
            case "INVALID_ARGUMENT" -> ErrorCode.INVALID_ENVELOPE;
            case "DEADLINE_EXCEEDED" -> ErrorCode.TIMEOUT;
            case "PERMISSION_DENIED" -> ErrorCode.UNAUTHORIZED;
            case "RESOURCE_EXHAUSTED" -> ErrorCode.RATE_LIMITED;
            case "UNAVAILABLE" -> ErrorCode.TRANSPORT_UNAVAILABLE;
            case "UNAUTHENTICATED" -> ErrorCode.UNAUTHENTICATED;
            case "NOT_FOUND" -> ErrorCode.SESSION_ERROR;
            case "UNIMPLEMENTED" -> ErrorCode.NOT_SUPPORTED;
            case "INTERNAL" -> ErrorCode.INTERNAL_ERROR;
            default -> ErrorCode.PROTOCOL_ERROR;
        };
    }

    @Override
    public String toString() {
        return status + (text.isEmpty() ? "" : ": " + text);
    }
}
