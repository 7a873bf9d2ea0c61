package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a check works with: the run, the interface it is asked at, and a vocabulary. One thread. */
final class Probe {

    static final Set<String> TERMINAL =
            Set.of("TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED");
    static final String INPUT_REQUIRED = "TASK_STATE_INPUT_REQUIRED";
    static final String AUTH_REQUIRED = "TASK_STATE_AUTH_REQUIRED";
    static final String COMPLETED = "TASK_STATE_COMPLETED";
    static final String COMPLETE = "tck-complete-task";
    private static final long POLL_MILLIS = 50;

    final Run run;
    private final @Nullable Caller caller;
    private final List<String> notes = new ArrayList<>();

    Probe(Run run, @Nullable Caller caller) {
        this.run = run;
        this.caller = caller;
    }

    /** The interface that is asked. */
    Caller caller() {
        if (caller == null) {
            throw new IllegalStateException("this check is not asked at an interface");
        }
        return caller;
    }

    JsonRpcCaller rpc() {
        return (JsonRpcCaller) caller();
    }

    RestCaller rest() {
        return (RestCaller) caller();
    }

    List<String> notes() {
        return notes;
    }

    void note(String text) {
        notes.add(text);
    }

    void require(boolean held, String otherwise) throws Verdict {
        if (!held) {
            throw fail(otherwise);
        }
    }

    /** The value, which has to be there. */
    <T> T present(@Nullable T value, String otherwise) throws Verdict {
        if (value == null) {
            throw fail(otherwise);
        }
        return value;
    }

    Verdict fail(String message) {
        return new Verdict(Outcome.Status.FAIL, message);
    }

    Verdict skip(String message) {
        return new Verdict(Outcome.Status.SKIP, message);
    }

    Verdict notApplicable(String reason) {
        return new Verdict(Outcome.Status.NOT_APPLICABLE, reason);
    }

    /** Ends the check as not applicable unless the card offers that. */
    void needs(String capability) throws Verdict {
        if (!run.card.offers(capability)) {
            throw notApplicable("the card does not offer " + capability);
        }
    }

    /** The value is of that type of the data model. */
    void shaped(String type, @Nullable Json value) throws Verdict {
        if (value == null) {
            throw fail("no " + type + " came");
        }
        String problem = run.shapes.problem(type, value).orElse(null);
        if (problem != null) {
            throw fail(problem);
        }
    }

    /** The reply is that refusal. */
    void refused(Reply reply, A2aError error, String what) throws Verdict {
        require(reply.is(error), what + ": " + error + " expected, got " + reply.brief());
    }

    // --- what is sent

    /** A message of the user with one text part and a fresh id behind that prefix. */
    Json.Obj message(String prefix, String text) {
        return Json.Obj.builder()
                .put("messageId", run.fresh(prefix))
                .put("role", "ROLE_USER")
                .put("parts", new Json.Arr(List.of(part(text))))
                .build();
    }

    static Json.Obj part(String text) {
        return Json.Obj.builder().put("text", text).build();
    }

    /** A send request with such a message. */
    Json.Obj sending(String prefix, String text) {
        return sending(message(prefix, text));
    }

    static Json.Obj sending(Json.Obj message) {
        return Json.Obj.builder().put("message", message).build();
    }

    /** The request with one member more in its {@code configuration}. */
    static Json.Obj configured(Json.Obj request, String name, Json value) {
        Json.Obj before = request.object("configuration");
        return request.with("configuration", (before == null ? Json.Obj.of() : before).with(name, value));
    }

    static Json.Obj immediately(Json.Obj request) {
        return configured(request, "returnImmediately", Json.of(true));
    }

    static Json.Obj id(String task) {
        return Json.Obj.builder().put("id", task).build();
    }

    // --- tasks

    /** The task that a send is answered with; not applicable when it is a message. */
    Json.Obj task(Caller at, Json.Obj request) throws WireException, Verdict {
        Reply reply = at.call(Operation.SEND, request);
        Json.Obj result = present(reply.object(), "SendMessage: a result expected, got " + reply.brief());
        Json.Obj task = result.object("task");
        if (task == null && result.has("message")) {
            throw notApplicable("the agent answers with a message, not with a task");
        }
        Json.Obj there = present(
                task, "SendMessage: a task expected, got " + reply.answer().brief());
        require(
                there.string("id") != null,
                "SendMessage: a task with an id expected, got " + reply.answer().brief());
        return there;
    }

    /** A completed task of the plainest kind. */
    Json.Obj completed(Caller at) throws WireException, Verdict {
        Json.Obj task = task(at, sending(COMPLETE, "hello from the kit"));
        return settled(at, task);
    }

    /** The task in a state in which it rests. */
    private Json.Obj settled(Caller at, Json.Obj task) throws WireException, Verdict {
        return isTerminal(task) ? task : await(at, idOf(task), TERMINAL);
    }

    /** A task that waits for input; not applicable when the endpoint does not know how. */
    Json.Obj waiting(Caller at) throws WireException, Verdict {
        Json.Obj task = task(at, sending("tck-input-required", "wait for me"));
        if (!stateOf(task).equals(INPUT_REQUIRED)) {
            throw notApplicable("the endpoint does not react to tck-input-required (" + stateOf(task) + ")");
        }
        return task;
    }

    /** The request that completes such a task. */
    Json.Obj completing(Json.Obj task) {
        return sending(message(COMPLETE, "go on").with("taskId", Json.of(idOf(task))));
    }

    /** A task that is still at work; not applicable when the endpoint does not know how. */
    Json.Obj working(Caller at) throws WireException, Verdict {
        Json.Obj task = task(at, immediately(sending("kit-slow", "slow")));
        if (isTerminal(task)) {
            throw notApplicable("the endpoint does not react to \"slow\" (" + stateOf(task) + ")");
        }
        return task;
    }

    /** Cancels a task that is no longer needed. */
    void drop(Caller at, Json.Obj task) throws WireException {
        at.call(Operation.CANCEL, id(idOf(task)));
    }

    Json.Obj get(Caller at, String task) throws WireException, Verdict {
        Reply reply = at.call(Operation.GET, id(task));
        Json.Obj found = present(reply.object(), "GetTask: a task expected, got " + reply.brief());
        require(found.has("status"), "GetTask: a task expected, got " + reply.brief());
        return found;
    }

    /** Asks for the task until it is in one of the states. */
    Json.Obj await(Caller at, String task, Set<String> states) throws WireException, Verdict {
        long deadline = System.nanoTime() + run.patience.toNanos();
        while (true) {
            Json.Obj found = get(at, task);
            if (states.contains(stateOf(found))) {
                return found;
            }
            require(
                    System.nanoTime() < deadline,
                    "the task stays in " + stateOf(found) + " for " + run.patience.toMillis() + " ms");
            pause(Duration.ofMillis(POLL_MILLIS));
        }
    }

    private void pause(Duration time) throws Verdict {
        try {
            Thread.sleep(time);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw skip("interrupted");
        }
    }

    static String idOf(Json.Obj task) {
        return String.valueOf(task.string("id"));
    }

    static String stateOf(Json.Obj task) {
        Json.Obj status = task.object("status");
        return status == null ? "no state" : String.valueOf(status.string("state"));
    }

    static boolean isTerminal(Json.Obj task) {
        return TERMINAL.contains(stateOf(task));
    }

    /** The member as a list; empty when it is absent. */
    static List<Json> list(Json.@Nullable Obj of, String name) {
        Json.Arr array = of == null ? null : of.array(name);
        return array == null ? List.of() : array.items();
    }
}
