package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;

/** The JSON-RPC binding. */
final class RpcFace {

    private final Operations operations;
    private final MeshFace mesh;
    private final Gate gate;
    private final Faults faults;

    RpcFace(Operations operations, Gate gate, Faults faults) {
        this.operations = operations;
        this.gate = gate;
        this.faults = faults;
        mesh = new MeshFace(operations, faults);
    }

    void handle(Http http) throws IOException, InterruptedException {
        Json id = Json.Null.NULL;
        try {
            Json json = parse(http);
            if (!(json instanceof Json.Obj request)) {
                throw Refusal.of(faults.has("rpc.batch-internal") ? "INTERNAL_ERROR" : "INVALID_REQUEST");
            }
            Json given = request.raw("id");
            id = given == null ? Json.Null.NULL : given;
            boolean enveloped = "2.0".equals(request.string("jsonrpc")) || faults.has("rpc.lax-envelope");
            String method = request.string("method");
            if (!enveloped || method == null) {
                throw Refusal.of("INVALID_REQUEST");
            }
            serve(http, id, method, request.raw("params"));
        } catch (Refusal refusal) {
            refuse(http, id, refusal);
        }
    }

    private Json parse(Http http) throws Refusal {
        try {
            return Json.parse(http.body);
        } catch (JsonException broken) {
            throw Refusal.of(faults.has("rpc.parse-internal") ? "INTERNAL_ERROR" : "PARSE_ERROR");
        }
    }

    private void serve(Http http, Json id, String method, @org.jspecify.annotations.Nullable Json given)
            throws IOException, InterruptedException, Refusal {
        boolean slash = method.contains("/");
        String version = http.version(faults);
        if (version.equals("0.3") && slash && !faults.has("no-mesh")) {
            Json.Obj params = given instanceof Json.Obj object ? object : Json.Obj.of();
            gate.login(http, faults);
            if (!http.path.equals("/rpc") || !faults.has("legacy.no-rpc-path")) {
                answer(http, id, mesh.call(method, params));
                return;
            }
            throw Refusal.of("METHOD_NOT_FOUND");
        }
        gate.version(http, http.path.endsWith("/1.2") ? "1.2" : "1.0", faults);
        if (slash && faults.has("rpc.slash-served")) {
            answer(http, id, operations.call(new Call("SendMessage", (Json.Obj) given, "default", false)));
            return;
        }
        gate.login(http, faults);
        gate.extensions(http, faults);
        if (!(given instanceof Json.Obj) && given != null) {
            throw Refusal.of(faults.has("rpc.params-internal") ? "INTERNAL_ERROR" : "INVALID_PARAMS");
        }
        Json.Obj params = given == null ? Json.Obj.of() : (Json.Obj) given;
        String tenant = params.string("tenant");
        Call call = new Call(method, params.without("tenant"), tenant == null ? "default" : tenant, false);
        if (method.equals("SendStreamingMessage") || method.equals("SubscribeToTask")) {
            stream(http, id, call);
        } else {
            answer(http, id, operations.call(call));
        }
    }

    private void stream(Http http, Json id, Call call) throws IOException, InterruptedException, Refusal {
        if (faults.has("no-streaming")) {
            throw Refusal.of(faults.has("stream.gate") ? "METHOD_NOT_FOUND" : "UNSUPPORTED_OPERATION");
        }
        Operations.Opened opened;
        try {
            opened = operations.open(call);
        } catch (Refusal refusal) {
            if (!faults.has("stream.refusal-streamed")) {
                throw refusal;
            }
            http.set("Content-Type", "text/event-stream");
            http.exchange.sendResponseHeaders(200, 0);
            http.exchange.getResponseBody().write(("data: " + error(id, refusal) + "\n\n").getBytes());
            return;
        }
        boolean sent = call.operation().equals("SendStreamingMessage");
        http.stream(operations, opened, sent, event -> envelope(id, event).toString());
    }

    private static Json.Obj envelope(Json id, Json result) {
        return Json.Obj.builder()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put("result", result)
                .build();
    }

    private void answer(Http http, Json id, Json result) throws IOException {
        Json echoed = faults.has("rpc.id-lost") && id.equals(Json.of(0)) ? Json.Null.NULL : id;
        String type = faults.has("rpc.media-type") ? "text/json" : "application/json";
        http.answer(200, type, envelope(echoed, result).toString());
    }

    private void refuse(Http http, Json id, Refusal refusal) throws IOException {
        Json echoed = faults.has("rpc.id-lost") && id.equals(Json.of(0)) ? Json.Null.NULL : id;
        int status = refusal.http == 401 ? 401 : 200;
        gate.challenge(http, refusal, faults);
        http.answer(status, "application/json", error(echoed, refusal).toString());
    }

    private Json.Obj error(Json id, Refusal refusal) {
        int code = refusal.code;
        if (faults.has("errors.rpc-code") && refusal.reason.equals("TASK_NOT_FOUND")) {
            code = -32000;
        }
        if (faults.has("rpc.unknown-method") && refusal.reason.equals("METHOD_NOT_FOUND")) {
            code = -32600;
        }
        Json.Obj error = Json.Obj.builder()
                .put("code", code)
                .put("message", refusal.reason)
                .put("data", refusal.details(faults.has("errors.domain") ? "example.com" : "a2a-protocol.org"))
                .build();
        return Json.Obj.builder()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put("error", error)
                .build();
    }
}
