package dev.harmovela.client;

import dev.harmovela.contract.json.Json;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a client presents itself and how patient it is.
 *
 * @param identity who it is, {@code agent:name}; the source of what it sends
 * @param token bearer token, or null on a hub that needs none; never printed
 * @param profiles profiles it offers (§3)
 * @param capabilities further members of {@code capabilities}
 * @param heartbeat interval it proposes; zero proposes none
 * @param timeout for the connection and for the handshake; where no heartbeat was agreed also the interval at which a
 *     silent hub is pinged
 * @param window events that may be unanswered at the same time
 * @param backoff waits between attempts to come back
 * @param tls whom it believes and what it proves itself with over TLS; null for what the platform believes
 */
public record ClientOptions(
        String identity,
        @Nullable String token,
        List<String> profiles,
        Json.Obj capabilities,
        Duration heartbeat,
        Duration timeout,
        int window,
        Backoff backoff,
        @Nullable SSLContext tls) {

    /** Checks ranges and copies the list. */
    public ClientOptions {
        if (window < 1) {
            throw new IllegalArgumentException("the window lets at least one event through");
        }
        profiles = List.copyOf(profiles);
    }

    /** What fits most agents: core and delivery, a heartbeat every 15 s, 1024 unanswered events. */
    public static ClientOptions of(String identity) {
        return new ClientOptions(
                identity,
                null,
                List.of("harmovela.core.v1", "harmovela.delivery.v1"),
                Json.Obj.of(),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                1024,
                Backoff.DEFAULT,
                null);
    }

    /** The same with a bearer token. */
    public ClientOptions withToken(@Nullable String other) {
        return new ClientOptions(identity, other, profiles, capabilities, heartbeat, timeout, window, backoff, tls);
    }

    /** The same with other profiles. */
    public ClientOptions withProfiles(List<String> other) {
        return new ClientOptions(identity, token, other, capabilities, heartbeat, timeout, window, backoff, tls);
    }

    /** The same with further capabilities. */
    public ClientOptions withCapabilities(Json.Obj other) {
        return new ClientOptions(identity, token, profiles, other, heartbeat, timeout, window, backoff, tls);
    }

    /** The same with another heartbeat interval. */
    public ClientOptions withHeartbeat(Duration other) {
        return new ClientOptions(identity, token, profiles, capabilities, other, timeout, window, backoff, tls);
    }

    /** The same with another patience. */
    public ClientOptions withTimeout(Duration other) {
        return new ClientOptions(identity, token, profiles, capabilities, heartbeat, other, window, backoff, tls);
    }

    /** The same with another window. */
    public ClientOptions withWindow(int other) {
        return new ClientOptions(identity, token, profiles, capabilities, heartbeat, timeout, other, backoff, tls);
    }

    /** The same with other waits. */
    public ClientOptions withBackoff(Backoff other) {
        return new ClientOptions(identity, token, profiles, capabilities, heartbeat, timeout, window, other, tls);
    }

    /** The same with other authorities or a certificate of its own. */
    public ClientOptions withTls(@Nullable SSLContext other) {
        return new ClientOptions(identity, token, profiles, capabilities, heartbeat, timeout, window, backoff, other);
    }

    @Override
    public String toString() {
        return "ClientOptions[identity=" + identity + ", token=" + (token == null ? "none" : "***") + "]";
    }
}
