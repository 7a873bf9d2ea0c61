package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The gRPC binding: the operation is the method, its message travels as protobuf. */
final class GrpcCaller extends Caller {

    GrpcCaller(AgentInterface at, Client client, UnaryOperator<Request> tuning) {
        super(at, client, tuning);
    }

    @Override
    Request built(Operation operation, Json.Obj params) {
        String tenant = at.tenant();
        Json.Obj all = tenant == null || params.has("tenant") ? params : params.with("tenant", Json.of(tenant));
        return new Request("POST", address(operation.method), Map.of(), all.toString());
    }

    /** The address of a method of the service. */
    URI address(String method) {
        return URI.create(at.uri() + "/" + method);
    }

    @Override
    Reply read(Operation operation, Answer answer) {
        if (answer.status() != 200) {
            return new Reply(answer, null, Problem.ofGrpc(answer));
        }
        Json body = answer.json();
        return body == null ? new Reply(answer, null, Problem.bare(answer)) : new Reply(answer, body, null);
    }

    @Override
    Reply event(String data) {
        Answer answer = new Answer(200, Map.of(), data);
        Json.Obj body = answer.object();
        return body == null ? new Reply(answer, null, Problem.bare(answer)) : new Reply(answer, body, null);
    }
}
