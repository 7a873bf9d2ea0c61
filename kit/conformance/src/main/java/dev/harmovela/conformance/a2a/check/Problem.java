package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A refusal, whichever binding it came over.
 *
 * @param http HTTP status; 0 over gRPC
 * @param code JSON-RPC code; null over HTTP+JSON and where no error object came
 * @param status the gRPC name, which an HTTP+JSON envelope has too, or null
 * @param reason of the {@code ErrorInfo}, or null
 * @param message what the peer says; empty when nothing
 * @param details the {@code data} or {@code details} array; null when there is none
 */
record Problem(
        int http,
        @Nullable Long code,
        @Nullable String status,
        @Nullable String reason,
        String message,
        Json.@Nullable Arr details) {

    private static final String ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";

    /** An answer that is neither a result nor an error object. */
    static Problem bare(Answer answer) {
        return new Problem(answer.status(), null, null, null, "", null);
    }

    static Problem ofRpc(Answer answer, Json.Obj error) {
        Json.Arr data = error.array("data");
        return new Problem(
                answer.status(), error.integer("code"), null, reason(data), text(error.string("message")), data);
    }

    static Problem ofRest(Answer answer) {
        Json.Obj body = answer.object();
        Json.Obj error = body == null ? null : body.object("error");
        if (error == null) {
            return bare(answer);
        }
        Json.Arr details = error.array("details");
        return new Problem(
                answer.status(), null, error.string("status"), reason(details), text(error.string("message")), details);
    }

    static Problem ofGrpc(Answer answer) {
        Problem same = ofRest(answer);
        return new Problem(0, null, same.status, same.reason, same.message, same.details);
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable String reason(Json.@Nullable Arr details) {
        Json.Obj info = info(details);
        return info == null ? null : info.string("reason");
    }

    private static Json.@Nullable Obj info(Json.@Nullable Arr details) {
        if (details != null) {
            for (Json each : details.items()) {
                if (each instanceof Json.Obj detail && ERROR_INFO.equals(detail.string("@type"))) {
                    return detail;
                }
            }
        }
        return null;
    }

    /** The {@code ErrorInfo}, or null. */
    Json.@Nullable Obj info() {
        return info(details);
    }

    /**
     * Whether it means that error: by its reason, and where none came by its code or status, of either release. Which
     * table is followed is asked by the row of the error table alone.
     */
    boolean is(A2aError error) {
        if (reason != null) {
            return reason.equals(error.name());
        }
        if (code != null) {
            return code == error.code;
        }
        if (http == 0) {
            return error.status.equals(status) || error.statusBefore.equals(status);
        }
        return http == error.http || http == error.httpBefore;
    }

    /** Whether it asks for credentials, or says that these do not do. */
    boolean isAboutCredentials() {
        return http == 401 || http == 403 || "UNAUTHENTICATED".equals(status) || "PERMISSION_DENIED".equals(status);
    }

    /** For messages. */
    @Override
    public String toString() {
        String what = code != null ? "error " + code : http == 0 ? "status " + status : "HTTP " + http;
        return what + (reason == null ? "" : " " + reason) + (message.isEmpty() ? "" : " \"" + brief() + "\"");
    }

    private String brief() {
        return message.length() <= 120 ? message : message.substring(0, 120) + "…";
    }
}
