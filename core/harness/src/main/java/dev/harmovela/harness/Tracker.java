package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the deliveries that the lines of a fixture speak of (D14). One implied session, bounded by its space. */
final class Tracker {

    private static final int MOST = 100_000;

    private enum Fate {
        PENDING,
        ACKNOWLEDGED,
        DEAD_LETTERED
    }

    private final Map<String, Fate> fates = new LinkedHashMap<>();
    private long redelivered;

    void inbound(Event event) {
        switch (event.type().name()) {
            case "event.acknowledged" -> end(event.settles().eventId(), Fate.ACKNOWLEDGED);
            case "event.dead_lettered" -> end(event.payload().string("original_event_id"), Fate.DEAD_LETTERED);
            case "event.redelivered" -> redelivered++;
            default -> {
                if (event.delivery().mode() != null && fates.size() < MOST) {
                    fates.putIfAbsent(event.id(), Fate.PENDING);
                }
            }
        }
    }

    private void end(@Nullable String eventId, Fate fate) {
        if (eventId != null) {
            fates.replace(eventId, Fate.PENDING, fate);
        }
    }

    /** The statistics under the names of D33, as far as lines can tell. */
    Json.Obj stats() {
        long pending = count(Fate.PENDING);
        long acknowledged = count(Fate.ACKNOWLEDGED);
        long dead = count(Fate.DEAD_LETTERED);
        Json.Obj deliveries = Json.Obj.builder()
                .put("total", (long) fates.size())
                .put("pending", pending)
                .put("in_flight", pending)
                .put("acknowledged", acknowledged)
                .put("deadLettered", dead)
                .put("redelivered", redelivered)
                .build();
        return Json.Obj.builder()
                .put("pending", pending)
                .put("acknowledged", acknowledged)
                .put("deadLettered", dead)
                .put("redelivered", redelivered)
                .put("deliveries", deliveries)
                .build();
    }

    private long count(Fate fate) {
        return fates.values().stream().filter(one -> one == fate).count();
    }
}
