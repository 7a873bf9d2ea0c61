package dev.harmovela.runtime.cases;

import dev.harmovela.contract.json.Json;
import java.time.Instant;
import java.util.UUID;

/** Writes events. */
final class Events {

    private Events() {}

    /** An event of which only some members are given, as the inside of a JSON object. */
    static Json.Obj of(String type, String source, String members) {
        Json.Obj given = (Json.Obj) Json.parse("{" + members + "}");
        Json.Builder event = Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", given.string("id") == null ? "evt_" + UUID.randomUUID() : given.string("id"))
                .put("type", type)
                .put("source", source)
                .put("created_at", Instant.now().toString());
        given.forEach((name, value) -> {
            if (!name.equals("id")) {
                event.put(name, value);
            }
        });
        if (!given.has("payload")) {
            event.put("payload", Json.Obj.of());
        }
        return event.build();
    }

    static Json.Obj ack(String source, Json.Obj delivery) {
        Json.Obj block = delivery.object("delivery");
        String subscription = block == null ? null : block.string("subscription_id");
        return of("event.acknowledged", source, "")
                .with(
                        "payload",
                        Json.Obj.builder()
                                .put("acknowledged_event_id", delivery.string("id"))
                                .put("subscription_id", subscription)
                                .build());
    }

    static Json.Obj nack(String source, Json.Obj delivery, String code) {
        return of("event.rejected", source, "")
                .with(
                        "payload",
                        Json.Obj.builder()
                                .put("acknowledged_event_id", delivery.string("id"))
                                .put(
                                        "error",
                                        Json.Obj.builder()
                                                .put("code", code)
                                                .put("message", "no")
                                                .build())
                                .build());
    }
}
