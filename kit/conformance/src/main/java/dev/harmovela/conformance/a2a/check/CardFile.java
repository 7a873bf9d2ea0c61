package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent card as it was served.
 *
 * @param at its address
 * @param answer the answer that carried it
 * @param card its content
 */
public record CardFile(URI at, Answer answer, Json.Obj card) {

    private static final String NOW = "/.well-known/agent-card.json";
    private static final String FORMER = "/.well-known/agent.json";

    /**
     * What came of looking for a card.
     *
     * @param file the card; null when there is none
     * @param answered whether anybody answered at all
     * @param trouble what was found instead of a card; empty when one was found
     */
    public record Found(@Nullable CardFile file, boolean answered, String trouble) {}

    /** Looks below the endpoint first, then at its origin; a former name of the file is tried for old dialects only. */
    public static Found find(Client client, URI endpoint, String version) {
        List<URI> places = new ArrayList<>();
        for (String name : version.equals("0.3") ? List.of(NOW, FORMER) : List.of(NOW)) {
            places.add(below(endpoint, name));
            places.add(endpoint.resolve(name));
        }
        boolean answered = false;
        List<String> troubles = new ArrayList<>();
        for (URI place : places.stream().distinct().toList()) {
            try {
                Answer answer = client.send(request(place, version));
                answered = true;
                Json.Obj card = answer.object();
                if (answer.status() == 200 && card != null) {
                    return new Found(new CardFile(place, answer, card), true, "");
                }
                troubles.add(place + ": " + (answer.status() == 200 ? "no JSON object" : "HTTP " + answer.status()));
            } catch (WireException failed) {
                answered |= failed.kind() != WireException.Kind.UNREACHABLE
                        && failed.kind() != WireException.Kind.FORBIDDEN;
                troubles.add(place + ": " + failed.getMessage());
            }
        }
        return new Found(null, answered, String.join("; ", troubles));
    }

    /** The request for a card. */
    static Request request(URI place, String version) {
        return Request.of("GET", place, Map.of("Accept", "application/json", Caller.VERSION, version));
    }

    private static URI below(URI endpoint, String name) {
        String path = endpoint.getPath() == null ? "" : endpoint.getPath();
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return endpoint.resolve(base + name);
    }

    /** Whether the card says that it can do that. */
    public boolean offers(String capability) {
        Json.Obj capabilities = card.object("capabilities");
        return capabilities != null && Boolean.TRUE.equals(capabilities.bool(capability));
    }

    /** The extensions that a client has to know. */
    List<String> requiredExtensions() {
        List<String> found = new ArrayList<>();
        Json.Obj capabilities = card.object("capabilities");
        Json.Arr extensions = capabilities == null ? null : capabilities.array("extensions");
        if (extensions != null) {
            for (Json each : extensions.items()) {
                if (each instanceof Json.Obj one && Boolean.TRUE.equals(one.bool("required"))) {
                    found.add(String.valueOf(one.string("uri")));
                }
            }
        }
        return found;
    }

    /** Whether the agent asks for credentials: some requirement, and none of them empty. */
    boolean asksForCredentials() {
        Json.Arr requirements = card.array("securityRequirements");
        return requirements != null
                && !requirements.items().isEmpty()
                && requirements.items().stream().allMatch(CardFile::named);
    }

    private static boolean named(Json requirement) {
        Json.Obj schemes = requirement instanceof Json.Obj one ? one.object("schemes") : null;
        return schemes != null && !schemes.isEmpty();
    }
}
