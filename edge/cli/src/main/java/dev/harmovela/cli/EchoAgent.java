package dev.harmovela.cli;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.Delivery;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.NotReachable;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An ordinary agent that repeats what it is told, so that a development hub has one to talk to over A2A. */
final class EchoAgent implements AutoCloseable {

    static final String IDENTITY = "agent:echo";
    private static final String CARD = """
            {"name":"Echo","description":"Repeats what it is told","version":"1.0.0","capabilities":{},
             "defaultInputModes":["text/plain","application/json","image/png","application/octet-stream"],
             "defaultOutputModes":["text/plain","application/json"],
             "skills":[{"id":"echo","name":"Echo","description":"Repeats","tags":["echo"]}]}
            """;
    private static final int MOST_EVENTS = 10_000;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());
    private final Set<String> open = ConcurrentHashMap.newKeySet();
    private final Set<String> blocked = ConcurrentHashMap.newKeySet();
    private final HarmovelaClient client;

    private EchoAgent(URI hub, @Nullable SSLContext tls) throws NotReachable {
        ClientOptions options = ClientOptions.of(IDENTITY)
                .withCapabilities(Json.Obj.of().with("agent_card", Json.parse(CARD)))
                .withTls(tls);
        client = HarmovelaClient.connect(hub, options, this::handle);
    }

    static EchoAgent attach(URI hub) throws NotReachable {
        return attach(hub, null);
    }

    /** The same over TLS, believing whom {@code tls} says. */
    static EchoAgent attach(URI hub, @Nullable SSLContext tls) throws NotReachable {
        return new EchoAgent(hub, tls);
    }

    private void handle(Delivery delivery) {
        Json.Obj event = delivery.event();
        String task = event.string("task_id");
        if (task == null) {
            return;
        }
        Json.Obj message = delivery.payload().object("message");
        switch (delivery.type()) {
            case "task.submitted", "agent.message.sent" -> {
                if (message != null) {
                    act(task, message);
                }
            }
            case "task.cancel.requested" -> {
                open.remove(task);
                send("task.cancelled", task, Json.Obj.builder().put("reason", "asked to stop"));
            }
            default -> {
                // nothing to repeat
            }
        }
    }

    private void act(String task, Json.Obj message) {
        String id = String.valueOf(message.string("messageId"));
        String text = text(message);
        if (id.startsWith("tck-message-response")) {
            send("agent.response.created", task, Json.Obj.builder().put("message", "directly"));
            return;
        }
        if (id.startsWith("tck-reject-task")) {
            Json details = Json.Obj.of().with("reason", Json.of("rejected"));
            Json error = Json.Obj.builder()
                    .put("code", "task_error")
                    .put("message", "refused")
                    .put("details", details)
                    .build();
            send("task.failed", task, Json.Obj.builder().put("error", error));
            return;
        }
        send(blocked.remove(task) ? "task.resumed" : "task.started", task, Json.Obj.builder());
        open.add(task);
        if (id.startsWith("tck-input-required")) {
            block(task, "input_required", "what next?");
        } else if (text.equals("ask-auth")) {
            block(task, "auth_required", "log in first");
        } else if (text.equals("please-throw")) {
            Json error = Json.Obj.builder()
                    .put("code", "internal_error")
                    .put("message", "the agent failed")
                    .build();
            send("task.failed", task, Json.Obj.builder().put("error", error));
        } else if (text.equals("slow") || id.startsWith("test-resubscribe-message-id")) {
            var _ = timer.schedule(() -> complete(task, text), text.equals("slow") ? 15 : 4, TimeUnit.SECONDS);
        } else {
            produce(task, id, text, message);
            complete(task, text);
        }
    }

    private void block(String task, String reason, String text) {
        blocked.add(task);
        send("task.blocked", task, Json.Obj.builder().put("reason", reason).put("message", text));
    }

    private void produce(String task, String id, String text, Json.Obj message) {
        if (id.startsWith("tck-stream-artifact-chunked")) {
            artifact(task, List.of(part("text", "Hello")), false, false);
            artifact(task, List.of(part("text", " world")), true, true);
        } else if (id.startsWith("tck-artifact-file-url")) {
            artifact(task, List.of(part("url", "https://example.com/file.txt")), false, true);
        } else if (id.startsWith("tck-artifact-file")) {
            artifact(task, List.of(part("raw", "aGVsbG8=")), false, true);
        } else if (id.startsWith("tck-artifact-data")) {
            artifact(
                    task,
                    List.of(Json.Obj.of().with("data", Json.Obj.of().with("key", Json.of("value")))),
                    false,
                    true);
        } else if (id.startsWith("tck-artifact-text") || id.startsWith("tck-stream")) {
            artifact(task, List.of(part("text", "an artifact")), false, true);
        } else if (text.matches("emit [0-9]{1,5} events")) {
            int count = Math.min(MOST_EVENTS, Integer.parseInt(text.replaceAll("[^0-9]", "")));
            for (int i = 1; i <= count; i++) {
                send("task.progress", task, Json.Obj.builder().put("message", "event " + i));
            }
        } else {
            List<Json> data = new ArrayList<>();
            for (Json each : parts(message)) {
                if (each instanceof Json.Obj part && part.raw("data") != null) {
                    data.add(part);
                }
            }
            if (!data.isEmpty()) {
                artifact(task, data, false, true);
            }
        }
    }

    private void complete(String task, String text) {
        if (open.remove(task)) {
            send("task.completed", task, Json.Obj.builder().put("message", "echo: " + text));
        }
    }

    private static Json part(String kind, String value) {
        return Json.Obj.of().with(kind, Json.of(value));
    }

    private void artifact(String task, List<Json> parts, boolean append, boolean last) {
        Json artifact = Json.Obj.builder()
                .put("artifactId", task + "-a1")
                .put("parts", new Json.Arr(parts))
                .build();
        send(
                "task.output",
                task,
                Json.Obj.builder()
                        .put("artifact", artifact)
                        .put("append", Json.of(append))
                        .put("last_chunk", Json.of(last)));
    }

    private static List<Json> parts(Json.Obj message) {
        Json.Arr parts = message.array("parts");
        return parts == null ? List.of() : parts.items();
    }

    private static String text(Json.Obj message) {
        StringBuilder all = new StringBuilder();
        for (Json each : parts(message)) {
            if (each instanceof Json.Obj part && part.string("text") != null) {
                all.append(part.string("text"));
            }
        }
        return all.toString();
    }

    private void send(String type, String task, Json.Builder payload) {
        var _ = client.send(Json.Obj.builder()
                .put("type", type)
                .put("task_id", task)
                .put("payload", payload.put("task_id", task).build())
                .build());
    }

    @Override
    public void close() {
        timer.shutdownNow();
        client.close();
    }
}
