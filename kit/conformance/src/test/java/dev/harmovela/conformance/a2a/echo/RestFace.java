package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The HTTP+JSON binding. */
final class RestFace {

    private static final Map<String, String> ROUTES = Map.ofEntries(
            Map.entry("POST /message:send", "SendMessage"),
            Map.entry("POST /message:stream", "SendStreamingMessage"),
            Map.entry("GET /tasks", "ListTasks"),
            Map.entry("GET /tasks/ID", "GetTask"),
            Map.entry("POST /tasks/ID:cancel", "CancelTask"),
            Map.entry("POST /tasks/ID:subscribe", "SubscribeToTask"),
            Map.entry("GET /tasks/ID:subscribe", "SubscribeToTask"),
            Map.entry("POST /tasks/ID/pushNotificationConfigs", "CreateTaskPushNotificationConfig"),
            Map.entry("GET /tasks/ID/pushNotificationConfigs", "ListTaskPushNotificationConfigs"),
            Map.entry("GET /tasks/ID/pushNotificationConfigs/ID2", "GetTaskPushNotificationConfig"),
            Map.entry("DELETE /tasks/ID/pushNotificationConfigs/ID2", "DeleteTaskPushNotificationConfig"),
            Map.entry("GET /extendedAgentCard", "GetExtendedAgentCard"));
    private static final Pattern PATH = Pattern.compile("(?:/(?!tasks|message|extended)([^/]+))?"
            + "(/tasks(?:/([^/:]+)(:\\w+)?(/pushNotificationConfigs(?:/([^/]+))?)?)?"
            + "|/message:\\w+|/extendedAgentCard)");

    private final Operations operations;
    private final Gate gate;
    private final Faults faults;

    RestFace(Operations operations, Gate gate, Faults faults) {
        this.operations = operations;
        this.gate = gate;
        this.faults = faults;
    }

    void handle(Http http) throws IOException, InterruptedException {
        try {
            serve(http);
        } catch (Refusal refusal) {
            refuse(http, refusal);
        }
    }

    private void serve(Http http) throws IOException, InterruptedException, Refusal {
        Matcher path = PATH.matcher(http.path.substring("/rest".length()));
        String verb = http.exchange.getRequestMethod();
        String operation = path.matches() ? ROUTES.get(verb + " " + route(path)) : null;
        if (operation == null
                || (verb.equals("GET") && http.path.endsWith(":subscribe") && faults.has("rest.no-get-subscribe"))) {
            if (faults.has("rest.any-route") && operation == null) {
                http.answer(200, "application/a2a+json", "{}");
                return;
            }
            throw Refusal.of("METHOD_NOT_FOUND");
        }
        gate.version(http, "1.0", faults);
        gate.login(http, faults);
        gate.extensions(http, faults);
        Json.Obj params = params(http, path);
        String named = params.string("tenant");
        String tenant = path.group(1) == null ? "default" : path.group(1);
        if (named != null && !named.equals(tenant) && !faults.has("tenancy.mismatch")) {
            throw Refusal.of("INVALID_PARAMS");
        }
        Call call = new Call(operation, params.without("tenant"), tenant, true);
        if (operation.equals("SendStreamingMessage") || operation.equals("SubscribeToTask")) {
            if (faults.has("no-streaming")) {
                throw Refusal.of("UNSUPPORTED_OPERATION");
            }
            boolean sent = operation.equals("SendStreamingMessage");
            http.stream(operations, operations.open(call), sent, Json.Obj::toString);
            return;
        }
        Json result = operations.call(call);
        boolean plain = http.mediaType().equals("application/json") || faults.has("plain-json");
        String type =
                faults.has("rest.media-type") ? "text/plain" : plain ? "application/json" : "application/a2a+json";
        boolean kind = faults.has("rest.kind") && operation.equals("GetTask");
        String text = (kind ? ((Json.Obj) result).with("kind", Json.of("task")) : result).toString();
        http.answer(operation.startsWith("Create") ? 201 : 200, type, text);
    }

    private static String route(Matcher path) {
        if (path.group(3) == null) {
            return path.group(2);
        }
        String action = path.group(4) == null ? "" : path.group(4);
        String configs = path.group(5) == null ? "" : "/pushNotificationConfigs";
        return "/tasks/ID" + action + configs + (path.group(6) == null ? "" : "/ID2");
    }

    private Json.Obj params(Http http, Matcher path) throws Refusal {
        Json.Obj params = Json.Obj.of();
        if (!http.body.isBlank()) {
            boolean known = http.mediaType().equals("application/a2a+json")
                    || (http.mediaType().equals("application/json") && !faults.has("rest.plain-json-refused"))
                    || faults.has("rest.any-media-type");
            if (!known) {
                throw Refusal.of("CONTENT_TYPE_NOT_SUPPORTED");
            }
            try {
                params = Json.parse(http.body) instanceof Json.Obj object ? object : params;
            } catch (JsonException broken) {
                throw Refusal.of(faults.has("rest.broken-internal") ? "INTERNAL_ERROR" : "PARSE_ERROR");
            }
        }
        String query = http.exchange.getRequestURI().getQuery();
        for (String each : query == null ? new String[0] : query.split("&")) {
            String[] pair = each.split("=", 2);
            if (!pair[0].equals("key") && !pair[0].equals("A2A-Version")) {
                params = params.with(pair[0], Json.of(pair.length == 2 ? pair[1] : ""));
            }
        }
        boolean config = path.group(5) != null;
        if (path.group(3) != null) {
            params = params.with(config ? "taskId" : "id", Json.of(path.group(3)));
        }
        return path.group(6) == null ? params : params.with("id", Json.of(path.group(6)));
    }

    private void refuse(Http http, Refusal refusal) throws IOException {
        Refusal told = refusal;
        if (faults.has("errors.rest-status") && refusal.reason.equals("TASK_NOT_CANCELABLE")) {
            told = refusal.answered(500, "INTERNAL");
        }
        if (faults.has("release-1.0.0") && refusal.reason.equals("TASK_NOT_CANCELABLE")) {
            told = refusal.answered(409, "FAILED_PRECONDITION");
        }
        gate.challenge(http, told, faults);
        Json.Obj error = Json.Obj.builder()
                .put("code", faults.has("rest.error-code") ? told.code : told.http)
                .put("status", told.status)
                .put("message", told.reason)
                .put("details", told.details("a2a-protocol.org"))
                .build();
        http.answer(
                told.http,
                "application/a2a+json",
                Json.Obj.of().with("error", error).toString());
    }
}
