package dev.harmovela.client;

import dev.harmovela.contract.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A subscription that outlives connections. Safe from any thread. */
public final class Subscription {

    private final HarmovelaClient client;
    private final Json.Obj filter;
    private final DeliveryHandler handler;
    /** Cursors of deliveries by event id, in order; acknowledged ones leave from the front only. */
    private final Map<String, Position> open = new LinkedHashMap<>();

    private @Nullable String floor;
    private volatile Json.Obj created = Json.Obj.of();

    private static final class Position {
        private final String cursor;
        private boolean settled;

        private Position(String cursor) {
            this.cursor = cursor;
        }
    }

    Subscription(HarmovelaClient client, Json.Obj filter, DeliveryHandler handler) {
        this.client = client;
        this.filter = filter;
        this.handler = handler;
    }

    /** The hub's name for it; another one after a session that could not be resumed. */
    public String id() {
        String id = created.string("subscription_id");
        return id == null ? "" : id;
    }

    /** The hub's {@code subscription.created} payload: effective mode, cursor, expiry. */
    public Json.Obj created() {
        return created;
    }

    /** Ends it. */
    public CompletableFuture<Json.Obj> cancel() {
        return client.cancel(this);
    }

    DeliveryHandler handler() {
        return handler;
    }

    void created(Json.Obj payload) {
        created = payload;
    }

    /** The filter as first asked, or from where everything is settled so far. */
    synchronized Json.Obj filterToGoOn() {
        open.clear();
        return floor == null ? filter : filter.with("from_cursor", new Json.Str(floor));
    }

    synchronized void delivered(Delivery delivery) {
        String cursor = delivery.cursor();
        if (cursor != null) {
            open.putIfAbsent(delivery.id(), new Position(cursor));
        }
    }

    synchronized void settled(Delivery delivery) {
        Position position = open.get(delivery.id());
        if (position == null) {
            return;
        }
        position.settled = true;
        var positions = open.values().iterator();
        while (positions.hasNext()) {
            Position first = positions.next();
            if (!first.settled) {
                return;
            }
            floor = first.cursor;
            positions.remove();
        }
    }
}
