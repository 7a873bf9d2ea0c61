package dev.harmovela.a2a;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Names an agent in the {@code tenant} of a request, for the binding whose address has no path. Clients copy it from
 * the card; it routes and gives no right.
 */
final class RouteToken {

    private static final String PREFIX = "route.";

    private RouteToken() {}

    static String of(String agent) {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(agent.getBytes(StandardCharsets.UTF_8));
    }

    /** The agent, or null when the text is the name of a tenant. */
    static @Nullable String agent(@Nullable String tenant) {
        if (tenant == null || !tenant.startsWith(PREFIX)) {
            return null;
        }
        try {
            byte[] name = Base64.getUrlDecoder().decode(tenant.substring(PREFIX.length()));
            String agent = new String(name, StandardCharsets.UTF_8);
            return agent.startsWith("agent:") ? agent : null;
        } catch (IllegalArgumentException notOurs) {
            return null;
        }
    }
}
