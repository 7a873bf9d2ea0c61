package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A task of the endpoint; guarded by the store. */
final class EchoTask {

    static final Set<String> TERMINAL = Set.of("COMPLETED", "FAILED", "CANCELED", "REJECTED");

    final String id;
    final String context;
    final String tenant;
    final List<Json> history = new ArrayList<>();
    final Map<String, Json.Obj> artifacts = new LinkedHashMap<>();
    final Map<String, Json.Obj> hooks = new LinkedHashMap<>();
    final List<BlockingQueue<Json.Obj>> readers = new ArrayList<>();
    final Faults faults;
    String state = "SUBMITTED";
    Json.@Nullable Obj said;
    Instant at = now();

    EchoTask(String id, String context, String tenant, Faults faults) {
        this.id = id;
        this.context = context;
        this.tenant = tenant;
        this.faults = faults;
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    boolean ended() {
        return TERMINAL.contains(state);
    }

    void move(String to, Json.@Nullable Obj message) {
        state = to;
        said = message;
        at = now();
    }

    BlockingQueue<Json.Obj> read() {
        BlockingQueue<Json.Obj> queue = new LinkedBlockingQueue<>();
        readers.add(queue);
        return queue;
    }

    String timestamp() {
        return at.equals(at.truncatedTo(ChronoUnit.SECONDS)) ? at.toString().replace("Z", ".000Z") : at.toString();
    }

    Json.Obj status() {
        boolean foreign = faults.has("states.foreign-value") && state.equals("REJECTED");
        return Json.Obj.builder()
                .put("state", "TASK_STATE_" + (foreign ? "REFUSED" : state))
                .put("message", said)
                .put("timestamp", timestamp())
                .build();
    }

    /** The task; {@code keep} messages of history at most, all when null. */
    Json.Obj json(@Nullable Long keep, boolean withArtifacts) {
        int size = keep == null ? history.size() : (int) Math.min(history.size(), keep);
        List<Json> shown = faults.has("fields.history-oldest")
                ? history.subList(0, size)
                : history.subList(history.size() - size, history.size());
        return Json.Obj.builder()
                .put("id", id)
                .put("contextId", context)
                .put("status", status())
                .put(
                        "artifacts",
                        !withArtifacts || artifacts.isEmpty() ? null : new Json.Arr(List.copyOf(artifacts.values())))
                .put("history", shown.isEmpty() ? null : new Json.Arr(shown))
                .build();
    }

    Json.Obj statusUpdate() {
        Json.Obj update = Json.Obj.builder()
                .put("taskId", id)
                .put("contextId", context)
                .put("status", status())
                .build();
        return Json.Obj.of().with("statusUpdate", update);
    }

    Json.Obj artifactUpdate(Json.Obj artifact, boolean append, boolean last) {
        Json.Obj update = Json.Obj.builder()
                .put("taskId", id)
                .put("contextId", context)
                .put("artifact", artifact)
                .put("append", append ? Json.of(true) : null)
                .put("lastChunk", last ? Json.of(true) : null)
                .build();
        return Json.Obj.of().with("artifactUpdate", update);
    }

    /** Puts the artifact into the task, as a chunk when {@code append}. */
    void keep(Json.Obj artifact, boolean append) {
        String name = String.valueOf(artifact.string("artifactId"));
        Json.Obj before = artifacts.get(name);
        if (!append || before == null || faults.has("stream.chunk-lost")) {
            artifacts.put(name, artifact);
            return;
        }
        List<Json> parts = new ArrayList<>(((Json.Arr) java.util.Objects.requireNonNull(before.raw("parts"))).items());
        parts.addAll(((Json.Arr) java.util.Objects.requireNonNull(artifact.raw("parts"))).items());
        artifacts.put(name, before.with("parts", new Json.Arr(parts)));
    }
}
