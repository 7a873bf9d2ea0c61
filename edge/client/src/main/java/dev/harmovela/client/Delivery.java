package dev.harmovela.client;

import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One event for one subscription (§6). Safe from any thread. */
public final class Delivery {

    private final HarmovelaClient client;
    private final Json.Obj event;
    private final Json.Obj block;
    private final AtomicBoolean settled = new AtomicBoolean();
    private volatile boolean deferred;

    Delivery(HarmovelaClient client, Json.Obj event, Json.Obj block) {
        this.client = client;
        this.event = event;
        this.block = block;
    }

    /** The whole event. */
    public Json.Obj event() {
        return event;
    }

    /** The event's id, the same for every attempt. */
    public String id() {
        String id = event.string("id");
        return id == null ? "" : id;
    }

    /** The event's type. */
    public String type() {
        String type = event.string("type");
        return type == null ? "" : type;
    }

    /** The event's payload; empty when it has none. */
    public Json.Obj payload() {
        Json.Obj payload = event.object("payload");
        return payload == null ? Json.Obj.of() : payload;
    }

    /** The subscription it is for; {@code inbox:<identity>} for what is addressed to the client itself. */
    public String subscriptionId() {
        String id = block.string("subscription_id");
        return id == null ? "" : id;
    }

    /** Its number within the subscription, or 0 for a best-effort copy. */
    public long sequence() {
        Long sequence = block.integer("sequence");
        return sequence == null ? 0 : sequence;
    }

    /** Its position, to come back to; null for a best-effort copy. */
    public @Nullable String cursor() {
        return block.string("cursor");
    }

    /** 1 for the first attempt. */
    public int attempt() {
        Long attempt = block.integer("attempt");
        return attempt == null ? 1 : attempt.intValue();
    }

    /** Says that it is done with. Lost with the connection: then it is delivered again. */
    public void ack() {
        if (settled.compareAndSet(false, true)) {
            client.acknowledge(this);
        }
    }

    /** Says that it can not be handled; whether it is tried again is decided by the error. */
    public void reject(ProtocolError error) {
        if (settled.compareAndSet(false, true)) {
            client.reject(this, error);
        }
    }

    /** Keeps it unsettled when the handler returns; {@link #ack()} or {@link #reject} must follow. */
    public void defer() {
        deferred = true;
    }

    boolean isOpen() {
        return !settled.get() && !deferred;
    }
}
