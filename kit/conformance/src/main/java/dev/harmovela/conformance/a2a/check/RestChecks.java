package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Map;

/** The HTTP+JSON binding. */
final class RestChecks {

    private static final String ROW = "binding.http-json-rest";

    static final List<Check> TABLE = List.of(
            check("rest.send", "POST /message:send answers {task} or {message}", RestChecks::send),
            check("rest.get-task", "GET /tasks/ID answers the bare task", RestChecks::getTask),
            check("rest.list", "GET /tasks answers the list with all members", RestChecks::list),
            check("rest.paging", "GET /tasks takes pageSize and pageToken", RestChecks::paging),
            check("rest.cancel", "POST /tasks/ID:cancel answers the bare task", RestChecks::cancel),
            check("rest.subscribe-post", "POST /tasks/ID:subscribe streams", probe -> subscribe(probe, "POST")),
            check("rest.subscribe-get", "GET /tasks/ID:subscribe streams", probe -> subscribe(probe, "GET")),
            check("rest.error-envelope", "errors are {error:{code,status,message,details}}", RestChecks::envelope),
            check("rest.media-type", "answers are application/a2a+json", RestChecks::mediaType),
            check("rest.plain-json", "a request in application/json is taken", RestChecks::plainJson),
            check("rest.foreign-media-type", "any other media type is refused", RestChecks::foreignMediaType),
            check("rest.broken-body", "broken JSON: 400", RestChecks::brokenBody),
            check("rest.unknown-route", "an unknown route: 404", RestChecks::unknownRoute));

    private RestChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.REST, title, body);
    }

    private static void send(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.SEND, probe.sending(Probe.COMPLETE, "hello"));
        probe.shaped("SendMessageResponse", reply.result());
    }

    private static void getTask(Probe probe) throws WireException, Verdict {
        String id = Probe.idOf(probe.completed(probe.caller()));
        Reply reply = probe.caller().call(Operation.GET, Probe.id(id));
        probe.shaped("Task", reply.result());
    }

    private static void list(Probe probe) throws WireException, Verdict {
        Json context = Json.of(probe.run.fresh("kit-context"));
        Json.Obj message = probe.message(Probe.COMPLETE, "to be listed").with("contextId", context);
        probe.task(probe.caller(), Probe.sending(message));
        for (Json.Obj asked : List.of(Json.Obj.of(), Json.Obj.of().with("contextId", context))) {
            Reply reply = probe.caller().call(Operation.LIST, asked);
            Json.Obj all = probe.present(reply.object(), "a list expected, got " + reply.brief());
            probe.require(!Probe.list(all, "tasks").isEmpty(), "a task was sent and none is listed");
            if (!asked.isEmpty()) {
                probe.shaped("ListTasksResponse", all);
            }
        }
    }

    private static void paging(Probe probe) throws WireException, Verdict {
        probe.completed(probe.caller());
        probe.completed(probe.caller());
        Json.Obj one = Json.Obj.builder().put("pageSize", 1).build();
        Json.Obj first = probe.caller().call(Operation.LIST, one).object();
        probe.require(Probe.list(first, "tasks").size() == 1, "pageSize=1: one task expected");
        String token = probe.present(
                first == null ? null : first.string("nextPageToken"), "pageSize=1: a nextPageToken expected");
        probe.require(!token.isEmpty(), "pageSize=1 of two tasks: a nextPageToken expected");
        Json.Obj second = probe.caller()
                .call(Operation.LIST, one.with("pageToken", Json.of(token)))
                .object();
        probe.require(
                Probe.list(second, "tasks").size() == 1
                        && !Probe.list(second, "tasks").equals(Probe.list(first, "tasks")),
                "the second page is not the next task");
    }

    private static void cancel(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.working(probe.caller());
        Reply reply = probe.caller().call(Operation.CANCEL, Probe.id(Probe.idOf(task)));
        probe.shaped("Task", reply.result());
    }

    private static void subscribe(Probe probe, String verb) throws WireException, Verdict {
        probe.needs("streaming");
        Caller at = probe.caller();
        Json.Obj task = probe.waiting(at);
        Caller asked =
                verb.equals("POST") ? at : at.tuned(request -> Request.of(verb, request.uri(), request.headers()));
        try (Feed feed = asked.stream(Operation.SUBSCRIBE, Probe.id(Probe.idOf(task)))) {
            Reply refused = feed.refused();
            probe.require(
                    refused == null, verb + ": a stream expected, got " + (refused == null ? "" : refused.brief()));
            probe.require(feed.next(probe.run.patience) != null, verb + ": no event came");
        } finally {
            at.call(Operation.SEND, probe.completing(task));
        }
    }

    private static void envelope(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.GET, Probe.id(probe.run.fresh("no-such-task")));
        Json.Obj body = reply.answer().object();
        Json.Obj error = probe.present(
                body == null ? null : body.object("error"),
                "{\"error\":{…}} expected, got " + reply.answer().brief());
        Long code = error.integer("code");
        probe.require(
                code != null && code == reply.answer().status(),
                "error.code is " + code + " and not the HTTP status "
                        + reply.answer().status());
        probe.require(error.string("status") != null, "error.status is missing");
        probe.require(error.string("message") != null, "error.message is missing");
        probe.require(error.array("details") != null, "error.details is missing");
    }

    private static void mediaType(Probe probe) throws WireException, Verdict {
        Answer answer = probe.caller()
                .call(Operation.GET, Probe.id(Probe.idOf(probe.completed(probe.caller()))))
                .answer();
        if (answer.mediaType().equals(RestCaller.PLAIN_JSON)) {
            probe.note("answers are application/json, as in " + A2aError.TOLERATED);
            return;
        }
        probe.require(
                answer.mediaType().equals(RestCaller.A2A_JSON),
                RestCaller.A2A_JSON + " expected, got \"" + answer.mediaType() + "\"");
    }

    private static void plainJson(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller()
                .tuned(request -> request.with(Map.of("Content-Type", RestCaller.PLAIN_JSON)))
                .call(Operation.SEND, probe.sending(Probe.COMPLETE, "hello"));
        probe.require(reply.result() != null, "application/json was refused: " + reply.brief());
    }

    private static void foreignMediaType(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller()
                .tuned(request -> request.with(Map.of("Content-Type", "text/plain")))
                .call(Operation.SEND, probe.sending(Probe.COMPLETE, "hello"));
        probe.refused(reply, A2aError.CONTENT_TYPE_NOT_SUPPORTED, "text/plain");
    }

    private static void brokenBody(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller()
                .tuned(request -> request.saying("{\"message\":{"))
                .call(Operation.SEND, probe.sending(Probe.COMPLETE, "hello"));
        probe.require(reply.answer().status() == 400, "broken JSON: 400 expected, got " + reply.brief());
    }

    private static void unknownRoute(Probe probe) throws WireException, Verdict {
        Request request = probe.rest().request(Operation.LIST, Json.Obj.of());
        Reply reply = probe.caller().raw(request.to(probe.rest().address("/tasks/no/such/route")));
        probe.require(reply.answer().status() == 404, "404 expected, got " + reply.brief());
    }
}
