package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A task of A2A as the fold over the entries of its log. Not thread-safe. */
final class TaskState {

    static final Set<String> TERMINAL =
            Set.of("TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED");
    static final String INPUT_REQUIRED = "TASK_STATE_INPUT_REQUIRED";
    static final String AUTH_REQUIRED = "TASK_STATE_AUTH_REQUIRED";

    private final String id;
    private final String contextId;
    private final List<Json> history = new ArrayList<>();
    private final Map<String, Piece> artifacts = new LinkedHashMap<>();
    private Json.Obj status;

    /** An artifact whose parts grow. */
    private static final class Piece {
        private final Json.Obj head;
        private final List<Json> parts;

        private Piece(Json.Obj head, List<Json> parts) {
            this.head = head;
            this.parts = parts;
        }
    }

    TaskState(String id, String contextId, Json.Obj status) {
        this.id = id;
        this.contextId = contextId;
        this.status = status;
    }

    /** A copy that moves on its own. */
    TaskState copy() {
        TaskState copy = new TaskState(id, contextId, status);
        copy.history.addAll(history);
        artifacts.forEach(
                (name, piece) -> copy.artifacts.put(name, new Piece(piece.head, new ArrayList<>(piece.parts))));
        return copy;
    }

    void apply(TaskLog.Entry entry) {
        switch (entry) {
            case TaskLog.Said said -> history.add(said.message());
            case TaskLog.Moved moved -> status = moved.status();
            case TaskLog.Made made -> make(made);
        }
    }

    private void make(TaskLog.Made made) {
        String name = String.valueOf(made.artifact().string("artifactId"));
        Json.Arr given = made.artifact().array("parts");
        List<Json> parts = given == null ? List.of() : given.items();
        Piece before = artifacts.get(name);
        if (made.append() && before != null) {
            before.parts.addAll(parts);
        } else {
            artifacts.put(name, new Piece(made.artifact(), new ArrayList<>(parts)));
        }
    }

    String state() {
        return String.valueOf(status.string("state"));
    }

    boolean isTerminal() {
        return TERMINAL.contains(state());
    }

    /** Terminal or waiting for somebody. */
    boolean rests() {
        return isTerminal() || state().equals(INPUT_REQUIRED) || state().equals(AUTH_REQUIRED);
    }

    String timestamp() {
        return String.valueOf(status.string("timestamp"));
    }

    /**
     * The task as JSON.
     *
     * @param keep newest messages of the history at most, null for all
     */
    Json.Obj json(@Nullable Integer keep, boolean withArtifacts) {
        int size = keep == null ? history.size() : Math.min(keep, history.size());
        List<Json> made = new ArrayList<>();
        if (withArtifacts) {
            artifacts.values().forEach(piece -> made.add(piece.head.with("parts", new Json.Arr(piece.parts))));
        }
        return Json.Obj.builder()
                .put("id", id)
                .put("contextId", contextId)
                .put("status", status)
                .put("artifacts", made.isEmpty() ? null : new Json.Arr(made))
                .put("history", size == 0 ? null : new Json.Arr(history.subList(history.size() - size, history.size())))
                .build();
    }
}
