package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The card of the endpoint. */
final class EchoCard {

    private static final String CARD = """
            {"name":"Echo","description":"Repeats what it is told","version":"1.0.0",
             "supportedInterfaces":[
               {"url":"BASE/a2a/jsonrpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"},
               {"url":"BASE/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},
               {"url":"BASE/a2a/jsonrpc","protocolBinding":"JSONRPC","protocolVersion":"1.0","tenant":"acme"},
               {"url":"BASE/a2a/1.2","protocolBinding":"JSONRPC","protocolVersion":"1.2"}],
             "capabilities":{"streaming":true,"pushNotifications":true},
             "defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
             "skills":[{"id":"echo","name":"Echo","description":"Repeats","tags":["echo"]}]}
            """;

    private EchoCard() {}

    static Json.Obj of(URI base, @Nullable String grpc, Faults faults) {
        Json.Obj card = (Json.Obj) Json.parse(CARD.replace("BASE", base.toString()));
        Json.Obj capabilities = (Json.Obj) Objects.requireNonNull(card.raw("capabilities"));
        if (faults.has("no-streaming")) {
            capabilities = capabilities.without("streaming");
        }
        if (faults.has("no-push")) {
            capabilities = capabilities.without("pushNotifications");
        }
        if (faults.has("extended")) {
            capabilities = capabilities.with("extendedAgentCard", Json.of(true));
        }
        if (faults.has("required-extension")) {
            capabilities =
                    capabilities.with("extensions", Json.parse("[{\"uri\":\"urn:echo:must\",\"required\":true}]"));
        }
        if (faults.has("login")) {
            card = card.with(
                            "securitySchemes",
                            Json.parse("{\"token\":{\"httpAuthSecurityScheme\":{\"scheme\":\"Bearer\"}}}"))
                    .with("securityRequirements", Json.parse("[{\"schemes\":{\"token\":{}}}]"));
        }
        if (faults.has("oauth")) {
            String flow = "{\"clientCredentials\":{\"tokenUrl\":\"" + base + "/token\",\"scopes\":{}}}";
            card = card.with(
                    "securitySchemes", Json.parse("{\"token\":{\"oauth2SecurityScheme\":{\"flows\":" + flow + "}}}"));
        }
        if (faults.has("key-in-query")) {
            card = card.with(
                    "securitySchemes",
                    Json.parse("{\"token\":{\"apiKeySecurityScheme\":{\"location\":\"query\",\"name\":\"key\"}}}"));
        }
        card = card.with("capabilities", capabilities);
        card = grpc == null ? card : withGrpc(card, grpc);
        if (faults.has("card.no-description")) {
            card = card.without("description");
        }
        if (faults.has("card.extra-member")) {
            card = card.with("protocolVersion", Json.of("0.3.0"));
        }
        if (faults.has("card.null-member")) {
            card = card.with("iconUrl", Json.Null.NULL);
        }
        if (faults.has("card.bad-signature")) {
            String header = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString("{\"alg\":\"none\",\"kid\":\"k\"}".getBytes(StandardCharsets.UTF_8));
            Json.Obj signature = Json.Obj.builder()
                    .put("protected", header)
                    .put("signature", "AAAA")
                    .build();
            card = card.with("signatures", new Json.Arr(List.of(signature)));
        }
        return card;
    }

    private static Json.Obj withGrpc(Json.Obj card, String address) {
        Json.Obj entry = Json.Obj.builder()
                .put("url", address)
                .put("protocolBinding", "GRPC")
                .put("protocolVersion", "1.0")
                .build();
        List<Json> all = new ArrayList<>(((Json.Arr) Objects.requireNonNull(card.raw("supportedInterfaces"))).items());
        all.add(entry);
        return card.with("supportedInterfaces", new Json.Arr(all));
    }

    /** The card of the mesh dialect. */
    static Json.Obj legacy(URI base) {
        return Json.Obj.builder()
                .put("name", "Echo")
                .put("description", "Repeats what it is told")
                .put("version", "1.0.0")
                .put("url", base + "/")
                .put("protocolVersion", "0.3.0")
                .put("capabilities", Json.parse("{\"streaming\":true,\"pushNotifications\":true}"))
                .build();
    }
}
