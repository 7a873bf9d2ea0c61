package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import java.util.List;

/** A refusal of the endpoint, with what each binding says for it. The table is written down again on purpose. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    final int code;
    final int http;
    final String status;
    final String reason;

    private Refusal(String reason, int code, int http, String status) {
        super(reason, null, false, false);
        this.reason = reason;
        this.code = code;
        this.http = http;
        this.status = status;
    }

    static Refusal of(String reason) {
        return switch (reason) {
            case "TASK_NOT_FOUND" -> new Refusal(reason, -32001, 404, "NOT_FOUND");
            case "TASK_NOT_CANCELABLE" -> new Refusal(reason, -32002, 400, "FAILED_PRECONDITION");
            case "PUSH_NOTIFICATION_NOT_SUPPORTED" -> new Refusal(reason, -32003, 400, "FAILED_PRECONDITION");
            case "UNSUPPORTED_OPERATION" -> new Refusal(reason, -32004, 400, "FAILED_PRECONDITION");
            case "CONTENT_TYPE_NOT_SUPPORTED" -> new Refusal(reason, -32005, 400, "INVALID_ARGUMENT");
            case "EXTENSION_SUPPORT_REQUIRED" -> new Refusal(reason, -32008, 400, "FAILED_PRECONDITION");
            case "VERSION_NOT_SUPPORTED" -> new Refusal(reason, -32009, 400, "FAILED_PRECONDITION");
            case "PARSE_ERROR" -> new Refusal(reason, -32700, 400, "INVALID_ARGUMENT");
            case "INVALID_REQUEST" -> new Refusal(reason, -32600, 400, "INVALID_ARGUMENT");
            case "METHOD_NOT_FOUND" -> new Refusal(reason, -32601, 404, "UNIMPLEMENTED");
            case "INVALID_PARAMS" -> new Refusal(reason, -32602, 400, "INVALID_ARGUMENT");
            case "UNAUTHENTICATED" -> new Refusal(reason, -32603, 401, "UNAUTHENTICATED");
            default -> new Refusal(reason, -32603, 500, "INTERNAL");
        };
    }

    Refusal coded(int other) {
        return new Refusal(reason, other, http, status);
    }

    Refusal answered(int other, String otherStatus) {
        return new Refusal(reason, code, other, otherStatus);
    }

    Json.Arr details(String domain) {
        return new Json.Arr(List.of(Json.Obj.builder()
                .put("@type", "type.googleapis.com/google.rpc.ErrorInfo")
                .put("reason", reason)
                .put("domain", domain)
                .build()));
    }
}
