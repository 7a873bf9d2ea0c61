package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** The JSON-RPC binding: one address, the operation's name in the body. */
final class JsonRpcCaller extends Caller {

    private final AtomicLong ids = new AtomicLong();

    JsonRpcCaller(AgentInterface at, Client client, UnaryOperator<Request> tuning) {
        super(at, client, tuning);
    }

    @Override
    Request built(Operation operation, Json.Obj params) {
        Json.Obj all = at.tenant() == null || params.has("tenant") ? params : params.with("tenant", tenant());
        return envelope(Json.of(ids.incrementAndGet()), operation.method, all);
    }

    private Json tenant() {
        return Json.of(String.valueOf(at.tenant()));
    }

    /** A request of any method, with any id and params. */
    Request envelope(Json id, String method, Json params) {
        return post(Json.Obj.builder()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put("method", method)
                .put("params", params)
                .build()
                .toString());
    }

    /** A request with any body. */
    Request post(String body) {
        return new Request(
                "POST",
                URI.create(at.url()),
                Map.of("Content-Type", "application/json", "Accept", "application/json", VERSION, at.version()),
                body);
    }

    @Override
    Reply read(Operation operation, Answer answer) {
        return read(answer);
    }

    static Reply read(Answer answer) {
        Json.Obj body = answer.object();
        if (body == null) {
            return new Reply(answer, null, Problem.bare(answer));
        }
        Json.Obj error = body.object("error");
        if (error != null) {
            return new Reply(answer, null, Problem.ofRpc(answer, error));
        }
        Json result = body.raw("result");
        return result == null ? new Reply(answer, null, Problem.bare(answer)) : new Reply(answer, result, null);
    }

    @Override
    Reply event(String data) {
        return read(new Answer(200, Map.of(), data));
    }
}
