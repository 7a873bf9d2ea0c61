package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the deliveries of a fixture by its lines alone (D14): an event with a delivery mode is pending until an
 * acknowledgement or a dead letter names it; a redelivery leaves it pending.
 */
final class DeliveryTracker {

    private enum Outcome {
        PENDING,
        ACKNOWLEDGED,
        DEAD
    }

    private final Map<String, Outcome> tracked = new LinkedHashMap<>();
    private long redelivered;

    /** Counts the lines. */
    static Json.Obj count(List<SentLine> lines) {
        DeliveryTracker tracker = new DeliveryTracker();
        lines.forEach(tracker::take);
        return Json.Obj.builder()
                .put("pending", tracker.number(Outcome.PENDING))
                .put("acknowledged", tracker.number(Outcome.ACKNOWLEDGED))
                .put("deadLettered", tracker.number(Outcome.DEAD))
                .put("redelivered", tracker.redelivered)
                .build();
    }

    private long number(Outcome outcome) {
        return tracked.values().stream().filter(one -> one == outcome).count();
    }

    private void take(SentLine line) {
        Json.Obj event = line.event();
        String type = line.type();
        if (event == null || type == null) {
            return;
        }
        switch (type) {
            case "event.acknowledged" -> settle(event, "acknowledged_event_id", Outcome.ACKNOWLEDGED);
            case "event.dead_lettered" -> settle(event, "original_event_id", Outcome.DEAD);
            case "event.redelivered" -> redelivered++;
            default -> {
                Json.Obj delivery = event.object("delivery");
                if (line.id() != null && delivery != null && delivery.string("mode") != null) {
                    tracked.put(line.id(), Outcome.PENDING);
                }
            }
        }
    }

    private void settle(Json.Obj event, String member, Outcome outcome) {
        Json.Obj payload = event.object("payload");
        String named = payload == null ? null : payload.string(member);
        if (named != null) {
            tracked.replace(named, Outcome.PENDING, outcome);
        }
    }
}
