package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.List;

/** The mesh dialect. */
final class LegacyChecks {

    private static final String PATHS = "legacy.jsonrpc-paths";
    private static final String BLOCKING = "legacy.blocking-configuration";
    private static final String PUSH = "legacy.push-notification-set-get";
    private static final String SEND = "message/send";

    static final List<Check> TABLE = List.of(
            check("legacy.path-root", PATHS, "message/send at /", probe -> path(probe, 0)),
            check("legacy.path-rpc", PATHS, "message/send at /rpc", probe -> path(probe, 1)),
            check("legacy.path-a2a", PATHS, "message/send at /a2a/jsonrpc", probe -> path(probe, 2)),
            check("legacy.get", PATHS, "tasks/get in the same dialect", LegacyChecks::get),
            check("legacy.errors", PATHS, "an unknown task and an unknown method are errors", LegacyChecks::errors),
            check("legacy.blocking-true", BLOCKING, "blocking true waits", probe -> waits(probe, true)),
            check("legacy.blocking-absent", BLOCKING, "without blocking it waits", LegacyChecks::absent),
            check("legacy.blocking-false", BLOCKING, "blocking false does not wait", LegacyChecks::immediate),
            check("legacy.push-set-get", PUSH, "tasks/pushNotification/set and get", LegacyChecks::push));

    private LegacyChecks() {}

    private static Check check(String id, String row, String title, Check.Body body) {
        return new Check(id, row, Check.Scope.RUN, title, body);
    }

    private static MeshCaller at(Probe probe, String path) {
        return new MeshCaller(probe.run, probe.run.endpoint.resolve(path));
    }

    /** The address that the card names, or the first path that answers. */
    static MeshCaller main(Run run) {
        String url = run.card.card().string("url");
        if (url != null) {
            return new MeshCaller(run, run.endpoint.resolve(url));
        }
        for (String path : MeshCaller.PATHS) {
            URI at = run.endpoint.resolve(path);
            if (MeshCaller.answers(run, at)) {
                return new MeshCaller(run, at);
            }
        }
        return new MeshCaller(run, run.endpoint);
    }

    private static Json.Obj sent(Probe probe, MeshCaller at, Json.Obj request) throws WireException, Verdict {
        Reply reply = at.call(SEND, request);
        Json.Obj task = probe.present(reply.object(), SEND + ": a result expected, got " + reply.brief());
        consistent(probe, reply);
        return task;
    }

    private static void consistent(Probe probe, Reply reply) throws Verdict {
        String mixed = MeshCaller.mixed(reply);
        probe.require(mixed == null, "the dialect changes in the answer: " + mixed);
    }

    private static Json.Obj task(Probe probe, Json.Obj result) throws Verdict {
        if ("message".equals(result.string("kind")) || result.string("id") == null) {
            throw probe.notApplicable("the agent answers with a message, not with a task");
        }
        return result;
    }

    private static void path(Probe probe, int number) throws WireException, Verdict {
        MeshCaller at = at(probe, MeshCaller.PATHS.get(number));
        sent(probe, at, MeshCaller.sending(probe.run.fresh("kit"), "hello", true));
    }

    private static void get(Probe probe) throws WireException, Verdict {
        MeshCaller at = main(probe.run);
        Json.Obj task = task(probe, sent(probe, at, MeshCaller.sending(probe.run.fresh("kit"), "hello", true)));
        String id = String.valueOf(task.string("id"));
        Reply reply = at.call("tasks/get", Json.Obj.builder().put("taskId", id).build());
        if (reply.problem() != null) {
            reply = at.call("tasks/get", Probe.id(id));
            probe.note("tasks/get takes id, as 0.3 has it, and not taskId");
        }
        Json.Obj found = reply.object();
        probe.require(found != null && id.equals(found.string("id")), "tasks/get: " + reply.brief());
        consistent(probe, reply);
    }

    private static void errors(Probe probe) throws WireException, Verdict {
        MeshCaller at = main(probe.run);
        String unknown = probe.run.fresh("no-such-task");
        Reply missing = at.call("tasks/get", Probe.id(unknown).with("taskId", Json.of(unknown)));
        Problem problem = probe.present(missing.problem(), "an unknown task: an error expected");
        probe.require(problem.code() != null, "an unknown task: an error with a code expected");
        probe.note("an unknown task is " + problem.code());
        Reply method = at.call("no/such", Json.Obj.of());
        probe.refused(method, A2aError.METHOD_NOT_FOUND, "an unknown method");
    }

    private static void waits(Probe probe, boolean blocking) throws WireException, Verdict {
        Json.Obj request = MeshCaller.sending(probe.run.fresh("kit"), "wait for it", blocking);
        Json.Obj task = task(probe, sent(probe, main(probe.run), request));
        probe.require(MeshCaller.isTerminal(task), "the answer came while the task was " + MeshCaller.state(task));
    }

    private static void absent(Probe probe) throws WireException, Verdict {
        Json.Obj request = MeshCaller.sending(probe.run.fresh("kit"), "wait for it", null);
        Json.Obj task = task(probe, sent(probe, main(probe.run), request));
        probe.require(MeshCaller.isTerminal(task), "the answer came while the task was " + MeshCaller.state(task));
    }

    private static void immediate(Probe probe) throws WireException, Verdict {
        MeshCaller at = main(probe.run);
        Json.Obj task = task(probe, sent(probe, at, MeshCaller.sending(probe.run.fresh("kit-slow"), "slow", false)));
        if (MeshCaller.isTerminal(task)) {
            throw probe.notApplicable("the endpoint does not react to \"slow\" (" + MeshCaller.state(task) + ")");
        }
        String id = String.valueOf(task.string("id"));
        at.call("tasks/cancel", Probe.id(id).with("taskId", Json.of(id)));
    }

    private static void push(Probe probe) throws WireException, Verdict {
        probe.needs("pushNotifications");
        MeshCaller at = main(probe.run);
        Json.Obj task = task(
                probe, sent(probe, at, MeshCaller.sending(probe.run.fresh("tck-input-required"), "wait for me", true)));
        String url = "https://kit.example.com/legacy";
        Json.Obj which = Json.Obj.builder().put("taskId", task.string("id")).build();
        Json.Obj config = Json.Obj.builder().put("url", url).build();
        Reply set = at.call("tasks/pushNotification/set", which.with("pushNotificationConfig", config));
        probe.require(set.problem() == null, "tasks/pushNotification/set: " + set.brief());
        Reply got = at.call("tasks/pushNotification/get", which);
        Json.Obj found = got.object();
        Json.Obj inner = found == null ? null : found.object("pushNotificationConfig");
        Json.Obj read = inner == null ? found : inner;
        probe.require(read != null && url.equals(read.string("url")), "tasks/pushNotification/get: " + got.brief());
    }
}
