package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.AddressGuard;
import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.Credentials;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.Secrets;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Logs in as the card asks. Credentials go to the host that was named on the command line and to no other: a card must
 * not carry them elsewhere.
 */
public final class Login {

    private final String host;
    private final Credentials credentials;
    private final Map<String, String> headers;
    private final @Nullable String query;
    private final @Nullable String trouble;

    private Login(String host, Credentials credentials, Json.@Nullable Obj key, @Nullable String trouble) {
        this.host = host;
        this.credentials = credentials;
        this.trouble = trouble;
        Map<String, String> all = new LinkedHashMap<>(credentials.asHeaders());
        Credentials.Named named = credentials.apiKey();
        String location = key == null ? null : key.string("location");
        String asQuery = null;
        if (named != null && location != null && !location.equals("header")) {
            all.remove(named.name());
            String pair = encoded(named.name()) + "=" + encoded(named.value());
            if (location.equals("query")) {
                asQuery = pair;
            } else {
                all.put("Cookie", pair);
            }
        }
        headers = Map.copyOf(all);
        query = asQuery;
    }

    /** Before a card is known: what was given, as headers. */
    public static Login first(URI endpoint, Credentials credentials) {
        return new Login(AddressGuard.host(endpoint), credentials, null, null);
    }

    /** Once the card is known: keys go where it says, and a token is fetched where it says. */
    public static Login at(URI endpoint, Credentials credentials, Json.Obj card, Client client, Secrets secrets) {
        Map<String, Json.Obj> schemes = schemes(card);
        Credentials all = credentials;
        String trouble = null;
        if (credentials.client() != null && credentials.bearer() == null) {
            try {
                String token = token(credentials.client(), tokenUrl(schemes), client);
                secrets.add(token);
                all = credentials.withBearer(token);
            } catch (WireException failed) {
                trouble = "no token could be fetched: " + failed.getMessage();
            }
        }
        String host = AddressGuard.host(endpoint);
        return new Login(
                host, all, schemes.get("apiKeySecurityScheme"), trouble == null ? missing(schemes, all) : trouble);
    }

    /** Why logging in may not work; null when nothing speaks against it. */
    public @Nullable String trouble() {
        return trouble;
    }

    /** Whether there is anything to log in with. */
    boolean any() {
        return credentials.any();
    }

    /** The request with the credentials on it. */
    public Request sign(Request request) {
        if (!AddressGuard.host(request.uri()).equalsIgnoreCase(host)) {
            return request;
        }
        Request signed = request.with(headers);
        return query == null ? signed : signed.asking(query);
    }

    /** The request as somebody else would send it who is not known. */
    Request forge(Request request) {
        Map<String, String> wrong = new LinkedHashMap<>();
        headers.keySet()
                .forEach(name -> wrong.put(
                        name,
                        name.equalsIgnoreCase("Authorization") ? "Bearer nobody-knows-this" : "nobody-knows-this"));
        return request.with(wrong.isEmpty() ? Map.of("Authorization", "Bearer nobody-knows-this") : wrong);
    }

    private static Map<String, Json.Obj> schemes(Json.Obj card) {
        Map<String, Json.Obj> found = new LinkedHashMap<>();
        Json.Obj named = card.object("securitySchemes");
        if (named != null) {
            named.forEach((name, value) -> {
                if (value instanceof Json.Obj scheme) {
                    scheme.forEach((kind, content) ->
                            found.putIfAbsent(kind, content instanceof Json.Obj one ? one : Json.Obj.of()));
                }
            });
        }
        return found;
    }

    private static @Nullable URI tokenUrl(Map<String, Json.Obj> schemes) {
        Json.Obj oauth = schemes.get("oauth2SecurityScheme");
        Json.Obj flows = oauth == null ? null : oauth.object("flows");
        Json.Obj flow = flows == null ? null : flows.object("clientCredentials");
        String url = flow == null ? null : flow.string("tokenUrl");
        try {
            return url == null ? null : URI.create(url);
        } catch (IllegalArgumentException notAnAddress) {
            return null;
        }
    }

    private static String token(Credentials.Named who, @Nullable URI at, Client client) throws WireException {
        if (at == null) {
            throw new WireException(
                    WireException.Kind.BROKEN, "the card names no token address for client credentials");
        }
        if (!"https".equals(at.getScheme()) && !AddressGuard.isLoopback(at)) {
            throw new WireException(WireException.Kind.FORBIDDEN, "a client secret is sent over https only");
        }
        String form = "grant_type=client_credentials&client_id=" + encoded(who.name()) + "&client_secret="
                + encoded(who.value());
        Answer answer = client.send(new Request(
                "POST",
                at,
                Map.of("Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json"),
                form));
        Json.Obj body = answer.object();
        String token = body == null ? null : body.string("access_token");
        if (answer.status() != 200 || token == null) {
            throw new WireException(WireException.Kind.BROKEN, "the token address answers HTTP " + answer.status());
        }
        return token;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** What the card asks for and was not given. */
    private static @Nullable String missing(Map<String, Json.Obj> schemes, Credentials given) {
        if (given.any() || schemes.isEmpty()) {
            return null;
        }
        List<String> ways = new ArrayList<>();
        for (Map.Entry<String, Json.Obj> each : schemes.entrySet()) {
            ways.add(
                    switch (each.getKey()) {
                        case "apiKeySecurityScheme" ->
                            "--api-key " + each.getValue().string("name") + ":VALUE";
                        case "httpAuthSecurityScheme" -> http(each.getValue());
                        case "oauth2SecurityScheme" -> "--client-id with --client-secret-file, or --bearer-token";
                        case "mtlsSecurityScheme" -> "--client-cert with --client-key";
                        default -> "--bearer-token";
                    });
        }
        return "the card names ways to log in and none was used: " + String.join(", or ", ways);
    }

    private static String http(Json.Obj scheme) {
        String name = String.valueOf(scheme.string("scheme")).toLowerCase(Locale.ROOT);
        return name.equals("bearer") ? "--bearer-token" : "--header \"Authorization:" + name + " …\"";
    }
}
