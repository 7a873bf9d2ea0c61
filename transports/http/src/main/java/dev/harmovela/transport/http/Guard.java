package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is checked of every request before anything is looked up. */
final class Guard {

    /** A request that goes no further. */
    record Refusal(int status, ProtocolError error) {}

    private static final List<String> SECRETS =
            List.of("token", "access_token", "id_token", "api_key", "apikey", "authorization", "bearer", "password");

    private final Authenticator authenticator;
    private final Set<String> origins = new HashSet<>();
    private final Set<String> trustedHosts = new HashSet<>();
    private final boolean onLoopback;

    Guard(HttpConfig config, Authenticator authenticator) {
        this.authenticator = authenticator;
        config.origins().forEach(origin -> origins.add(origin.toLowerCase(Locale.ROOT)));
        config.trustedHosts().forEach(host -> trustedHosts.add(host.toLowerCase(Locale.ROOT)));
        this.onLoopback = isLoopback(config.host());
    }

    /** A credential in an address ends up in logs of all kinds, so it is refused even when it is right (SEC-06). */
    @Nullable Refusal address(Target target) {
        for (String name : target.query().keySet()) {
            if (SECRETS.contains(name.toLowerCase(Locale.ROOT))) {
                return new Refusal(
                        400,
                        ProtocolError.of(
                                ErrorCode.PROTOCOL_ERROR,
                                "credentials are not taken from the address; send an Authorization header"));
            }
        }
        return null;
    }

    /** A page of another site must not use the browser of somebody who can reach the hub. */
    @Nullable Refusal origin(@Nullable String origin, @Nullable String host) {
        if (origin == null || isConfigured(origin) || isOwn(origin, host)) {
            return null;
        }
        return new Refusal(403, ProtocolError.of(ErrorCode.UNAUTHORIZED, "this origin may not use the hub"));
    }

    /** Whether CORS headers are sent to this origin. */
    boolean isConfigured(String origin) {
        return origins.contains(origin.toLowerCase(Locale.ROOT));
    }

    /** Who is behind the request, or null for 401. */
    @Nullable Caller caller(@Nullable String authorization, List<X509Certificate> clientCertificates) {
        return switch (authenticator.authenticate(Authenticator.Credentials.of(authorization, clientCertificates))) {
            case Authenticator.Verdict.Known known -> known.caller();
            case Authenticator.Verdict.Refused _, Authenticator.Verdict.NotMine _ -> null;
        };
    }

    /** Callers that need no credential are only safe while the name they use can not be taken over by a page. */
    @Nullable Refusal host(Caller caller, @Nullable String host) {
        if (caller.trust() == Caller.Trust.VERIFIED || !onLoopback || host == null) {
            return null;
        }
        String name = hostName(host);
        if (isLoopback(name) || trustedHosts.contains(name)) {
            return null;
        }
        return new Refusal(
                403,
                ProtocolError.of(
                        ErrorCode.UNAUTHORIZED,
                        "without credentials this hub answers to loopback names and its trusted hosts only"));
    }

    private static boolean isOwn(String origin, @Nullable String host) {
        if (host == null) {
            return false;
        }
        try {
            URI uri = new URI(origin.toLowerCase(Locale.ROOT));
            String authority = uri.getAuthority();
            return authority != null
                    && authority.equals(host.toLowerCase(Locale.ROOT))
                    && isLoopback(hostName(authority));
        } catch (URISyntaxException opaque) {
            return false;
        }
    }

    /** The name of a {@code host[:port]}, in small letters, without the brackets of an IPv6 address. */
    static String hostName(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        if (lower.startsWith("[")) {
            int end = lower.indexOf(']');
            return end < 0 ? lower : lower.substring(1, end);
        }
        int colon = lower.indexOf(':');
        return colon < 0 ? lower : lower.substring(0, colon);
    }

    static boolean isLoopback(String name) {
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.equals("::1")
                || name.equals("0:0:0:0:0:0:0:1")
                || name.matches("127(\\.\\d{1,3}){3}");
    }
}
