package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The JSON-RPC binding. On the hub's executor only. */
final class RpcFace {

    static final Set<String> METHODS = Set.of(
            "SendMessage",
            "SendStreamingMessage",
            "GetTask",
            "ListTasks",
            "CancelTask",
            "SubscribeToTask",
            "CreateTaskPushNotificationConfig",
            "GetTaskPushNotificationConfig",
            "ListTaskPushNotificationConfigs",
            "DeleteTaskPushNotificationConfig",
            "GetExtendedAgentCard");
    private static final String JSON = "application/json";
    private static final int DEPTH = 64;

    private final A2aSettings settings;
    private final Service service;
    private final LegacyFace legacy;

    RpcFace(A2aSettings settings, Service service) {
        this.settings = settings;
        this.service = service;
        this.legacy = new LegacyFace(service);
    }

    /** Where a request came in. */
    record Place(String agent, String version) {}

    void handle(A2aExchange exchange, Place place) {
        Json id = Json.Null.NULL;
        try {
            Json json = parse(exchange.body());
            if (!(json instanceof Json.Obj request)) {
                throw Refusal.of(A2aError.INVALID_REQUEST, "a request is one object");
            }
            Json given = request.raw("id");
            boolean named = given instanceof Json.Str || given instanceof Json.Num;
            if (given != null && named) {
                id = given;
            }
            String method = request.string("method");
            Json params = request.get("params");
            if (!"2.0".equals(request.string("jsonrpc")) || method == null || !named) {
                throw Refusal.of(A2aError.INVALID_REQUEST, "a request has jsonrpc \"2.0\", an id and a method");
            }
            if (params != null && !(params instanceof Json.Obj)) {
                throw Refusal.invalid("params", "an object is expected");
            }
            Json.Obj body = params instanceof Json.Obj object ? object : Json.Obj.of();
            serve(exchange, place, id, method, body);
        } catch (Refusal refusal) {
            refuse(exchange, id, refusal);
        }
    }

    private static Json parse(byte[] body) throws Refusal {
        try {
            return Json.parse(body, 0, body.length, DEPTH);
        } catch (JsonException broken) {
            throw Refusal.of(A2aError.PARSE_ERROR);
        }
    }

    private void serve(A2aExchange exchange, Place place, Json id, String method, Json.Obj params) throws Refusal {
        String version = Gate.version(exchange);
        boolean slash = method.indexOf('/') >= 0;
        if (settings.legacy()
                && version.equals("0.3")
                && slash
                && !place.version().equals("1.2")) {
            legacy.handle(exchange, place.agent(), id, method, params);
            return;
        }
        Gate.requireVersion(exchange, place.version());
        if (!METHODS.contains(method)) {
            throw Refusal.of(A2aError.METHOD_NOT_FOUND);
        }
        Json.Obj official = Proto.camel(params);
        Gate.requireTenant(exchange, Proto.string(official, "tenant"));
        Call call = new Call(
                method,
                official.without("tenant"),
                exchange.caller(),
                place.agent(),
                Gate.key(exchange),
                Gate.lastEventId(exchange));
        if (Service.isStream(method)) {
            service.stream(exchange, call, stream(exchange, id, UnaryOperator.identity()));
        } else {
            service.call(exchange, call, outcome(exchange, id));
        }
    }

    static Call.Outcome outcome(A2aExchange exchange, Json id) {
        return new Call.Outcome() {
            @Override
            public void done(Json result) {
                exchange.answer(200, JSON, envelope(id, "result", result).toBytes());
            }

            @Override
            public void refused(Refusal refusal) {
                refuse(exchange, id, refusal);
            }

            @Override
            public void whenLeft(Runnable task) {
                exchange.whenLeft(task);
            }
        };
    }

    static Call.Stream stream(A2aExchange exchange, Json id, UnaryOperator<Json.Obj> shape) {
        return new EventStream(
                exchange,
                response -> envelope(id, "result", shape.apply(response)).toString(),
                refusal -> refuse(exchange, id, refusal));
    }

    private static Json.Obj envelope(Json id, String member, Json value) {
        return Json.Obj.builder()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put(member, value)
                .build();
    }

    static void refuse(A2aExchange exchange, Json id, Refusal refusal) {
        boolean beforeA2a = switch (refusal.error) {
            case UNAUTHENTICATED, PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAVAILABLE -> true;
            default -> false;
        };
        Service.tellMore(exchange, refusal);
        exchange.answer(
                beforeA2a ? refusal.error.http : 200,
                JSON,
                envelope(id, "error", refusal.rpc()).toBytes());
    }
}
