package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON-RPC binding. */
final class JsonRpcChecks {

    private static final String ROW = "binding.jsonrpc-message-send";
    private static final String DIRECT = "tck-message-response";

    static final List<Check> TABLE = List.of(
            check("rpc.send-blocking", "SendMessage waits and answers {task}", JsonRpcChecks::blocking),
            check("rpc.send-immediate", "SendMessage answers at once when asked to", JsonRpcChecks::immediate),
            check("rpc.direct-message", "a direct answer is {message}", JsonRpcChecks::direct),
            check("rpc.get-task", "GetTask answers the bare task", JsonRpcChecks::getTask),
            check("rpc.envelope", "answers are JSON-RPC 2.0 as application/json", JsonRpcChecks::envelope),
            check("rpc.ids", "ids 0, \"\" and text are echoed", JsonRpcChecks::ids),
            check("rpc.parse-error", "broken JSON: -32700 with id null", JsonRpcChecks::parseError),
            check("rpc.batch", "a batch: -32600", probe -> refusal(probe, "[1,2]", A2aError.INVALID_REQUEST)),
            check("rpc.wrong-envelope", "no JSON-RPC 2.0 request: -32600", JsonRpcChecks::wrongEnvelope),
            check("rpc.unknown-method", "an unknown method: -32601", JsonRpcChecks::unknownMethod),
            check("rpc.slash-method", "a method name of 0.3 at version 1.0: -32601", JsonRpcChecks::slashMethod),
            check("rpc.bad-params", "params of the wrong shape: -32602, id kept", JsonRpcChecks::badParams));

    private JsonRpcChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.JSONRPC, title, body);
    }

    private static void blocking(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.SEND, probe.sending(Probe.COMPLETE, "hello"));
        probe.require(reply.answer().status() == 200, "HTTP 200 expected, got " + reply.brief());
        probe.shaped("SendMessageResponse", reply.result());
    }

    private static void immediate(Probe probe) throws WireException, Verdict {
        Json.Obj request = Probe.immediately(probe.sending(Probe.COMPLETE, "at once"));
        Reply reply = probe.caller().call(Operation.SEND, request);
        probe.shaped("SendMessageResponse", reply.result());
    }

    private static void direct(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.SEND, probe.sending(DIRECT, "answer me"));
        probe.shaped("SendMessageResponse", reply.result());
        Json.Obj result = reply.object();
        Json.Obj message = result == null ? null : result.object("message");
        if (message == null) {
            throw probe.notApplicable("the endpoint does not react to " + DIRECT);
        }
        probe.require("ROLE_AGENT".equals(message.string("role")), "the message is not of ROLE_AGENT");
    }

    private static void getTask(Probe probe) throws WireException, Verdict {
        String id = Probe.idOf(probe.completed(probe.caller()));
        Reply reply = probe.caller().call(Operation.GET, Probe.id(id));
        probe.shaped("Task", reply.result());
        probe.require(Probe.idOf(probe.get(probe.caller(), id)).equals(id), "another task came back");
    }

    private static void envelope(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.SEND, probe.sending(Probe.COMPLETE, "hello"));
        Json.Obj body = probe.present(reply.answer().object(), "a JSON object expected");
        probe.require("2.0".equals(body.string("jsonrpc")), "\"jsonrpc\":\"2.0\" expected");
        probe.require(body.raw("error") == null, "a result and an error at once");
        String type = reply.answer().mediaType();
        probe.require(type.equals("application/json"), "Content-Type application/json expected, got \"" + type + "\"");
    }

    private static void ids(Probe probe) throws WireException, Verdict {
        for (Json id : List.of(Json.of(0), Json.of(""), Json.of("kit-id"), Json.of(9_007_199_254_740_991L))) {
            Json.Obj params = Probe.id(probe.run.fresh("no-such-task"));
            Reply reply = tuned(
                    probe,
                    probe.rpc().envelope(id, Operation.GET.method, params).body());
            Json.Obj body = reply.answer().object();
            Json echoed = body == null ? null : body.raw("id");
            probe.require(id.equals(echoed), "id " + id + " came back as " + echoed);
        }
    }

    private static void parseError(Probe probe) throws WireException, Verdict {
        Reply reply = refusal(
                probe, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{", A2aError.PARSE_ERROR);
        Json.Obj body = reply.answer().object();
        probe.require(body != null && body.raw("id") == Json.Null.NULL, "broken JSON: id null expected");
    }

    private static void wrongEnvelope(Probe probe) throws WireException, Verdict {
        for (String body : List.of(
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"GetTask\",\"params\":{\"id\":\"x\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"params\":{}}",
                "\"GetTask\"")) {
            refusal(probe, body, A2aError.INVALID_REQUEST);
        }
    }

    private static void unknownMethod(Probe probe) throws WireException, Verdict {
        refusal(probe, call(probe, "NoSuchOperation", Json.Obj.of()), A2aError.METHOD_NOT_FOUND);
    }

    private static void slashMethod(Probe probe) throws WireException, Verdict {
        Json.Obj params = probe.sending(Probe.COMPLETE, "hello");
        refusal(probe, call(probe, "message/send", params), A2aError.METHOD_NOT_FOUND);
    }

    private static void badParams(Probe probe) throws WireException, Verdict {
        Json.Obj message = probe.message(Probe.COMPLETE, "hello");
        List<Json> wrong = List.of(
                Json.of("abc"),
                Json.of(5),
                Json.Obj.of(),
                Probe.sending(message.without("messageId")),
                Probe.sending(message.without("role")),
                Probe.sending(message.with("parts", new Json.Arr(List.of()))));
        for (Json params : wrong) {
            Reply reply = refusal(probe, call(probe, "SendMessage", params), A2aError.INVALID_PARAMS);
            Json.Obj body = reply.answer().object();
            probe.require(body != null && Json.of(7).equals(body.raw("id")), "bad params: the id was not kept");
        }
    }

    private static String call(Probe probe, String method, Json params) {
        return String.valueOf(probe.rpc().envelope(Json.of(7), method, params).body());
    }

    private static Reply refusal(Probe probe, String body, A2aError error) throws WireException, Verdict {
        Reply reply = tuned(probe, body);
        Long code = reply.problem() == null ? null : reply.problem().code();
        probe.require(
                code != null && code == error.code,
                shortened(body) + ": " + error.code + " expected, got " + reply.brief());
        return reply;
    }

    private static Reply tuned(Probe probe, @Nullable String body) throws WireException {
        String text = String.valueOf(body);
        return probe.caller().tuned(request -> request.saying(text)).call(Operation.GET, Json.Obj.of());
    }

    private static String shortened(String body) {
        return body.length() <= 60 ? body : body.substring(0, 60) + "…";
    }
}
