package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Map;

/** The error table: codes, statuses and {@code ErrorInfo} of each binding, and refusals that the text asks for. */
final class ErrorChecks {

    private static final String ROW = "errors.code-table";
    private static final String DOMAIN = "a2a-protocol.org";

    static final List<Check> TABLE = List.of(
            check("errors.task-not-found", "TaskNotFoundError", ErrorChecks::notFound),
            check("errors.task-not-cancelable", "TaskNotCancelableError", ErrorChecks::notCancelable),
            check("errors.unsupported-operation", "UnsupportedOperationError", ErrorChecks::unsupported),
            check("errors.version-not-supported", "VersionNotSupportedError", ErrorChecks::version),
            check("errors.content-type", "ContentTypeNotSupportedError", ErrorChecks::contentType),
            check("errors.invalid-params", "what is not valid is told as such", ErrorChecks::invalid),
            check("errors.unknown-task-send", "a message for an unknown task makes none", ErrorChecks::unknownTask),
            check("errors.context-mismatch", "a task and a foreign context are refused", ErrorChecks::context));

    private ErrorChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.EACH, title, body);
    }

    /** The refusal has the codes of the table. When it is no such refusal, another row says so. */
    private static void tabled(Probe probe, Reply reply, A2aError error) throws Verdict {
        Problem problem = reply.problem();
        if (problem == null || !problem.is(error)) {
            throw probe.notApplicable("the endpoint did not refuse with " + error + ": " + reply.brief());
        }
        if (probe.caller().isRest()) {
            boolean before = problem.http() == error.httpBefore || error.statusBefore.equals(problem.status());
            boolean now = problem.http() == error.http && error.status.equals(problem.status());
            probe.require(
                    now || before,
                    error + ": HTTP " + error.http + " " + error.status + " expected, got HTTP " + problem.http() + " "
                            + problem.status());
            if (!now) {
                probe.note(
                        error + ": HTTP " + problem.http() + " " + problem.status() + ", as in " + A2aError.TOLERATED);
            }
        } else if (probe.caller().isGrpc()) {
            boolean now = error.status.equals(problem.status());
            probe.require(
                    now || error.statusBefore.equals(problem.status()),
                    error + ": status " + error.status + " expected, got " + problem.status());
            if (!now) {
                probe.note(error + ": " + problem.status() + ", as in " + A2aError.TOLERATED);
            }
        } else {
            Long code = problem.code();
            probe.require(code != null && code == error.code, error + ": " + error.code + " expected, got " + code);
            probe.require(problem.http() == 200, error + ": HTTP 200 expected, got HTTP " + problem.http());
        }
        if (error.ofA2a()) {
            info(probe, problem, error);
        }
    }

    private static void info(Probe probe, Problem problem, A2aError error) throws Verdict {
        Json.Obj info = problem.info();
        if (info == null && probe.caller().isJsonRpc()) {
            probe.note(error + ": no ErrorInfo, which " + A2aError.RELEASE + " leaves open over JSON-RPC");
            return;
        }
        Json.Obj there = probe.present(info, error + ": no ErrorInfo in error.details");
        probe.require(DOMAIN.equals(there.string("domain")), error + ": the ErrorInfo's domain is not " + DOMAIN);
    }

    private static void notFound(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.GET, Probe.id(probe.run.fresh("no-such-task")));
        tabled(probe, reply, A2aError.TASK_NOT_FOUND);
    }

    private static void notCancelable(Probe probe) throws WireException, Verdict {
        String id = Probe.idOf(probe.completed(probe.caller()));
        tabled(probe, probe.caller().call(Operation.CANCEL, Probe.id(id)), A2aError.TASK_NOT_CANCELABLE);
    }

    private static void unsupported(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.completed(probe.caller());
        Reply reply = probe.caller().call(Operation.SEND, probe.completing(task));
        tabled(probe, reply, A2aError.UNSUPPORTED_OPERATION);
    }

    private static void version(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller()
                .tuned(request -> request.with(Map.of(Caller.VERSION, "99.0")))
                .call(Operation.GET, Probe.id("x"));
        tabled(probe, reply, A2aError.VERSION_NOT_SUPPORTED);
    }

    private static void contentType(Probe probe) throws WireException, Verdict {
        Json.Obj part = Probe.part("in no known format").with("mediaType", Json.of("application/x-kit-unknown"));
        Json.Obj message = probe.message(Probe.COMPLETE, "").with("parts", new Json.Arr(List.of(part)));
        Reply reply = probe.caller().call(Operation.SEND, Probe.sending(message));
        tabled(probe, reply, A2aError.CONTENT_TYPE_NOT_SUPPORTED);
    }

    private static void invalid(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.SEND, Probe.sending(Json.Obj.of()));
        probe.refused(reply, A2aError.INVALID_PARAMS, "an empty message");
        tabled(probe, reply, A2aError.INVALID_PARAMS);
    }

    private static void unknownTask(Probe probe) throws WireException, Verdict {
        String id = probe.run.fresh("no-such-task");
        Json.Obj message = probe.message(Probe.COMPLETE, "for nobody").with("taskId", Json.of(id));
        Reply reply = probe.caller().call(Operation.SEND, Probe.sending(message));
        probe.refused(reply, A2aError.TASK_NOT_FOUND, "a message for an unknown task");
        probe.require(
                probe.caller().call(Operation.GET, Probe.id(id)).problem() != null,
                "a task was made under the client's id");
    }

    private static void context(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.waiting(probe.caller());
        Json.Obj message = probe.message(Probe.COMPLETE, "elsewhere")
                .with("taskId", Json.of(Probe.idOf(task)))
                .with("contextId", Json.of(probe.run.fresh("other-context")));
        Reply reply = probe.caller().call(Operation.SEND, Probe.sending(message));
        probe.refused(reply, A2aError.INVALID_PARAMS, "a task with the context of another");
    }
}
