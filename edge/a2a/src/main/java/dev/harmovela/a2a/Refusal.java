package dev.harmovela.a2a;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation was refused. Its text is safe to show to the peer. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;
    private static final String DOMAIN = "a2a-protocol.org";

    final A2aError error;
    private final transient Json.Obj metadata;
    private final @Nullable String field;

    private Refusal(A2aError error, String text, Json.Obj metadata, @Nullable String field) {
        super(text, null, false, false);
        this.error = error;
        this.metadata = metadata;
        this.field = field;
    }

    static Refusal of(A2aError error) {
        return new Refusal(error, error.text, Json.Obj.of(), null);
    }

    static Refusal of(A2aError error, String text) {
        return new Refusal(error, text, Json.Obj.of(), null);
    }

    /** With one member of the {@code ErrorInfo}'s metadata. */
    Refusal with(String name, String value) {
        return new Refusal(error, text(), metadata.with(name, Json.of(value)), field);
    }

    /** A member that is missing or wrong. */
    static Refusal invalid(String field, String text) {
        return new Refusal(A2aError.INVALID_PARAMS, field + ": " + text, Json.Obj.of(), field);
    }

    /** What the hub refused, said in the words of A2A. */
    static Refusal of(ProtocolError refused, boolean ofTask) {
        ErrorCode code = refused.code();
        return switch (code) {
            case UNAUTHENTICATED -> of(A2aError.UNAUTHENTICATED);
            case UNAUTHORIZED -> of(ofTask ? A2aError.TASK_NOT_FOUND : A2aError.PERMISSION_DENIED);
            case RATE_LIMITED -> of(A2aError.RESOURCE_EXHAUSTED);
            case BUSY, TRANSPORT_UNAVAILABLE -> of(A2aError.UNAVAILABLE, "the hub is busy; try again later");
            case PAYLOAD_TOO_LARGE, INVALID_PAYLOAD -> of(A2aError.INVALID_PARAMS, refused.message());
            default -> of(A2aError.INTERNAL, "the hub refused: " + refused.message());
        };
    }

    String text() {
        return String.valueOf(getMessage());
    }

    Json.Arr details() {
        List<Json> all = new ArrayList<>();
        all.add(Json.Obj.builder()
                .put("@type", "type.googleapis.com/google.rpc.ErrorInfo")
                .put("reason", error.name())
                .put("domain", DOMAIN)
                .put("metadata", metadata.isEmpty() ? null : metadata)
                .build());
        if (field != null) {
            Json violation = Json.Obj.builder()
                    .put("field", field)
                    .put("description", text())
                    .build();
            all.add(Json.Obj.builder()
                    .put("@type", "type.googleapis.com/google.rpc.BadRequest")
                    .put("fieldViolations", new Json.Arr(List.of(violation)))
                    .build());
        }
        return new Json.Arr(all);
    }

    /** The {@code error} member of a JSON-RPC answer. */
    Json.Obj rpc() {
        return Json.Obj.builder()
                .put("code", error.code)
                .put("message", text())
                .put("data", details())
                .build();
    }

    /** The whole body of an HTTP+JSON answer. */
    Json.Obj rest() {
        Json.Obj told = Json.Obj.builder()
                .put("code", error.http)
                .put("status", error.status)
                .put("message", text())
                .put("details", details())
                .build();
        return Json.Obj.of().with("error", told);
    }
}
