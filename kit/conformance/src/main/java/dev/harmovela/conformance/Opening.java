package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The handshake of a conformance session over the network (D24). */
final class Opening {

    private static final String FEATURE = "conformance";

    private Opening() {}

    /** The {@code session.open} that asks for such a session. */
    static String request() {
        Json.Obj capabilities = Json.Obj.builder()
                .put("protocol", "harmovela")
                .put("spec_version", "0.2")
                .put("profiles", List.of("harmovela.core.v1", "harmovela.delivery.v1"))
                .put("features", List.of(FEATURE))
                .build();
        return own("session.open")
                .put("capabilities", capabilities)
                .put(
                        "payload",
                        Json.Obj.builder().put("capabilities", capabilities).build())
                .build()
                .toString();
    }

    /** The {@code session.ready} that accepts what was agreed. */
    static String ready(String sessionId) {
        return own("session.ready")
                .put("session_id", sessionId)
                .put("payload", Json.Obj.builder().put("session_id", sessionId).build())
                .build()
                .toString();
    }

    /** The {@code capabilities.requested} that asks a target what it is; {@code sessionId} null where it needs none. */
    static String question(@Nullable String sessionId) {
        return own("capabilities.requested")
                .put("session_id", sessionId)
                .put("payload", Json.Obj.of())
                .build()
                .toString();
    }

    private static Json.Builder own(String type) {
        return Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", "evt_conformance_" + UUID.randomUUID())
                .put("type", type)
                .put("source", "agent:conformance")
                .put("created_at", Instant.now().toString());
    }

    /** The session that an answer to the opening grants; {@link NotGrantedException} when it grants none. */
    static String granted(String answer) {
        Json.Obj event;
        try {
            event = Json.parse(answer) instanceof Json.Obj o ? o : Json.Obj.of();
        } catch (JsonException e) {
            throw new NotGrantedException("the opening was answered by what is no JSON: " + e.reason());
        }
        Json.Obj payload = event.object("payload");
        Json.Obj inner = payload == null ? Json.Obj.of() : payload;
        if (!Wire.type(event).equals("session.opened")) {
            String message = Wire.error(event).string("message");
            throw new NotGrantedException("the opening was answered by " + Wire.type(event) + " " + Wire.code(event)
                    + (message == null ? "" : ": " + message));
        }
        boolean feature = features(event).contains(FEATURE) || features(inner).contains(FEATURE);
        String id = event.string("session_id") == null ? inner.string("session_id") : event.string("session_id");
        if (!feature || id == null) {
            throw new NotGrantedException("the target opens no conformance session for this caller"
                    + " (a hub does under serve --dev and for identities that hold conformance.run)");
        }
        return id;
    }

    private static List<String> features(Json.Obj holder) {
        Json.Obj capabilities = holder.object("capabilities");
        return capabilities == null ? List.of() : capabilities.strings("features");
    }
}
