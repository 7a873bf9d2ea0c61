package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A goal and the tasks that serve it.
 *
 * @param description what it is about, empty when not said
 * @param owner who set it
 * @param tasks its tasks and how each ended, empty while it lives
 */
record Goal(String id, String description, String owner, GoalState state, Map<String, String> tasks) {

    static final int MOST_TASKS = 1024;

    Goal {
        tasks = new LinkedHashMap<>(tasks);
    }

    Goal in(GoalState next, String newDescription) {
        return new Goal(id, newDescription.isEmpty() ? description : newDescription, owner, next, tasks);
    }

    Goal withTasks(List<String> more) {
        Map<String, String> all = new LinkedHashMap<>(tasks);
        more.stream()
                .limit(MOST_TASKS - (long) Math.min(MOST_TASKS, all.size()))
                .forEach(one -> all.putIfAbsent(one, ""));
        return new Goal(id, description, owner, state, all);
    }

    Goal withOutcome(String taskId, String outcome) {
        Map<String, String> all = new LinkedHashMap<>(tasks);
        all.put(taskId, outcome);
        return new Goal(id, description, owner, state, all);
    }

    /** Its tasks that did not end well, or not at all yet. */
    List<String> unsatisfactory() {
        return tasks.entrySet().stream()
                .filter(task -> !task.getValue().equals("completed"))
                .map(Map.Entry::getKey)
                .toList();
    }

    Json.Obj toJson() {
        Json.Builder outcomes = Json.Obj.builder();
        tasks.forEach((task, outcome) -> outcomes.put(task, outcome.isEmpty() ? "live" : outcome));
        return Json.Obj.builder()
                .put("goal_id", id)
                .put("goal_description", description.isEmpty() ? null : description)
                .put("owner", owner)
                .put("state", state.name())
                .put("tasks", outcomes.build())
                .build();
    }

    void write(Out out) {
        out.string(id).string(description).string(owner).varint(state.ordinal()).varint(tasks.size());
        tasks.forEach((task, outcome) -> out.string(task).string(outcome));
    }

    static Goal read(In in) {
        String id = in.string();
        String description = in.string();
        String owner = in.string();
        GoalState state = GoalState.values()[in.count()];
        Map<String, String> tasks = new LinkedHashMap<>();
        for (int n = in.count(); n > 0; n--) {
            tasks.put(in.string(), in.string());
        }
        return new Goal(id, description, owner, state, tasks);
    }
}
