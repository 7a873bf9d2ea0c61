package dev.harmovela.testkit.sim;

import dev.harmovela.contract.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One message of a client. Sent again it is the same object, so that its answers can be told apart from those of
 * others.
 */
final class Sent {

    final String id;
    final String type;
    final Json.Obj json;
    /** What is published by it, or null for anything else. */
    final @Nullable Publish publish;

    private final byte[] bytes;

    Sent(String id, String type, Json.Obj json, @Nullable Publish publish) {
        this.id = id;
        this.type = type;
        this.json = json;
        this.publish = publish;
        this.bytes = json.toString().getBytes(StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return bytes;
    }

    /** Whether the hub answers even when it has nothing to refuse (D26). */
    boolean isAnswered() {
        return !isSettlement() && !type.equals("session.ready");
    }

    /** Whether it settles a delivery, well or not. */
    boolean isSettlement() {
        return type.equals("event.acknowledged") || type.equals("event.rejected");
    }

    @Override
    public String toString() {
        return type + " " + id;
    }
}
