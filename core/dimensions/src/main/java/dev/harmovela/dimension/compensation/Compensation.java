package dev.harmovela.dimension.compensation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What undoes a completed task.
 *
 * @param id its {@code compensation_id}, unique in the tenant
 * @param taskId the completed task
 * @param parentId the task above it, null when there is none
 * @param owner who completed it and therefore undoes it
 * @param action what the completion said about undoing it, as JSON text, empty when nothing
 * @param workId the task that undoes it, empty until there is one
 */
record Compensation(
        String id,
        String taskId,
        @Nullable String parentId,
        String owner,
        String action,
        CompensationState state,
        String workId) {

    Compensation requested(String work) {
        return new Compensation(id, taskId, parentId, owner, action, CompensationState.REQUESTED, work);
    }

    Compensation ended(CompensationState end) {
        return new Compensation(id, taskId, parentId, owner, action, end, workId);
    }

    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("compensation_id", id)
                .put("task_id", taskId)
                .put("parent_task_id", parentId)
                .put("owner", owner)
                .put("state", state.name())
                .put("compensating_task_id", workId.isEmpty() ? null : workId)
                .build();
    }

    void write(Out out) {
        out.string(id).string(taskId).optional(parentId).string(owner).string(action);
        out.varint(state.ordinal()).string(workId);
    }

    static Compensation read(In in) {
        return new Compensation(
                in.string(),
                in.string(),
                in.optional(),
                in.string(),
                in.string(),
                CompensationState.values()[in.count()],
                in.string());
    }
}
