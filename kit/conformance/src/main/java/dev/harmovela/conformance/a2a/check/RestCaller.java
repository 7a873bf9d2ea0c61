package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The HTTP+JSON binding: routes and verbs; what the route does not carry goes into the query or the body. */
final class RestCaller extends Caller {

    static final String A2A_JSON = "application/a2a+json";
    static final String PLAIN_JSON = "application/json";

    RestCaller(AgentInterface at, Client client, UnaryOperator<Request> tuning) {
        super(at, client, tuning);
    }

    @Override
    Request built(Operation operation, Json.Obj params) {
        String route = operation.route;
        Json.Obj rest = params;
        for (String name : new String[] {"taskId", "id"}) {
            if (route.contains("{" + name + "}")) {
                route = route.replace("{" + name + "}", segment(String.valueOf(params.string(name))));
                rest = rest.without(name);
            }
        }
        Map<String, String> headers = new HashMap<>(Map.of("Accept", A2A_JSON));
        if (!operation.verb.equals("POST")) {
            return Request.of(operation.verb, address(route + query(rest)), headers);
        }
        if (operation == Operation.SUBSCRIBE) {
            return new Request(operation.verb, address(route), headers, "");
        }
        headers.put("Content-Type", A2A_JSON);
        return new Request(operation.verb, address(route), headers, rest.toString());
    }

    /** The address of a route below the interface, its tenant in front. */
    URI address(String route) {
        String base = at.url().endsWith("/") ? at.url().substring(0, at.url().length() - 1) : at.url();
        String tenant = at.tenant();
        return URI.create(base + (tenant == null ? "" : "/" + segment(tenant)) + route);
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String query(Json.Obj params) {
        StringBuilder query = new StringBuilder();
        params.forEach((name, value) -> query.append(query.isEmpty() ? '?' : '&')
                .append(name)
                .append('=')
                .append(segment(value instanceof Json.Str text ? text.value() : value.toString())));
        return query.toString();
    }

    @Override
    Reply read(Operation operation, Answer answer) {
        if (answer.status() / 100 != 2) {
            return new Reply(answer, null, Problem.ofRest(answer));
        }
        if (answer.body().isBlank()) {
            return new Reply(answer, Json.Obj.of(), null);
        }
        Json body = answer.json();
        return body == null ? new Reply(answer, null, Problem.bare(answer)) : new Reply(answer, body, null);
    }

    @Override
    Reply event(String data) {
        Answer answer = new Answer(200, Map.of(), data);
        Json.Obj body = answer.object();
        return body == null || body.has("error")
                ? new Reply(answer, null, Problem.ofRest(answer))
                : new Reply(answer, body, null);
    }
}
