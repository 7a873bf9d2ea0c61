package dev.harmovela.a2a;

/** The errors of A2A 1.0.1 and how each binding says them. */
enum A2aError {
    TASK_NOT_FOUND(-32001, 404, "NOT_FOUND", "task not found"),
    TASK_NOT_CANCELABLE(-32002, 400, "FAILED_PRECONDITION", "the task has ended and cannot be cancelled"),
    PUSH_NOTIFICATION_NOT_SUPPORTED(-32003, 400, "FAILED_PRECONDITION", "the agent sends no push notifications"),
    UNSUPPORTED_OPERATION(-32004, 400, "FAILED_PRECONDITION", "the operation is not supported here"),
    CONTENT_TYPE_NOT_SUPPORTED(-32005, 400, "INVALID_ARGUMENT", "the media type is not supported"),
    INVALID_AGENT_RESPONSE(-32006, 500, "INTERNAL", "the agent gave no valid answer"),
    EXTENDED_AGENT_CARD_NOT_CONFIGURED(-32007, 400, "FAILED_PRECONDITION", "there is no extended card"),
    EXTENSION_SUPPORT_REQUIRED(-32008, 400, "FAILED_PRECONDITION", "an extension is required"),
    VERSION_NOT_SUPPORTED(-32009, 400, "FAILED_PRECONDITION", "the protocol version is not supported"),
    PARSE_ERROR(-32700, 400, "INVALID_ARGUMENT", "the body is not JSON"),
    INVALID_REQUEST(-32600, 400, "INVALID_ARGUMENT", "the request is not valid"),
    METHOD_NOT_FOUND(-32601, 404, "UNIMPLEMENTED", "no such method"),
    INVALID_PARAMS(-32602, 400, "INVALID_ARGUMENT", "the parameters are not valid"),
    INTERNAL(-32603, 500, "INTERNAL", "internal error"),
    UNAUTHENTICATED(-32603, 401, "UNAUTHENTICATED", "a valid credential is needed"),
    PERMISSION_DENIED(-32603, 403, "PERMISSION_DENIED", "the credential does not allow this"),
    RESOURCE_EXHAUSTED(-32603, 429, "UNAVAILABLE", "too much at once; try again later"),
    UNAVAILABLE(-32603, 503, "UNAVAILABLE", "the agent is not attached; try again later");

    final int code;
    final int http;
    final String status;
    final String text;

    A2aError(int code, int http, String status, String text) {
        this.code = code;
        this.http = http;
        this.status = status;
        this.text = text;
    }
}
