package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The mesh dialect in front of the same operations. */
final class MeshFace {

    private final Operations operations;
    private final Faults faults;

    MeshFace(Operations operations, Faults faults) {
        this.operations = operations;
        this.faults = faults;
    }

    Json call(String method, Json.Obj params) throws Refusal, InterruptedException {
        String id = params.string("taskId");
        Json.Obj named = id == null ? params : params.with("id", Json.of(id)).without("taskId");
        return switch (method) {
            case "message/send" -> send(params);
            case "tasks/get" -> {
                Json.Obj found = (Json.Obj) operations.call(official("GetTask", named));
                yield faults.has("legacy.mixed") ? found : task(found);
            }
            case "tasks/cancel" -> task((Json.Obj) operations.call(official("CancelTask", named)));
            case "tasks/pushNotification/set" -> set(params);
            case "tasks/pushNotification/get" ->
                wrapped(operations.call(
                        official("GetTaskPushNotificationConfig", params.with("id", Json.of("default")))));
            default -> throw Refusal.of("METHOD_NOT_FOUND");
        };
    }

    private static Call official(String operation, Json.Obj params) {
        return new Call(operation, params, "default", false);
    }

    private Json send(Json.Obj params) throws Refusal, InterruptedException {
        Json.Obj message = params.object("message");
        if (message == null) {
            throw Refusal.of("INVALID_PARAMS");
        }
        Json.Obj configuration = params.object("configuration");
        Boolean blocking = configuration == null ? null : configuration.bool("blocking");
        boolean wait = blocking == null ? !faults.has("legacy.absent-immediate") : blocking;
        boolean immediate = !wait && !faults.has("legacy.blocking-ignored");
        List<Json> parts = EchoAgent.parts(message).stream()
                .map(each -> ((Json.Obj) each).without("type").without("kind"))
                .map(Json.class::cast)
                .toList();
        Json.Obj asked = Json.Obj.of()
                .with(
                        "message",
                        message.without("kind")
                                .with("role", Json.of("ROLE_USER"))
                                .with("parts", new Json.Arr(parts)))
                .with("configuration", Json.Obj.of().with("returnImmediately", Json.of(immediate)));
        Json.Obj sent = (Json.Obj) operations.call(official("SendMessage", asked));
        Json.Obj task = sent.object("task");
        if (task == null) {
            return sent;
        }
        if (blocking == null && faults.has("legacy.absent-immediate")) {
            task = task.with("status", Json.Obj.of().with("state", Json.of("TASK_STATE_WORKING")));
        }
        return task(task);
    }

    private Json task(Json.Obj task) {
        Json.Obj status = (Json.Obj) Objects.requireNonNull(task.raw("status"));
        String state = String.valueOf(status.string("state"));
        String shown = state.replace("TASK_STATE_", "").toLowerCase(Locale.ROOT).replace('_', '-');
        return Json.Obj.builder()
                .put("kind", "task")
                .put("id", task.string("id"))
                .put("contextId", task.string("contextId"))
                .put(
                        "status",
                        Json.Obj.builder()
                                .put("state", shown)
                                .put("timestamp", status.string("timestamp"))
                                .build())
                .put("history", new Json.Arr(List.of()))
                .put("artifacts", new Json.Arr(List.of()))
                .build();
    }

    private Json set(Json.Obj params) throws Refusal, InterruptedException {
        Json.Obj config = params.object("pushNotificationConfig");
        Json.Obj flat = (config == null ? Json.Obj.of() : config)
                .with("taskId", Json.of(String.valueOf(params.string("taskId"))))
                .with("id", Json.of("default"));
        Json kept = operations.call(official("CreateTaskPushNotificationConfig", flat));
        if (faults.has("legacy.push-lost")) {
            operations.call(official("DeleteTaskPushNotificationConfig", flat));
        }
        return wrapped(kept);
    }

    private static Json wrapped(Json config) {
        Json.Obj one = (Json.Obj) config;
        return Json.Obj.builder()
                .put("taskId", one.string("taskId"))
                .put("pushNotificationConfig", one.without("taskId"))
                .build();
    }
}
