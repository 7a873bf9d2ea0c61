package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Looks at the address before anything else is touched, and finds out who has it (CLI-03). */
final class PortCheck {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private PortCheck() {}

    static void requireFree(DaemonConfig.Listen listen) throws StartFailed {
        if (listen.port() == 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(listen.host()), listen.port()));
        } catch (IOException taken) {
            throw taken(listen, taken);
        }
    }

    static StartFailed taken(DaemonConfig.Listen listen, Throwable cause) {
        String place = listen.host() + ":" + listen.port();
        String who = whoIs(listen);
        if (who != null) {
            return new StartFailed(
                    StartFailed.Reason.PORT_TAKEN,
                    "Port " + listen.port() + " of " + listen.host() + " is taken by " + who + ".",
                    "Use that one, stop it, or choose another: --port, HARMOVELA_PORT or port in the configuration.",
                    cause);
        }
        return new StartFailed(
                StartFailed.Reason.PORT_TAKEN,
                "The hub cannot listen on " + place + ": " + cause.getMessage() + ".",
                "Choose another port with --port, HARMOVELA_PORT or port in the configuration.",
                cause);
    }

    /** Who answers there, if it is a hub. */
    private static @Nullable String whoIs(DaemonConfig.Listen listen) {
        String host = listen.host().contains(":") ? "[" + listen.host() + "]" : listen.host();
        URI address = URI.create("http://" + host + ":" + listen.port() + "/healthz");
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpRequest request =
                    HttpRequest.newBuilder(address).timeout(PATIENCE).GET().build();
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (Json.parse(response.body()) instanceof Json.Obj body && "harmovela".equals(body.string("name"))) {
                return "another hub (version " + body.string("version") + ", process " + body.integer("pid") + ")";
            }
        } catch (IOException | JsonException notAHub) {
            return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return null;
    }
}
