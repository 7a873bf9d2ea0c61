package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The slash methods of A2A 0.3 and of the mesh, in front of the same operations. On the hub's executor only. */
final class LegacyFace {

    private final Service service;

    LegacyFace(Service service) {
        this.service = service;
    }

    void handle(A2aExchange exchange, String agent, Json id, String method, Json.Obj params) throws Refusal {
        String task = params.string("taskId");
        Json.Obj named = task == null ? params : params.with("id", Json.of(task));
        Call call = switch (method) {
            case "message/send" -> call(exchange, agent, "SendMessage", sending(params));
            case "message/stream" -> call(exchange, agent, "SendStreamingMessage", sending(params));
            case "tasks/resubscribe" -> call(exchange, agent, "SubscribeToTask", named);
            case "tasks/get" -> call(exchange, agent, "GetTask", named);
            case "tasks/list" -> call(exchange, agent, "ListTasks", page(params));
            case "tasks/cancel" -> call(exchange, agent, "CancelTask", named);
            case "tasks/pushNotification/set",
                    "tasks/pushNotificationConfig/set",
                    "tasks/pushNotificationConfig/create" ->
                call(exchange, agent, "CreateTaskPushNotificationConfig", hook(params));
            case "tasks/pushNotification/get", "tasks/pushNotificationConfig/get" ->
                call(exchange, agent, "GetTaskPushNotificationConfig", which(params));
            case "tasks/pushNotificationConfig/list" ->
                call(exchange, agent, "ListTaskPushNotificationConfigs", which(params));
            case "tasks/pushNotificationConfig/delete" ->
                call(exchange, agent, "DeleteTaskPushNotificationConfig", which(params));
            default -> throw Refusal.of(A2aError.METHOD_NOT_FOUND);
        };
        if (Service.isStream(call.operation())) {
            service.stream(exchange, call, RpcFace.stream(exchange, id, event -> LegacyShape.event(call, event)));
        } else {
            service.call(exchange, call, translated(call, RpcFace.outcome(exchange, id)));
        }
    }

    private static Call.Outcome translated(Call call, Call.Outcome official) {
        return new Call.Outcome() {
            @Override
            public void done(Json result) {
                official.done(LegacyShape.result(call, (Json.Obj) result));
            }

            @Override
            public void refused(Refusal refusal) {
                official.refused(refusal);
            }

            @Override
            public void whenLeft(Runnable task) {
                official.whenLeft(task);
            }
        };
    }

    private static Call call(A2aExchange exchange, String agent, String operation, Json.Obj params) throws Refusal {
        Long seen = Service.isStream(operation) ? Gate.lastEventId(exchange) : null;
        return new Call(operation, params, exchange.caller(), agent, Gate.key(exchange), seen);
    }

    // --- what comes in

    private static Json.Obj sending(Json.Obj params) throws Refusal {
        Json.Obj given = params.object("message");
        if (given == null) {
            throw Refusal.invalid("message", "a message is required");
        }
        Json.Arr parts = given.array("parts");
        List<Json> official = new ArrayList<>();
        for (Json each : parts == null ? List.<Json>of() : parts.items()) {
            official.add(each instanceof Json.Obj part ? part(part) : each);
        }
        Json.Obj message = given.with("parts", new Json.Arr(official))
                .with("role", Json.of("agent".equals(given.string("role")) ? "ROLE_AGENT" : "ROLE_USER"));
        if (message.string("messageId") == null) {
            message = message.with("messageId", Json.of("msg-" + UUID.randomUUID()));
        }
        String context = params.string("contextId");
        if (message.string("contextId") == null && context != null) {
            message = message.with("contextId", Json.of(context));
        }
        Json.Obj configuration = params.object("configuration");
        Json.Builder asked = Json.Obj.builder();
        if (configuration != null) {
            asked.put("historyLength", configuration.get("historyLength"))
                    .put(
                            "returnImmediately",
                            Boolean.FALSE.equals(configuration.bool("blocking")) ? Json.of(true) : null)
                    .put("taskPushNotificationConfig", configuration.object("pushNotificationConfig"));
        }
        return Json.Obj.of().with("message", message).with("configuration", asked.build());
    }

    private static Json.Obj part(Json.Obj part) {
        Json.Obj file = part.object("file");
        Json.Builder official = Json.Obj.builder().put("metadata", part.object("metadata"));
        if (file == null) {
            return official.put("text", part.get("text"))
                    .put("data", part.get("data"))
                    .build();
        }
        return official.put("raw", file.get("bytes"))
                .put("url", file.get("uri"))
                .put("filename", file.get("name"))
                .put("mediaType", file.get("mimeType"))
                .build();
    }

    private static Json.Obj which(Json.Obj params) {
        String task = params.string("taskId") == null ? params.string("id") : params.string("taskId");
        String config = params.string("pushNotificationConfigId");
        return Json.Obj.builder()
                .put("taskId", task)
                .put("id", config == null ? "default" : config)
                .build();
    }

    private static Json.Obj hook(Json.Obj params) {
        Json.Obj config = params.object("pushNotificationConfig");
        Json.Obj given = config == null ? Json.Obj.of() : config;
        Json.Obj login = given.object("authentication");
        List<String> schemes = login == null ? List.of() : login.strings("schemes");
        Json.Obj official =
                given.with("taskId", Json.of(String.valueOf(which(params).string("taskId"))));
        if (given.string("id") == null) {
            official = official.with("id", Json.of("default"));
        }
        return login == null || schemes.isEmpty()
                ? official
                : official.with("authentication", login.with("scheme", Json.of(schemes.getFirst())));
    }

    private static Json.Obj page(Json.Obj params) throws Refusal {
        Integer offset = Proto.integer(params, "offset");
        if (offset != null && offset < 0) {
            throw Refusal.invalid("offset", "a number from 0 is expected");
        }
        return Json.Obj.builder()
                .put("contextId", params.get("contextId"))
                .put("pageSize", params.get("limit"))
                .put("pageToken", offset == null ? null : Listing.tokenAt(offset))
                .put("includeArtifacts", Json.of(true))
                .build();
    }
}
