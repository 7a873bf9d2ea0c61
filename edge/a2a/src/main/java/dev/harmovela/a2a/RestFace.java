package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The HTTP+JSON binding. On the hub's executor only. */
final class RestFace {

    private static final String A2A = "application/a2a+json";
    private static final String PLAIN = "application/json";
    private static final String CONFIGS = "pushNotificationConfigs";
    private static final Set<String> LISTS = Set.of("acceptedOutputModes");

    private final Service service;

    RestFace(Service service) {
        this.service = service;
    }

    /** An operation as a route names it; null when there is none. */
    private record Route(String operation, @Nullable String tenant, Map<String, String> named) {}

    void handle(A2aExchange exchange, String agent, List<String> segments) {
        try {
            serve(exchange, agent, segments);
        } catch (Refusal refusal) {
            refuse(exchange, refusal);
        }
    }

    private void serve(A2aExchange exchange, String agent, List<String> segments) throws Refusal {
        Route route = route(exchange.method(), segments, null);
        if (route == null && segments.size() > 1) {
            route = route(exchange.method(), segments.subList(1, segments.size()), segments.getFirst());
        }
        if (route == null) {
            throw Refusal.of(A2aError.METHOD_NOT_FOUND, "nothing is served at this address");
        }
        Gate.requireVersion(exchange, "1.0");
        Json.Obj params = params(exchange);
        for (Map.Entry<String, String> each : route.named().entrySet()) {
            params = params.with(each.getKey(), Json.of(each.getValue()));
        }
        String inside = Proto.string(params, "tenant");
        if (inside != null && route.tenant() != null && !inside.equals(route.tenant())) {
            throw Refusal.invalid("tenant", "address and body name two tenants");
        }
        Gate.requireTenant(exchange, route.tenant() == null ? inside : route.tenant());
        Call call = new Call(
                route.operation(),
                params.without("tenant"),
                exchange.caller(),
                agent,
                Gate.key(exchange),
                Gate.lastEventId(exchange));
        if (Service.isStream(route.operation())) {
            EventStream stream = new EventStream(exchange, Json.Obj::toString, refusal -> refuse(exchange, refusal));
            service.stream(exchange, call, stream);
        } else {
            service.call(exchange, call, outcome(exchange, route.operation()));
        }
    }

    private static @Nullable Route route(String verb, List<String> path, @Nullable String tenant) {
        boolean get = verb.equals("GET");
        boolean post = verb.equals("POST");
        String first = path.getFirst();
        if (path.size() == 1) {
            String operation = switch (first) {
                case "message:send" -> post ? "SendMessage" : null;
                case "message:stream" -> post ? "SendStreamingMessage" : null;
                case "tasks" -> get ? "ListTasks" : null;
                case "extendedAgentCard" -> get ? "GetExtendedAgentCard" : null;
                default -> null;
            };
            return operation == null ? null : new Route(operation, tenant, Map.of());
        }
        if (!first.equals("tasks") || path.get(1).isEmpty()) {
            return null;
        }
        String second = path.get(1);
        if (path.size() == 2) {
            return ofTask(get, post, second, tenant);
        }
        if (!path.get(2).equals(CONFIGS)) {
            return null;
        }
        if (path.size() == 3 && (get || post)) {
            String operation = post ? "CreateTaskPushNotificationConfig" : "ListTaskPushNotificationConfigs";
            return new Route(operation, tenant, Map.of("taskId", second));
        }
        if (path.size() == 4 && (get || verb.equals("DELETE"))) {
            String operation = get ? "GetTaskPushNotificationConfig" : "DeleteTaskPushNotificationConfig";
            return new Route(operation, tenant, Map.of("taskId", second, "id", path.get(3)));
        }
        return null;
    }

    private static @Nullable Route ofTask(boolean get, boolean post, String second, @Nullable String tenant) {
        int colon = second.lastIndexOf(':');
        String action = colon < 0 ? "" : second.substring(colon + 1);
        if (action.equals("cancel") && post) {
            return new Route("CancelTask", tenant, Map.of("id", second.substring(0, colon)));
        }
        if (action.equals("subscribe") && (get || post)) {
            return new Route("SubscribeToTask", tenant, Map.of("id", second.substring(0, colon)));
        }
        return get ? new Route("GetTask", tenant, Map.of("id", second)) : null;
    }

    private static Json.Obj params(A2aExchange exchange) throws Refusal {
        Json.Obj params = Json.Obj.of();
        byte[] body = exchange.body();
        if (exchange.method().equals("POST") && body.length > 0) {
            String type = mediaType(exchange.header("Content-Type"));
            if (!type.equals(A2A) && !type.equals(PLAIN)) {
                throw Refusal.of(A2aError.CONTENT_TYPE_NOT_SUPPORTED, "send " + A2A + " or " + PLAIN);
            }
            try {
                if (!(Json.parse(body, 0, body.length) instanceof Json.Obj object)) {
                    throw Refusal.of(A2aError.INVALID_PARAMS, "the body is one object");
                }
                params = Proto.camel(object);
            } catch (JsonException broken) {
                throw Refusal.of(A2aError.PARSE_ERROR);
            }
        }
        Json.Builder all = Json.Obj.builder();
        for (Map.Entry<String, List<String>> each : exchange.query().entrySet()) {
            if (!each.getKey().equals("A2A-Version") && !each.getValue().isEmpty()) {
                all.put(each.getKey(), value(each.getKey(), each.getValue()));
            }
        }
        Json.Obj[] merged = {params};
        Proto.camel(all.build()).forEach((name, value) -> merged[0] = merged[0].with(name, value));
        return merged[0];
    }

    private static Json value(String name, List<String> values) {
        if (!LISTS.contains(name)) {
            return Json.of(values.getFirst());
        }
        List<String> items = new ArrayList<>();
        values.forEach(each -> items.addAll(List.of(each.split(","))));
        return Json.of(items);
    }

    private static String mediaType(@Nullable String header) {
        return header == null ? "" : header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static Call.Outcome outcome(A2aExchange exchange, String operation) {
        return new Call.Outcome() {
            @Override
            public void done(Json result) {
                if (operation.startsWith("Delete")) {
                    exchange.answer(204, answerType(exchange), new byte[0]);
                } else {
                    int status = operation.startsWith("Create") ? 201 : 200;
                    exchange.answer(status, answerType(exchange), result.toBytes());
                }
            }

            @Override
            public void refused(Refusal refusal) {
                refuse(exchange, refusal);
            }

            @Override
            public void whenLeft(Runnable task) {
                exchange.whenLeft(task);
            }
        };
    }

    /** The official type, or plain JSON where the request came as that or asks for it. */
    private static String answerType(A2aExchange exchange) {
        String accept = exchange.header("Accept");
        boolean asks = accept != null && accept.contains(PLAIN) && !accept.contains(A2A);
        return asks || mediaType(exchange.header("Content-Type")).equals(PLAIN) ? PLAIN : A2A;
    }

    static void refuse(A2aExchange exchange, Refusal refusal) {
        Service.tellMore(exchange, refusal);
        exchange.answer(refusal.error.http, answerType(exchange), refusal.rest().toBytes());
    }
}
