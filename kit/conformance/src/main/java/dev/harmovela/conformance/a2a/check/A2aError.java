package dev.harmovela.conformance.a2a.check;

/** The errors of A2A, with what each binding says for them: release 1.0.1 first, then 1.0.0, which is tolerated. */
enum A2aError {
    TASK_NOT_FOUND(-32001, 404, 404, "NOT_FOUND"),
    TASK_NOT_CANCELABLE(-32002, 400, 409, "FAILED_PRECONDITION"),
    PUSH_NOTIFICATION_NOT_SUPPORTED(-32003, 400, 400, "FAILED_PRECONDITION", "UNIMPLEMENTED"),
    UNSUPPORTED_OPERATION(-32004, 400, 400, "FAILED_PRECONDITION", "UNIMPLEMENTED"),
    CONTENT_TYPE_NOT_SUPPORTED(-32005, 400, 415, "INVALID_ARGUMENT"),
    INVALID_AGENT_RESPONSE(-32006, 500, 502, "INTERNAL"),
    EXTENDED_AGENT_CARD_NOT_CONFIGURED(-32007, 400, 400, "FAILED_PRECONDITION"),
    EXTENSION_SUPPORT_REQUIRED(-32008, 400, 400, "FAILED_PRECONDITION"),
    VERSION_NOT_SUPPORTED(-32009, 400, 400, "FAILED_PRECONDITION", "UNIMPLEMENTED"),
    PARSE_ERROR(-32700, 400, 400, "INVALID_ARGUMENT"),
    INVALID_REQUEST(-32600, 400, 400, "INVALID_ARGUMENT"),
    METHOD_NOT_FOUND(-32601, 404, 404, "UNIMPLEMENTED", "NOT_FOUND"),
    INVALID_PARAMS(-32602, 400, 422, "INVALID_ARGUMENT"),
    INTERNAL_ERROR(-32603, 500, 500, "INTERNAL");

    /** The release whose table is asked for. */
    static final String RELEASE = "1.0.1";

    /** The release whose table is tolerated and reported. */
    static final String TOLERATED = "1.0.0";

    private static final int FIRST_OF_A2A = -32009;
    private static final int LAST_OF_A2A = -32001;

    final int code;
    final int http;
    final int httpBefore;
    final String status;
    final String statusBefore;

    A2aError(int code, int http, int httpBefore, String status) {
        this(code, http, httpBefore, status, status);
    }

    A2aError(int code, int http, int httpBefore, String status, String statusBefore) {
        this.code = code;
        this.http = http;
        this.httpBefore = httpBefore;
        this.status = status;
        this.statusBefore = statusBefore;
    }

    /** Whether A2A defines it, so that an {@code ErrorInfo} goes with it. */
    boolean ofA2a() {
        return code >= FIRST_OF_A2A && code <= LAST_OF_A2A;
    }
}
