package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the service answers, in the shape of A2A 0.3 and of the mesh. Pure. */
final class LegacyShape {

    private LegacyShape() {}

    /** The result of a call that is no stream. */
    static Json result(Call call, Json.Obj result) {
        return switch (call.operation()) {
            case "CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig" -> hook(result);
            case "ListTaskPushNotificationConfigs" ->
                new Json.Arr(items(result, "configs").stream()
                        .<Json>map(each -> hook((Json.Obj) each))
                        .toList());
            case "DeleteTaskPushNotificationConfig" -> Json.Null.NULL;
            case "ListTasks" ->
                result.with(
                        "tasks",
                        new Json.Arr(items(result, "tasks").stream()
                                .<Json>map(each -> task((Json.Obj) each))
                                .toList()));
            default -> {
                Json.Obj message = result.object("message");
                Json.Obj task = result.object("task");
                yield message == null ? task(task == null ? result : task) : message(message);
            }
        };
    }

    /** One event of a stream. A status is final when the stream ends behind it. */
    static Json.Obj event(Call call, Json.Obj event) {
        Json.Obj status = event.object("statusUpdate");
        if (status != null) {
            String state = String.valueOf(given(status).string("state"));
            boolean asks = call.operation().equals("SendStreamingMessage") && state.equals(TaskState.INPUT_REQUIRED);
            return Json.Obj.builder()
                    .put("kind", "status-update")
                    .put("taskId", status.string("taskId"))
                    .put("contextId", status.string("contextId"))
                    .put("status", status(given(status)))
                    .put("final", Json.of(asks || TaskState.TERMINAL.contains(state)))
                    .put("metadata", status.object("metadata"))
                    .build();
        }
        Json.Obj made = event.object("artifactUpdate");
        if (made != null) {
            Json.Obj artifact = made.object("artifact");
            return made.with("kind", Json.of("artifact-update"))
                    .with("artifact", withParts(artifact == null ? Json.Obj.of() : artifact));
        }
        Json.Obj message = event.object("message");
        Json.Obj task = event.object("task");
        return message == null ? task(task == null ? Json.Obj.of() : task) : message(message);
    }

    private static Json.Obj hook(Json.Obj result) {
        Json.Obj config = result.without("taskId");
        Json.Obj login = config.object("authentication");
        if (login != null) {
            List<Json> schemes = List.of(Json.of(String.valueOf(login.string("scheme"))));
            config = config.with("authentication", Json.Obj.of().with("schemes", new Json.Arr(schemes)));
        }
        return Json.Obj.builder()
                .put("taskId", result.string("taskId"))
                .put("pushNotificationConfig", config)
                .build();
    }

    private static Json.Obj given(Json.Obj of) {
        Json.Obj status = of.object("status");
        return status == null ? Json.Obj.of() : status;
    }

    private static Json.Obj status(Json.Obj given) {
        Json.Obj said = given.object("message");
        String state = String.valueOf(given.string("state"));
        return Json.Obj.builder()
                .put(
                        "state",
                        state.replace("TASK_STATE_", "")
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-'))
                .put("message", said == null ? null : message(said))
                .put("timestamp", given.string("timestamp"))
                .build();
    }

    private static Json.Obj task(Json.Obj task) {
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
                .put("status", status(given(task)))
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
