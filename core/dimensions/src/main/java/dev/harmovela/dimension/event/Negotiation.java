package dev.harmovela.dimension.event;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Works out what a session agrees on from what a client asks for and what the hub offers (§3, D1, D27). Pure. */
public final class Negotiation {

    /** The protocol version this hub speaks. */
    public static final String VERSION = "0.2";

    private static final List<String> KEPT =
            List.of("agent_id", "agent_card", "pools", "authorized_actions", "replay_window_ms");

    private Negotiation() {}

    /** What comes out. */
    public sealed interface Outcome {
        /** The session may open with these capabilities. */
        record Agreed(Json.Obj capabilities) implements Outcome {}

        /** The session may not open; answered with {@code session.error}. */
        record Refused(ProtocolError error) implements Outcome {}
    }

    /** Negotiates; {@code asked} is the {@code capabilities} object of the opening event, empty when it had none. */
    public static Outcome negotiate(Json.Obj asked, HubOffer hub, @Nullable String version) {
        ProtocolError refused = checkVersion(asked, version);
        if (refused != null) {
            return new Outcome.Refused(refused);
        }
        Profiles.Negotiation profiles =
                Profiles.negotiate(asked.strings("profiles"), asked.strings("required_profiles"), hub.profiles());
        if (!profiles.missingRequired().isEmpty()) {
            return new Outcome.Refused(ProtocolError.of(
                            ErrorCode.UNSUPPORTED_PROFILE, "a required profile is not available in this session")
                    .with("required", array(profiles.missingRequired())));
        }
        PolicySurface.Result policy = PolicySurface.stricter(asked, hub.policy());
        if (policy.error() != null) {
            return new Outcome.Refused(policy.error());
        }
        return new Outcome.Agreed(agreed(asked, hub, profiles.agreed(), policy.policy()));
    }

    private static Json.Obj agreed(Json.Obj asked, HubOffer hub, Set<String> profiles, Json.Obj policy) {
        Set<String> features = new LinkedHashSet<>(asked.strings("features"));
        features.retainAll(hub.features());
        Json.Builder out = Json.Obj.builder()
                .put("protocol", "harmovela")
                .put("spec_version", VERSION)
                .put("profiles", List.copyOf(profiles))
                .put("transports", hub.transports())
                .put("delivery_modes", modes(asked))
                .put("features", List.copyOf(features))
                .put("max_payload_size", maxPayload(asked, hub))
                .put("heartbeat_interval_ms", heartbeat(asked, hub))
                .put(
                        "auth",
                        Json.Obj.builder()
                                .put("required", hub.authRequired())
                                .put("scopes", hub.scopes())
                                .build());
        for (String name : KEPT) {
            out.put(name, asked.get(name));
        }
        for (String name : policy.names()) {
            out.put(name, policy.get(name));
        }
        return out.build();
    }

    private static @Nullable ProtocolError checkVersion(Json.Obj asked, @Nullable String version) {
        List<String> offered = new ArrayList<>(asked.strings("spec_version"));
        offered.addAll(asked.strings("aep_version"));
        if (version != null) {
            offered.add(version);
        }
        return offered.isEmpty() || offered.contains(VERSION)
                ? null
                : ProtocolError.unsupportedVersion(offered.get(0), List.of(VERSION));
    }

    private static List<String> modes(Json.Obj asked) {
        List<String> all =
                Arrays.stream(DeliveryMode.values()).map(DeliveryMode::wire).toList();
        Json.Obj delivery = asked.object("delivery");
        List<String> wanted = asked.strings("delivery_modes");
        if (wanted.isEmpty() && delivery != null) {
            wanted = delivery.strings("modes");
        }
        if (wanted.isEmpty()) {
            return all;
        }
        List<String> common = all.stream().filter(wanted::contains).toList();
        return common.isEmpty() ? List.of(DeliveryMode.BEST_EFFORT.wire()) : common;
    }

    private static long maxPayload(Json.Obj asked, HubOffer hub) {
        Long wanted = asked.integer("max_payload_size");
        return wanted == null || wanted <= 0 ? hub.maxPayloadBytes() : Math.min(wanted, hub.maxPayloadBytes());
    }

    private static long heartbeat(Json.Obj asked, HubOffer hub) {
        Long wanted = asked.integer("heartbeat_interval_ms");
        if (wanted == null) {
            Json.Obj timeouts = asked.object("timeouts");
            wanted = timeouts == null ? null : timeouts.integer("heartbeat_interval_ms");
        }
        return wanted == null || wanted <= 0
                ? 0
                : Math.clamp(wanted, hub.minHeartbeatMillis(), hub.maxHeartbeatMillis());
    }

    private static Json array(List<String> values) {
        return new Json.Arr(values.stream().<Json>map(Json.Str::new).toList());
    }
}
