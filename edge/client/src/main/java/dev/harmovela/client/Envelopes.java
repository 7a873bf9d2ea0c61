package dev.harmovela.client;

import dev.harmovela.contract.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes events of this client. */
final class Envelopes {

    private final ClientOptions options;

    Envelopes(ClientOptions options) {
        this.options = options;
    }

    /** An event with every member that is required. */
    Json.Obj event(String type, Json.Obj payload) {
        return complete(
                Json.Obj.builder().put("type", type).put("payload", payload).build());
    }

    /** Adds what is required and missing; nothing given is changed. */
    Json.Obj complete(Json.Obj given) {
        Json.Obj event = given;
        event = orElse(event, "spec_version", "0.2");
        event = orElse(event, "id", "evt_" + UUID.randomUUID());
        event = orElse(event, "source", options.identity());
        event = orElse(
                event,
                "created_at",
                Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        return event.has("payload") ? event : event.with("payload", Json.Obj.of());
    }

    /**
     * @param sessionId the session to resume, or null for a new one
     * @param formerId a session whose subscriptions a new one takes over, or null
     */
    Json.Obj open(@Nullable String sessionId, @Nullable String formerId) {
        Json.Obj capabilities = capabilities();
        Json.Obj event = event(
                "session.open",
                Json.Obj.builder()
                        .put("session_id", sessionId)
                        .put("resume_session_id", formerId)
                        .put("capabilities", capabilities)
                        .build());
        event = event.with("capabilities", capabilities);
        return sessionId == null ? event : event.with("session_id", new Json.Str(sessionId));
    }

    private Json.Obj capabilities() {
        Json.Builder offered = Json.Obj.builder()
                .put("protocol", "harmovela")
                .put("spec_version", "0.2")
                .put("agent_id", options.identity())
                .put("profiles", options.profiles());
        if (!options.heartbeat().isZero()) {
            offered.put("heartbeat_interval_ms", options.heartbeat().toMillis());
        }
        Json.Obj capabilities = offered.build();
        for (String name : options.capabilities().names()) {
            Json value = options.capabilities().get(name);
            if (value != null) {
                capabilities = capabilities.with(name, value);
            }
        }
        return capabilities;
    }

    private static Json.Obj orElse(Json.Obj event, String name, String value) {
        return event.get(name) == null ? event.with(name, new Json.Str(value)) : event;
    }
}
