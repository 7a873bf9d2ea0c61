package dev.harmovela.conformance.a2a.check;

import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a card's {@code supportedInterfaces}.
 *
 * @param url as the card has it; of a {@code GRPC} entry host and port alone
 * @param binding {@code JSONRPC}, {@code HTTP+JSON}, {@code GRPC} or a URI
 * @param version {@code Major.Minor}
 * @param tenant to be copied into every request, or null
 */
record AgentInterface(
        String url,
        String binding,
        String version,
        @Nullable String tenant) {

    static final String JSONRPC = "JSONRPC";
    static final String REST = "HTTP+JSON";
    static final String GRPC = "GRPC";

    /** The entries that can be read, in the order of the card. */
    static List<AgentInterface> of(Json.@Nullable Obj card) {
        List<AgentInterface> found = new ArrayList<>();
        Json.Arr entries = card == null ? null : card.array("supportedInterfaces");
        if (entries != null) {
            for (Json each : entries.items()) {
                AgentInterface entry = each instanceof Json.Obj object ? read(object) : null;
                if (entry != null) {
                    found.add(entry);
                }
            }
        }
        return found;
    }

    private static @Nullable AgentInterface read(Json.Obj entry) {
        String url = entry.string("url");
        String binding = entry.string("protocolBinding");
        String version = entry.string("protocolVersion");
        if (url == null || binding == null || version == null) {
            return null;
        }
        String tenant = entry.string("tenant");
        return new AgentInterface(url, binding, version, tenant == null || tenant.isEmpty() ? null : tenant);
    }

    /** The address; null when it is no absolute one. That of a gRPC entry gets a scheme. */
    @Nullable URI uri() {
        try {
            URI uri = new URI(binding.equals(GRPC) ? withScheme(url) : url);
            return uri.isAbsolute() && uri.getHost() != null ? uri : null;
        } catch (URISyntaxException notAnAddress) {
            return null;
        }
    }

    /** Host and port say nothing of encryption: the port of https does. */
    private static String withScheme(String authority) {
        String bare = authority.replaceFirst("^[a-z]+:/*", "");
        boolean encrypted = authority.startsWith("https:") || bare.endsWith(":443");
        return (encrypted ? "grpcs://" : "grpc://") + (authority.matches("^(https?|grpcs?|dns):.*") ? bare : authority);
    }

    /** Whether it speaks that version, patch digits aside. */
    boolean speaks(String majorMinor) {
        return version.equals(majorMinor) || version.startsWith(majorMinor + ".");
    }

    /** For messages. */
    String label() {
        return binding + (tenant == null ? "" : " (tenant " + tenant + ")");
    }
}
