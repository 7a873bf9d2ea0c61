package dev.harmovela.dimension.task;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why an event about a task is refused, one factory per reason. */
final class Refusals {

    private Refusals() {}

    /** At most {@code max} characters of a text, never half a character. */
    static String clipped(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end);
    }

    private static ProtocolError because(String reason, String taskId, String message) {
        return ProtocolError.because(ErrorCode.TASK_ERROR, reason, message).with("task_id", taskId);
    }

    static ProtocolError noTaskId(TaskEvent event) {
        return ProtocolError.because(ErrorCode.TASK_ERROR, "missing_task_id", event + " names no task");
    }

    static ProtocolError unknown(String taskId, TaskEvent event) {
        return because("unknown_task", taskId, "there is no such task").with("event", event.type());
    }

    static ProtocolError hubOnly(TaskEvent event) {
        return ProtocolError.unauthorized("hub_only", "only the hub sends " + event);
    }

    /** An event after the end (D12): names the state that won. */
    static ProtocolError ended(Known task, TaskEvent event) {
        return illegal(task, event)
                .saying("task " + task.id() + " has ended as " + task.state())
                .with("reason", "ended")
                .with("state", task.state().name())
                .with("terminal", Json.of(true));
    }

    /** An event that the table does not allow (§5). */
    static ProtocolError illegal(Known task, TaskEvent event) {
        ProtocolError error = ProtocolError.illegalTransition(
                        task.state().name(), event.type(), TaskLifecycle.allowed(task.state()))
                .with("task_id", task.id());
        String owner = task.owner();
        return owner == null ? error : error.with("owner", owner);
    }

    /** A claim that came too late (D4). */
    static ProtocolError owned(Task task, TaskEvent event) {
        return illegal(task, event)
                .saying("task " + task.id() + " has an owner")
                .with("reason", "owned");
    }

    static ProtocolError notTarget(Task task, TaskEvent event) {
        String target = String.valueOf(task.born().target());
        return illegal(task, event)
                .saying("task " + task.id() + " is meant for " + target)
                .with("reason", "not_target")
                .with("target", target);
    }

    /** A start, claim or child in a tree that is coming to its end. */
    static ProtocolError cancelling(String taskId, TaskEvent event) {
        return because("cancelling", taskId, "task " + taskId + " is being cancelled")
                .with("event", event.type());
    }

    /** An event of somebody who may not say it (D13). */
    static ProtocolError notOwner(Task task, TaskEvent event) {
        ProtocolError error = ProtocolError.unauthorized("not_owner", event + " is for the task's owner to say")
                .with("task_id", task.id());
        String owner = task.owner;
        return owner == null ? error : error.with("owner", owner);
    }

    static ProtocolError mayNotCancel(Task task) {
        return ProtocolError.unauthorized(
                        "not_owner", "a task is cancelled by its submitter, its owner or a supervisor")
                .with("task_id", task.id());
    }

    /** COMPLETED while children are active (§5). */
    static ProtocolError activeChildren(Task task, List<String> children) {
        return illegal(task, TaskEvent.COMPLETED)
                .saying("task " + task.id() + " has active children")
                .with("reason", "active_children")
                .with("children", Json.of(children));
    }

    /** A live id submitted again with another content or by somebody else. */
    static ProtocolError taken(Task task) {
        return because("conflict", task.id(), "task " + task.id() + " exists with another content")
                .with("state", task.state.name());
    }

    static ProtocolError parentEnded(String taskId, Known parent) {
        return because("parent_ended", taskId, "parent task " + parent.id() + " has ended")
                .with("parent_task_id", parent.id())
                .with("state", parent.state().name());
    }

    static ProtocolError loop(String taskId) {
        return because("loop", taskId, "task " + taskId + " would be its own ancestor");
    }

    static ProtocolError tooDeep(String taskId, int limit) {
        return because("too_deep", taskId, "a tree of tasks has at most " + limit + " levels")
                .with("limit", Json.of(limit));
    }

    static ProtocolError tooManyChildren(String parentId, int limit) {
        return because("too_many_children", parentId, "a task has at most " + limit + " live children")
                .with("limit", Json.of(limit))
                .retryable(true);
    }

    static ProtocolError tooManyTasks(int limit) {
        return ProtocolError.because(ErrorCode.BUSY, "too_many_tasks", "at most " + limit + " tasks are live at a time")
                .with("limit", Json.of(limit));
    }

    /** A short text out of a payload that says why a task ended, null when it says nothing. */
    static @Nullable String reasonIn(Json.Obj payload) {
        Json.Obj error = payload.object("error");
        String code = error == null ? null : error.string("code");
        String reason = code != null ? code : payload.string("reason");
        return reason == null ? null : clipped(reason, 120);
    }
}
