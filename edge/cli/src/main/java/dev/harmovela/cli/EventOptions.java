package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Envelope members as options (§1). */
final class EventOptions {

    @Option(
            names = "--source",
            paramLabel = "ID",
            defaultValue = HubCommand.IDENTITY,
            description = "who sends it (default: ${DEFAULT-VALUE})")
    private String source;

    @Option(names = "--id", paramLabel = "ID", description = "its id; the same id twice counts once")
    private @Nullable String id;

    @Option(names = "--target", paramLabel = "ID", description = "who it is for")
    private @Nullable String target;

    @Option(names = "--topic", paramLabel = "NAME", description = "its topic")
    private @Nullable String topic;

    @Option(names = "--conversation-id", paramLabel = "ID", description = "its conversation")
    private @Nullable String conversationId;

    @Option(names = "--correlation-id", paramLabel = "ID", description = "the operation it belongs to")
    private @Nullable String correlationId;

    @Option(names = "--causation-id", paramLabel = "ID", description = "the event that led to it")
    private @Nullable String causationId;

    @Option(names = "--expires-at", paramLabel = "TIME", description = "when it is of no use any more (RFC 3339)")
    private @Nullable String expiresAt;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "best_effort, at_least_once or replayable (default: at_least_once)")
    private @Nullable String mode;

    @Option(names = "--set", paramLabel = "NAME=VALUE", description = "any other envelope member; VALUE may be JSON")
    private Map<String, String> others = new LinkedHashMap<>();

    /** An event of that type and payload with what the options say. */
    Json.Obj event(String type, Json.@Nullable Obj payload) {
        Json.Builder event = Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", id == null ? "evt_" + UUID.randomUUID() : id)
                .put("type", type)
                .put("source", source)
                .put("created_at", Instants.now())
                .put("target", target)
                .put("topic", topic)
                .put("conversation_id", conversationId)
                .put("correlation_id", correlationId)
                .put("causation_id", causationId)
                .put("expires_at", expiresAt);
        if (mode != null) {
            event.put("delivery", Json.Obj.builder().put("mode", mode).build());
        }
        others.forEach((name, value) -> event.put(name, value(value)));
        return event.put("payload", payload == null ? Json.Obj.of() : payload).build();
    }

    private static Json value(String text) {
        try {
            return Json.parse(text);
        } catch (JsonException notJson) {
            return Json.of(text);
        }
    }

    /** Reads a payload; says what is wrong with it and where. */
    static Json.@Nullable Obj payload(@Nullable String text) throws Failure {
        if (text == null) {
            return null;
        }
        try {
            if (Json.parse(text) instanceof Json.Obj object) {
                return object;
            }
            throw Failure.usage("The payload is no JSON object.", "Write it as '{\"name\":\"value\"}'.");
        } catch (JsonException broken) {
            throw Failure.usage(
                    "The payload is no JSON: " + broken.getMessage() + ".", "Write it as '{\"name\":\"value\"}'.");
        }
    }
}
