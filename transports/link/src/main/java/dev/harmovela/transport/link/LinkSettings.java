package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One link, as it is configured (D36). Holds no secret, only where secrets are found.
 *
 * @param name what people call it; part of the reader group
 * @param kind which broker
 * @param url where the broker is, without a password
 * @param prefix what its names begin with
 * @param tenant whose events pass through it
 * @param mode what it is for
 * @param routing how names are chosen
 * @param speaksFor globs of the identities that may be behind it (D37)
 * @param roles what those may do
 * @param types event types that are exported
 * @param hubs ids of hubs whose exports are imported (D36)
 * @param stream the JetStream stream; null = core NATS
 * @param create whether a missing stream or topic is made
 * @param maxPayloadBytes largest event that is taken from the broker
 * @param credentials {@code user}, {@code password}, {@code token}, … by name; everything but {@code user} and
 *     paths as {@link Secret}
 */
public record LinkSettings(
        String name,
        LinkKind kind,
        String url,
        String prefix,
        String tenant,
        LinkMode mode,
        Routing routing,
        List<String> speaksFor,
        List<String> roles,
        List<String> types,
        List<String> hubs,
        @Nullable String stream,
        boolean create,
        int maxPayloadBytes,
        Map<String, String> credentials) {

    /** What names begin with where a link does not say (D19). */
    public static final String PREFIX = "aep";

    /** Largest event where a link does not say: what every broker takes by default. */
    public static final int MAX_PAYLOAD = 1_000_000;

    public LinkSettings {
        speaksFor = List.copyOf(speaksFor);
        roles = List.copyOf(roles);
        types = List.copyOf(types);
        hubs = List.copyOf(hubs);
        credentials = Map.copyOf(credentials);
    }

    /** Its names. */
    public Names names() {
        return new Names(prefix, kind == LinkKind.KAFKA ? Names.DOTS : Names.EQUALS);
    }

    /** The same link for other identities. */
    public LinkSettings speakingFor(List<String> identities) {
        return new LinkSettings(
                name,
                kind,
                url,
                prefix,
                tenant,
                mode,
                routing,
                identities,
                roles,
                types,
                hubs,
                stream,
                create,
                maxPayloadBytes,
                credentials);
    }

    /** A credential as text, read from where it is kept; null when the link has none of that name. */
    public @Nullable String credential(String credential) throws LinkFailed {
        String reference = credentials.get(credential);
        return reference == null ? null : Secret.read(credential, reference);
    }

    /** As it is written and shown. */
    public Json.Obj toJson() {
        Json.Builder kept = Json.Obj.builder();
        new TreeMap<>(credentials).forEach(kept::put);
        return Json.Obj.builder()
                .put("name", name)
                .put("kind", kind.wire())
                .put("url", url)
                .put("prefix", prefix)
                .put("tenant", tenant)
                .put("mode", mode.wire())
                .put("routing", routing.wire())
                .put("speaks_for", speaksFor)
                .put("roles", roles)
                .put("types", types)
                .put("hubs", hubs)
                .put("stream", stream)
                .put("create", create)
                .put("max_payload_size", maxPayloadBytes)
                .put("credentials", kept.build())
                .build();
    }
}
