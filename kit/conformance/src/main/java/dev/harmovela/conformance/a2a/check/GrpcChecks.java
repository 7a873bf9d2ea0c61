package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;

/** The gRPC binding. */
final class GrpcChecks {

    static final String ROW = "binding.grpc";

    static final List<Check> TABLE = List.of(
            check("grpc.send", "SendMessage answers a task or a message", GrpcChecks::send),
            check("grpc.get-task", "GetTask answers the task", GrpcChecks::getTask),
            check("grpc.list", "ListTasks lists it", GrpcChecks::list),
            check("grpc.cancel", "CancelTask answers the task", GrpcChecks::cancel),
            check("grpc.stream", "SendStreamingMessage streams a task to its end", GrpcChecks::stream),
            check("grpc.subscribe", "SubscribeToTask shows the task, then its end", GrpcChecks::subscribe),
            check("grpc.push", "push configurations are made, read, listed and deleted", GrpcChecks::push),
            check("grpc.same-task", "other bindings show the same task", GrpcChecks::sameTask),
            check("grpc.status-details", "refusals carry a google.rpc.Status that agrees", GrpcChecks::details),
            check("grpc.unknown-method", "an unknown method: UNIMPLEMENTED", GrpcChecks::unknownMethod));

    private GrpcChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.GRPC, title, body);
    }

    private static void send(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.SEND, probe.sending(Probe.COMPLETE, "hello over gRPC"));
        probe.require(reply.result() != null, "a task or a message expected, got " + reply.brief());
        probe.shaped("SendMessageResponse", reply.result());
    }

    private static void getTask(Probe probe) throws WireException, Verdict {
        String id = Probe.idOf(probe.completed(probe.caller()));
        Json.Obj task = probe.get(probe.caller(), id);
        probe.require(id.equals(Probe.idOf(task)), "another task came");
        probe.shaped("Task", task);
    }

    private static void list(Probe probe) throws WireException, Verdict {
        Json context = Json.of(probe.run.fresh("kit-context"));
        Json.Obj message = probe.message(Probe.COMPLETE, "to be listed").with("contextId", context);
        String id = Probe.idOf(probe.task(probe.caller(), Probe.sending(message)));
        Reply reply = probe.caller().call(Operation.LIST, Json.Obj.of().with("contextId", context));
        Json.Obj all = probe.present(reply.object(), "a list expected, got " + reply.brief());
        boolean there = Probe.list(all, "tasks").stream()
                .anyMatch(each -> each instanceof Json.Obj one && id.equals(one.string("id")));
        probe.require(there, "a task was sent and is not listed");
    }

    private static void cancel(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.working(probe.caller());
        Reply reply = probe.caller().call(Operation.CANCEL, Probe.id(Probe.idOf(task)));
        probe.require(reply.result() != null, "a task expected, got " + reply.brief());
        probe.shaped("Task", reply.result());
    }

    private static void stream(Probe probe) throws WireException, Verdict {
        probe.needs("streaming");
        try (Feed feed = probe.caller().stream(Operation.STREAM, probe.sending("tck-stream", "stream"))) {
            Reply refused = feed.refused();
            probe.require(refused == null, "a stream expected, got " + (refused == null ? "" : refused.brief()));
            List<Json.Obj> all = feed.rest(probe.run.patience);
            probe.require(!all.isEmpty(), "no response came");
            probe.require(feed.ended(), "the stream does not end with status OK");
            String last = Feed.state(all.getLast());
            boolean direct = all.size() == 1 && all.getFirst().has("message");
            probe.require(
                    direct || (last != null && Probe.TERMINAL.contains(last)), "the stream does not show the end");
        }
    }

    private static void subscribe(Probe probe) throws WireException, Verdict {
        probe.needs("streaming");
        Json.Obj task = probe.waiting(probe.caller());
        try (Feed feed = probe.caller().stream(Operation.SUBSCRIBE, Probe.id(Probe.idOf(task)))) {
            Json.Obj first = probe.present(feed.next(probe.run.patience), "no response came");
            probe.require(first.has("task"), "the first response is not the task");
            probe.caller().call(Operation.SEND, probe.completing(task));
            boolean told =
                    feed.rest(probe.run.patience).stream().anyMatch(event -> Probe.COMPLETED.equals(Feed.state(event)));
            probe.require(told && feed.ended(), "the end of the task was not told, or the stream did not end");
        }
    }

    private static void push(Probe probe) throws WireException, Verdict {
        probe.needs("pushNotifications");
        Json.Obj task = probe.waiting(probe.caller());
        Json taskId = Json.of(Probe.idOf(task));
        Json.Obj config = Json.Obj.of().with("taskId", taskId).with("url", Json.of("https://kit.example.com/grpc"));
        Reply created = probe.caller().call(Operation.PUSH_CREATE, config);
        String id = probe.present(
                created.object() == null ? null : created.object().string("id"),
                "a configuration with an id expected, got " + created.brief());
        Json.Obj which = Json.Obj.of().with("taskId", taskId).with("id", Json.of(id));
        Reply got = probe.caller().call(Operation.PUSH_GET, which);
        probe.require(got.object() != null, "reading it: " + got.brief());
        Reply listed = probe.caller().call(Operation.PUSH_LIST, which.without("id"));
        probe.require(Probe.list(listed.object(), "configs").size() == 1, "listing it: " + listed.brief());
        Reply gone = probe.caller().call(Operation.PUSH_DELETE, which);
        probe.require(gone.problem() == null, "deleting it: " + gone.brief());
        Reply after = probe.caller().call(Operation.PUSH_GET, which);
        probe.require(after.problem() != null, "it is still there after it was deleted");
        probe.caller().call(Operation.SEND, probe.completing(task));
    }

    private static void sameTask(Probe probe) throws WireException, Verdict {
        Json.Obj here = probe.get(probe.caller(), Probe.idOf(probe.completed(probe.caller())));
        for (Caller other : probe.run.callers("1.0")) {
            if (!other.isGrpc()) {
                Json.Obj there = probe.get(other, Probe.idOf(here));
                probe.require(there.equals(here), other.at.label() + " shows " + there + " and gRPC shows " + here);
            }
        }
    }

    private static Reply unknownTask(Probe probe) throws WireException {
        return probe.caller().call(Operation.GET, Probe.id(probe.run.fresh("no-such-task")));
    }

    private static void details(Probe probe) throws WireException, Verdict {
        Reply reply = unknownTask(probe);
        Problem problem = probe.present(reply.problem(), "an unknown task was answered");
        Json.Obj body = reply.answer().object();
        Json.Obj error = body == null ? null : body.object("error");
        Json.Obj status = probe.present(
                error == null ? null : error.object("statusDetails"), "no readable grpc-status-details-bin came");
        Long code = error == null ? null : error.integer("grpcCode");
        probe.require(
                code != null && code.equals(status.integer("code")),
                "its code is " + status.integer("code") + " and the status is " + problem.status());
    }

    private static void unknownMethod(Probe probe) throws WireException, Verdict {
        GrpcCaller at = (GrpcCaller) probe.caller();
        Reply reply = at.raw(at.request(Operation.GET, Json.Obj.of()).to(at.address("NoSuchMethod")));
        Problem problem = probe.present(reply.problem(), "an unknown method was answered");
        probe.require("UNIMPLEMENTED".equals(problem.status()), "UNIMPLEMENTED expected, got " + problem.status());
    }
}
