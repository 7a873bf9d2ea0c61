package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
            case "tasks/get" -> call(exchange, agent, "GetTask", named);
            case "tasks/cancel" -> call(exchange, agent, "CancelTask", named);
            case "tasks/pushNotification/set", "tasks/pushNotificationConfig/set" ->
                call(exchange, agent, "CreateTaskPushNotificationConfig", hook(params));
            case "tasks/pushNotification/get", "tasks/pushNotificationConfig/get" ->
                call(exchange, agent, "GetTaskPushNotificationConfig", which(params));
            default -> throw Refusal.of(A2aError.METHOD_NOT_FOUND);
        };
        Call.Outcome official = RpcFace.outcome(exchange, id);
        service.call(exchange, call, new Call.Outcome() {
            @Override
            public void done(Json result) {
                official.done(shown(call.operation(), (Json.Obj) result));
            }

            @Override
            public void refused(Refusal refusal) {
                official.refused(refusal);
            }

            @Override
            public void whenLeft(Runnable task) {
                official.whenLeft(task);
            }
        });
    }

    private static Call call(A2aExchange exchange, String agent, String operation, Json.Obj params) {
        return new Call(operation, params, exchange.caller(), agent, Gate.key(exchange), null);
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

    // --- what goes out

    private static Json.Obj shown(String operation, Json.Obj result) {
        if (operation.endsWith("PushNotificationConfig")) {
            return Json.Obj.builder()
                    .put("taskId", result.string("taskId"))
                    .put("pushNotificationConfig", result.without("taskId"))
                    .build();
        }
        Json.Obj message = result.object("message");
        if (message != null) {
            return message(message);
        }
        Json.Obj task = result.object("task");
        return task(task == null ? result : task);
    }

    private static Json.Obj task(Json.Obj task) {
        Json.Obj status = task.object("status");
        Json.Obj given = status == null ? Json.Obj.of() : status;
        Json.Obj said = given.object("message");
        String state = String.valueOf(given.string("state"));
        List<Json> history = new ArrayList<>();
        for (Json each : items(task, "history")) {
            history.add(message((Json.Obj) each));
        }
        List<Json> artifacts = new ArrayList<>();
        for (Json each : items(task, "artifacts")) {
            artifacts.add(withParts((Json.Obj) each));
        }
        return Json.Obj.builder()
                .put("kind", "task")
                .put("id", task.string("id"))
                .put("contextId", task.string("contextId"))
                .put(
                        "status",
                        Json.Obj.builder()
                                .put(
                                        "state",
                                        state.replace("TASK_STATE_", "")
                                                .toLowerCase(Locale.ROOT)
                                                .replace('_', '-'))
                                .put("message", said == null ? null : message(said))
                                .put("timestamp", given.string("timestamp"))
                                .build())
                .put("history", new Json.Arr(history))
                .put("artifacts", new Json.Arr(artifacts))
                .build();
    }

    private static List<Json> items(Json.Obj of, String name) {
        Json.Arr array = of.array(name);
        return array == null ? List.of() : array.items();
    }

    private static Json.Obj message(Json.Obj message) {
        return withParts(message)
                .with("kind", Json.of("message"))
                .with("role", Json.of("ROLE_AGENT".equals(message.string("role")) ? "agent" : "user"));
    }

    private static Json.Obj withParts(Json.Obj of) {
        List<Json> parts = new ArrayList<>();
        for (Json each : items(of, "parts")) {
            parts.add(oldPart((Json.Obj) each));
        }
        return of.with("parts", new Json.Arr(parts));
    }

    private static Json.Obj oldPart(Json.Obj part) {
        if (part.raw("text") != null || part.raw("data") != null) {
            String kind = part.raw("text") == null ? "data" : "text";
            return Json.Obj.builder()
                    .put("kind", kind)
                    .put(kind, part.raw(kind))
                    .build();
        }
        Json.Obj file = Json.Obj.builder()
                .put("bytes", part.get("raw"))
                .put("uri", part.get("url"))
                .put("name", part.get("filename"))
                .put("mimeType", part.get("mediaType"))
                .build();
        return Json.Obj.builder().put("kind", "file").put("file", file).build();
    }
}
