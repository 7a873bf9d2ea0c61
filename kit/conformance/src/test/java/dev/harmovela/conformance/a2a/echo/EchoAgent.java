package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** What the agent behind the endpoint does, and its tasks. All methods are guarded by this object. */
final class EchoAgent implements AutoCloseable {

    final Map<String, EchoTask> tasks = new LinkedHashMap<>();
    private final Faults faults;
    private final HttpClient http;
    private final ExecutorService hooks =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    private int count;

    EchoAgent(Faults faults) {
        this.faults = faults;
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(
                        faults.has("push.redirect-followed") ? HttpClient.Redirect.ALWAYS : HttpClient.Redirect.NEVER)
                .build();
    }

    String fresh(String prefix) {
        return prefix + "-" + ++count;
    }

    static Json.Obj part(String text) {
        return Json.Obj.builder().put("text", text).build();
    }

    Json.Obj reply(EchoTask task, String text) {
        return message(task.context, text).with("taskId", Json.of(task.id));
    }

    Json.Obj message(String context, String text) {
        return Json.Obj.builder()
                .put("messageId", fresh("reply"))
                .put("contextId", context)
                .put("role", "ROLE_AGENT")
                .put("parts", new Json.Arr(List.of(part(text))))
                .build();
    }

    static String text(Json.Obj message) {
        StringBuilder all = new StringBuilder();
        for (Json each : parts(message)) {
            if (each instanceof Json.Obj part && part.string("text") != null) {
                all.append(part.string("text"));
            }
        }
        return all.toString();
    }

    static List<Json> parts(Json.Obj message) {
        Json.Arr parts = message.array("parts");
        return parts == null ? List.of() : parts.items();
    }

    /** Acts on a message of that task. */
    synchronized void act(EchoTask task, Json.Obj message) {
        String id = String.valueOf(message.string("messageId"));
        String text = text(message);
        if (id.startsWith("tck-input-required")) {
            move(task, "INPUT_REQUIRED", reply(task, "what next?"));
        } else if (id.startsWith("tck-reject-task")) {
            move(task, faults.has("states.rejected-as-failed") ? "FAILED" : "REJECTED", null);
        } else if (text.equals("please-throw")) {
            String trace = faults.has("security.trace") ? "\n\tat dev.echo.Agent.act(Agent.java:12)" : "";
            move(task, faults.has("states.throw-rejected") ? "REJECTED" : "FAILED", reply(task, "it failed" + trace));
        } else if (text.equals("ask-auth")) {
            move(task, "AUTH_REQUIRED", faults.has("states.auth-silent") ? null : reply(task, "log in first"));
        } else if (text.equals("slow")) {
            move(task, "WORKING", null);
        } else if (id.startsWith("tck-stream-artifact-chunked")) {
            chunked(task);
        } else if (id.startsWith("tck-artifact-text") || id.startsWith("tck-stream")) {
            move(task, "WORKING", null);
            artifact(task, List.of(part("an artifact")), false, true);
            end(task);
        } else {
            List<Json> data = parts(message).stream()
                    .filter(each -> each instanceof Json.Obj one && one.raw("data") != null)
                    .toList();
            if (!data.isEmpty() && !faults.has("experimental.data-lost")) {
                artifact(task, data, false, true);
            }
            end(task);
        }
    }

    private void chunked(EchoTask task) {
        move(task, "WORKING", null);
        artifact(task, List.of(part("Hello")), false, false);
        artifact(task, List.of(part(" world")), true, true);
        end(task);
    }

    private void end(EchoTask task) {
        move(task, "COMPLETED", reply(task, "done"));
        if (faults.has("stream.after-end")) {
            artifact(task, List.of(part("late")), false, true);
        }
    }

    private void artifact(EchoTask task, List<Json> parts, boolean append, boolean last) {
        Json.Obj artifact = Json.Obj.builder()
                .put("artifactId", task.id + "-a1")
                .put("parts", new Json.Arr(parts))
                .build();
        task.keep(artifact, append);
        emit(task, task.artifactUpdate(artifact, append, last));
    }

    synchronized void move(EchoTask task, String state, Json.@Nullable Obj message) {
        task.move(state, message);
        emit(task, task.statusUpdate());
        notifyAll();
    }

    private void emit(EchoTask task, Json.Obj event) {
        List<BlockingQueue<Json.Obj>> readers = task.readers;
        if (faults.has("stream.one-reader") && readers.size() > 1) {
            readers = readers.subList(0, 1);
        }
        readers.forEach(reader -> reader.add(event));
        for (Json.Obj hook : new ArrayList<>(task.hooks.values())) {
            if (!faults.has("push.undelivered")) {
                hooks.execute(() -> deliver(hook, faults.has("push.bare-task") ? task.json(null, true) : event));
            }
        }
    }

    private void deliver(Json.Obj hook, Json.Obj event) {
        String type = faults.has("push.media-type") ? "text/plain" : "application/a2a+json";
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(String.valueOf(hook.string("url"))))
                .timeout(Duration.ofSeconds(5))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(event.toString()));
        Json.Obj login = hook.object("authentication");
        if (login != null && !faults.has("push.no-authorization")) {
            request.header("Authorization", login.string("scheme") + " " + login.string("credentials"));
        }
        if (hook.string("token") != null) {
            request.header("X-A2A-Notification-Token", faults.has("push.wrong-token") ? "other" : hook.string("token"));
        }
        try {
            http.send(request.build(), HttpResponse.BodyHandlers.discarding());
        } catch (IOException unreachable) {
            // nobody listens at the addresses that only the checks of configurations use
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the task rests. */
    synchronized void await(EchoTask task) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        while (!task.ended() && !task.state.endsWith("_REQUIRED") && System.nanoTime() < deadline) {
            wait(100);
        }
    }

    @Override
    public void close() {
        hooks.shutdownNow();
        http.shutdownNow();
    }
}
