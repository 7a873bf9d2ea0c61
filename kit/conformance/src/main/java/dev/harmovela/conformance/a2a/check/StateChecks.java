package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Set;

/** Task states and what is allowed in them. */
final class StateChecks {

    static final String ROW = "states.official-task-state-enum";

    static final List<Check> TABLE = List.of(
            check("states.completed", "a plain message ends COMPLETED", StateChecks::completed),
            check("states.input-required", "INPUT_REQUIRED rests and resumes", StateChecks::inputRequired),
            check("states.auth-required", "AUTH_REQUIRED says what is wanted", StateChecks::authRequired),
            check("states.rejected", "a refused task ends REJECTED", StateChecks::rejected),
            check("states.failed", "an agent that throws leaves a FAILED task", StateChecks::failed),
            check("states.canceled", "a running task can be cancelled", StateChecks::canceled),
            check("states.terminal-send", "no message to an ended task", StateChecks::terminalSend),
            check("states.terminal-cancel", "no cancelling of an ended task", StateChecks::terminalCancel));

    private StateChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.EACH, title, body);
    }

    private static void completed(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.completed(probe.caller());
        probe.require(Probe.stateOf(task).equals(Probe.COMPLETED), "the task ends in " + Probe.stateOf(task));
        probe.require(
                Probe.stateOf(probe.get(probe.caller(), Probe.idOf(task))).equals(Probe.COMPLETED),
                "GetTask shows another state");
    }

    private static void inputRequired(Probe probe) throws WireException, Verdict {
        Caller at = probe.caller();
        Json.Obj task = probe.waiting(at);
        Json.Obj again = probe.get(at, Probe.idOf(task));
        probe.require(Probe.stateOf(again).equals(Probe.INPUT_REQUIRED), "it does not rest: " + Probe.stateOf(again));
        Json.Obj after = probe.task(at, probe.completing(task));
        probe.require(Probe.idOf(after).equals(Probe.idOf(task)), "the next message made another task");
        probe.require(Probe.stateOf(after).equals(Probe.COMPLETED), "after the input it is in " + Probe.stateOf(after));
    }

    private static void authRequired(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.task(probe.caller(), probe.sending("kit-auth", "ask-auth"));
        if (!Probe.stateOf(task).equals(Probe.AUTH_REQUIRED)) {
            throw probe.notApplicable("the endpoint does not react to \"ask-auth\" (" + Probe.stateOf(task) + ")");
        }
        Json.Obj status = task.object("status");
        probe.require(status != null && status.has("message"), "AUTH_REQUIRED without a status message");
        probe.drop(probe.caller(), task);
    }

    private static void rejected(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.task(probe.caller(), probe.sending("tck-reject-task", "refuse me"));
        String state = Probe.stateOf(task);
        if (state.equals(Probe.COMPLETED)) {
            throw probe.notApplicable("the endpoint does not react to tck-reject-task");
        }
        probe.require(state.equals("TASK_STATE_REJECTED"), "the task ends in " + state);
    }

    private static void failed(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.task(probe.caller(), probe.sending("kit-throw", "please-throw"));
        String state = Probe.stateOf(task);
        if (state.equals(Probe.COMPLETED)) {
            throw probe.notApplicable("the endpoint does not react to \"please-throw\"");
        }
        probe.require(state.equals("TASK_STATE_FAILED"), "the task ends in " + state);
        Json.Obj stored = probe.get(probe.caller(), Probe.idOf(task));
        probe.require(Probe.stateOf(stored).equals(state), "GetTask shows " + Probe.stateOf(stored));
    }

    private static void canceled(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.working(probe.caller());
        Reply reply = probe.caller().call(Operation.CANCEL, Probe.id(Probe.idOf(task)));
        probe.require(reply.object() != null, "CancelTask: " + reply.brief());
        probe.await(probe.caller(), Probe.idOf(task), Set.of("TASK_STATE_CANCELED"));
    }

    private static void terminalSend(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.completed(probe.caller());
        Reply reply = probe.caller().call(Operation.SEND, probe.completing(task));
        probe.refused(reply, A2aError.UNSUPPORTED_OPERATION, "a message to an ended task");
    }

    private static void terminalCancel(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.completed(probe.caller());
        Reply reply = probe.caller().call(Operation.CANCEL, Probe.id(Probe.idOf(task)));
        probe.refused(reply, A2aError.TASK_NOT_CANCELABLE, "cancelling an ended task");
    }
}
