package dev.harmovela.conformance.a2a.check;

/** The eleven operations and how each binding names them. */
enum Operation {
    SEND("SendMessage", "POST", "/message:send"),
    STREAM("SendStreamingMessage", "POST", "/message:stream"),
    GET("GetTask", "GET", "/tasks/{id}"),
    LIST("ListTasks", "GET", "/tasks"),
    CANCEL("CancelTask", "POST", "/tasks/{id}:cancel"),
    SUBSCRIBE("SubscribeToTask", "POST", "/tasks/{id}:subscribe"),
    PUSH_CREATE("CreateTaskPushNotificationConfig", "POST", "/tasks/{taskId}/pushNotificationConfigs"),
    PUSH_GET("GetTaskPushNotificationConfig", "GET", "/tasks/{taskId}/pushNotificationConfigs/{id}"),
    PUSH_LIST("ListTaskPushNotificationConfigs", "GET", "/tasks/{taskId}/pushNotificationConfigs"),
    PUSH_DELETE("DeleteTaskPushNotificationConfig", "DELETE", "/tasks/{taskId}/pushNotificationConfigs/{id}"),
    EXTENDED_CARD("GetExtendedAgentCard", "GET", "/extendedAgentCard");

    final String method;
    final String verb;
    final String route;

    Operation(String method, String verb, String route) {
        this.method = method;
        this.verb = verb;
        this.route = route;
    }
}
