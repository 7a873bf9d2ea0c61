package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a hub on the network who it is: {@code /healthz} may tell a name and a version. */
final class Health {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private Health() {}

    /**
     * Name and version of the hub whose conversations take place at {@code conversations}; unknown when it does not
     * tell.
     */
    static Options.Implementation of(HttpClient client, URI conversations) {
        boolean secure = conversations.getScheme().equals("wss")
                || conversations.getScheme().equals("https");
        try {
            URI health = new URI(secure ? "https" : "http", conversations.getAuthority(), "/healthz", null, null);
            HttpRequest request =
                    HttpRequest.newBuilder(health).timeout(PATIENCE).GET().build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() == 200 && Json.parse(response.body()) instanceof Json.Obj body) {
                String name = body.string("name");
                String version = body.string("version");
                if (name != null) {
                    return new Options.Implementation(name, version == null ? "unknown" : version);
                }
            }
        } catch (IOException | URISyntaxException | JsonException _) {
            return Options.Implementation.UNKNOWN;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return Options.Implementation.UNKNOWN;
    }
}
