package dev.harmovela.dimension.interruption;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;

/**
 * The latest interruption of a task, and the checkpoint that its owner saved last.
 *
 * @param policy {@code save_and_stop}, {@code drain_then_stop} or {@code force_stop}
 * @param requestedBy who asked for it
 * @param requestId the event that did
 * @param saveBy when the checkpoint must be there, epoch milliseconds; {@link Long#MAX_VALUE} when it may take its time
 * @param checkpointId empty while nothing was ever saved
 * @param checkpoint what was saved, as JSON text, empty when the event brought nothing
 */
record Interruption(
        String taskId,
        InterruptionState state,
        String policy,
        String requestedBy,
        String requestId,
        long saveBy,
        String checkpointId,
        String checkpoint) {

    boolean open() {
        return state == InterruptionState.REQUESTED || state == InterruptionState.ACKNOWLEDGED;
    }

    /** Whether that checkpoint can be gone on from; an empty id means the latest. */
    boolean holds(String checkpoint) {
        return !checkpointId.isEmpty() && (checkpoint.isEmpty() || checkpoint.equals(checkpointId));
    }

    Interruption in(InterruptionState next) {
        boolean waits = next == InterruptionState.ACKNOWLEDGED;
        return new Interruption(
                taskId,
                next,
                policy,
                requestedBy,
                requestId,
                waits ? saveBy : Long.MAX_VALUE,
                checkpointId,
                checkpoint);
    }

    Interruption saved(String id, String json) {
        return new Interruption(
                taskId, InterruptionState.SAVED, policy, requestedBy, requestId, Long.MAX_VALUE, id, json);
    }

    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("task_id", taskId)
                .put("state", state.name())
                .put("interruption_policy", policy)
                .put("requested_by", requestedBy)
                .put("checkpoint_id", checkpointId.isEmpty() ? null : checkpointId)
                .put("checkpoint", checkpoint.isEmpty() ? null : Json.parse(checkpoint))
                .build();
    }

    void write(Out out) {
        out.string(taskId)
                .varint(state.ordinal())
                .string(policy)
                .string(requestedBy)
                .string(requestId);
        out.varint(saveBy).string(checkpointId).string(checkpoint);
    }

    static Interruption read(In in) {
        return new Interruption(
                in.string(),
                InterruptionState.values()[in.count()],
                in.string(),
                in.string(),
                in.string(),
                in.varint(),
                in.string(),
                in.string());
    }
}
