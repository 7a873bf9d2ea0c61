package dev.harmovela.a2a;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an event of the hub means for a task of A2A. Pure.
 *
 * <p>An agent that knows A2A puts whole messages and artifacts into {@code payload.a2a} and {@code payload.artifact};
 * what any other agent says in {@code message}, {@code result} and {@code error} is told as text and data.
 */
final class Mapping {

    private Mapping() {}

    /** The entries that an event adds, in order; none when it changes nothing that A2A shows. */
    static List<TaskLog.Entry> entries(TaskLog log, Json.Obj event) {
        Json.Obj payload = payload(event);
        return switch (String.valueOf(event.string("type"))) {
            case "task.started", "task.resumed" -> List.of(moved(log, event, "TASK_STATE_WORKING"));
            case "task.progress" -> List.of(moved(log, event, "TASK_STATE_WORKING"));
            case "task.output" -> output(log, event, payload);
            case "task.blocked" -> List.of(moved(log, event, blocked(payload)));
            case "task.completed" -> completed(log, event, payload);
            case "task.failed" -> List.of(moved(log, event, failed(payload)));
            case "task.cancelled" -> List.of(moved(log, event, "TASK_STATE_CANCELED"));
            case "task.timed_out" -> List.of(moved(log, event, "TASK_STATE_FAILED"));
            case "agent.message.sent", "agent.response.created" -> said(log, event, payload);
            default -> List.of();
        };
    }

    static Json.Obj payload(Json.Obj event) {
        Json.Obj payload = event.object("payload");
        return payload == null ? Json.Obj.of() : payload;
    }

    private static String blocked(Json.Obj payload) {
        String reason = payload.string("reason");
        return switch (reason == null ? "" : reason) {
            case "input_required" -> TaskState.INPUT_REQUIRED;
            case "auth_required" -> TaskState.AUTH_REQUIRED;
            default -> "TASK_STATE_WORKING";
        };
    }

    private static String failed(Json.Obj payload) {
        Json.Obj error = payload.object("error");
        Json.Obj details = error == null ? payload.object("details") : error.object("details");
        boolean rejected = "rejected".equals(payload.string("reason"))
                || (details != null && "rejected".equals(details.string("reason")));
        return rejected ? "TASK_STATE_REJECTED" : "TASK_STATE_FAILED";
    }

    // --- statuses

    private static TaskLog.Moved moved(TaskLog log, Json.Obj event, String state) {
        Json.Obj status = Json.Obj.builder()
                .put("state", state)
                .put("message", statusMessage(log, event))
                .put("timestamp", timestamp(event))
                .build();
        Json.Obj payload = payload(event);
        Json progress = payload.get("progress");
        Json.Obj metadata = progress == null ? null : Json.Obj.of().with("progress", progress);
        return new TaskLog.Moved(status, metadata);
    }

    /** Milliseconds and a Z, whatever precision the event had. */
    static String timestamp(Json.Obj event) {
        String text = String.valueOf(event.string("created_at"));
        long at = Timestamps.parse(text);
        return at == Timestamps.INVALID ? "1970-01-01T00:00:00.000Z" : Timestamps.format(at);
    }

    private static Json.@Nullable Obj statusMessage(TaskLog log, Json.Obj event) {
        Json.Obj payload = payload(event);
        Json.Obj whole = whole(log, event, payload.object("a2a"));
        if (whole != null) {
            return whole;
        }
        String text = payload.string("message");
        if (text == null && payload.object("error") != null) {
            text = payload.object("error").string("message");
        }
        if (text == null && !"input_required".equals(payload.string("reason"))) {
            text = payload.string("reason");
        }
        return text == null ? null : message(log, event, List.of(text(text)));
    }

    private static Json.@Nullable Obj whole(TaskLog log, Json.Obj event, Json.@Nullable Obj a2a) {
        Json.Obj message = a2a == null ? null : a2a.object("message");
        if (message == null) {
            return null;
        }
        try {
            return message(log, event, Proto.parts(message, "message.parts").items());
        } catch (Refusal noMessage) {
            return null;
        }
    }

    private static Json text(String text) {
        return Json.Obj.of().with("text", Json.of(text));
    }

    private static Json.Obj message(TaskLog log, Json.Obj event, List<Json> parts) {
        return Json.Obj.builder()
                .put("messageId", String.valueOf(event.string("id")))
                .put("contextId", log.contextId)
                .put("taskId", log.id)
                .put("role", "ROLE_AGENT")
                .put("parts", new Json.Arr(parts))
                .build();
    }

    // --- artifacts

    private static List<TaskLog.Entry> output(TaskLog log, Json.Obj event, Json.Obj payload) {
        Json.Obj given = payload.object("artifact");
        if (given != null) {
            try {
                Json.Obj artifact = Proto.artifact(given, log.id + "-output");
                boolean append = Boolean.TRUE.equals(payload.bool("append"));
                boolean last = Boolean.TRUE.equals(payload.bool("last_chunk"));
                return List.of(new TaskLog.Made(artifact, append, last));
            } catch (Refusal noArtifact) {
                // told as any other output
            }
        }
        List<Json> parts = new ArrayList<>();
        for (String name : List.of("message", "output", "result")) {
            Json value = payload.get(name);
            if (value != null) {
                parts.add(part(value));
            }
        }
        return parts.isEmpty()
                ? List.of()
                : List.of(new TaskLog.Made(artifact(String.valueOf(event.string("id")), parts), false, true));
    }

    private static Json part(Json value) {
        return value instanceof Json.Str
                ? Json.Obj.of().with("text", value)
                : Json.Obj.of().with("data", value);
    }

    private static Json.Obj artifact(String id, List<Json> parts) {
        return Json.Obj.builder()
                .put("artifactId", id)
                .put("parts", new Json.Arr(parts))
                .build();
    }

    private static List<TaskLog.Entry> completed(TaskLog log, Json.Obj event, Json.Obj payload) {
        List<TaskLog.Entry> all = new ArrayList<>();
        Json result = payload.get("result");
        if (result != null) {
            all.add(new TaskLog.Made(artifact(log.id + "-result", List.of(part(result))), false, true));
        }
        all.add(moved(log, event, "TASK_STATE_COMPLETED"));
        return all;
    }

    // --- messages

    private static List<TaskLog.Entry> said(TaskLog log, Json.Obj event, Json.Obj payload) {
        Json.Obj message = payload.object("message");
        if (log.agent.equals(event.string("source"))) {
            Json.Obj answer = answer(log, event);
            return answer == null ? List.of() : List.of(new TaskLog.Said(answer));
        }
        return message == null ? List.of() : List.of(new TaskLog.Said(message));
    }

    /** What an agent says in a message of its own; null when there is nothing. */
    static Json.@Nullable Obj answer(TaskLog log, Json.Obj event) {
        Json.Obj payload = payload(event);
        Json.Obj whole = whole(log, event, payload.object("a2a"));
        if (whole == null) {
            whole = whole(log, event, payload);
        }
        if (whole != null) {
            return whole;
        }
        for (String name : List.of("message", "response", "content", "text")) {
            if (payload.string(name) != null) {
                return message(log, event, List.of(text(String.valueOf(payload.string(name)))));
            }
        }
        return null;
    }
}
