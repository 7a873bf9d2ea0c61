package dev.harmovela.dimension;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one dimension tells the others inside a frame. A signal is not stored: whatever it leads to are facts and events
 * of the dimension that reacts, in the same frame.
 */
public sealed interface Signal {

    /** Whose state is meant. */
    String tenant();

    /**
     * An event was taken; told to those that follow its type.
     *
     * @param lsn where it is stored, 0 when it is not (best effort)
     */
    record Happened(String tenant, Event event, long lsn) implements Signal {}

    /**
     * A task ended, whoever ended it.
     *
     * @param outcome {@code completed}, {@code failed}, {@code cancelled} or {@code timed_out}
     * @param owner who owned it then, null when nobody did
     * @param reason why, null when it needs none
     */
    record TaskEnded(
            String tenant,
            String taskId,
            String outcome,
            @Nullable String owner,
            @Nullable String reason) implements Signal {}

    /**
     * A task shall end.
     *
     * @param how {@code FAIL}: as failed, with what is below it; {@code CANCEL}: as after a request to cancel, which
     * takes what is below along
     * @param error why; its reason is what the task is told
     * @param cause id of the event that this follows from, null when there is none
     */
    record EndTask(
            String tenant,
            String taskId,
            How how,
            ProtocolError error,
            @Nullable String cause) implements Signal {

        /** How a task shall end. */
        public enum How {
            FAIL,
            CANCEL
        }
    }

    /**
     * A session ended.
     *
     * @param identity whose session it was
     * @param last whether the identity has no other one
     */
    record SessionEnded(String tenant, String identity, String sessionId, boolean last) implements Signal {}

    /**
     * A task that is worked on shall wait, or shall be worked on again.
     *
     * @param hold whether it shall wait
     * @param cause id of the event that this follows from
     */
    record HoldTask(String tenant, String taskId, boolean hold, String cause) implements Signal {}

    /**
     * A task shall be submitted by the hub.
     *
     * @param target who shall take it
     * @param cause id of the event that this follows from, null when there is none
     */
    record SubmitTask(
            String tenant,
            String taskId,
            String target,
            Json.Obj payload,
            @Nullable String cause) implements Signal {}

    /**
     * A task that nobody submitted comes to exist, owned and not begun, unless it is there already.
     *
     * @param parentId the task above it, null for none
     * @param cause id of the event that this follows from
     */
    record AdoptTask(String tenant, String taskId, @Nullable String parentId, String owner, String cause)
            implements Signal {}

    /**
     * A live task changes hands; one that was only submitted counts as accepted from then on.
     *
     * @param to who owns it afterwards
     * @param cause id of the event that this follows from
     */
    record MoveOwner(String tenant, String taskId, String to, String cause) implements Signal {}

    /**
     * A live task needs somebody above it.
     *
     * @param cause id of the event that this follows from
     */
    record EscalateTask(String tenant, String taskId, String reason, String cause) implements Signal {}

    /**
     * An identity has closed its last session in an orderly way: each of these tasks shall be saved in time, or
     * end as was declared for that (D44).
     *
     * @param identity who owned the session and owns the tasks
     * @param graceMs how long somebody may come back and save, negative where nobody said
     */
    record InterruptTasks(String tenant, String identity, List<String> taskIds, long graceMs) implements Signal {

        public InterruptTasks {
            taskIds = List.copyOf(taskIds);
        }
    }

    /**
     * A task's owner has gone for good.
     *
     * @param saved whether the task can wait for somebody to resume it; else it ends as its submission declared
     */
    record TaskLeft(String tenant, String taskId, boolean saved) implements Signal {}

    /** A session shall end, after the frame. */
    record EndSession(String tenant, String sessionId, String reason) implements Signal {}
}
