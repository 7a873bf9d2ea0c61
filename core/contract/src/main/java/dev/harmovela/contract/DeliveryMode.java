package dev.harmovela.contract;

import org.jspecify.annotations.Nullable;

/** What is promised about the delivery of an event, weakest first (§6). */
public enum DeliveryMode {
    /** At most once, not stored. */
    BEST_EFFORT("best_effort"),
    /** Stored before it is acknowledged to its publisher, delivered until acknowledged. */
    AT_LEAST_ONCE("at_least_once"),
    /** As {@link #AT_LEAST_ONCE}, and kept for replaying from a cursor. */
    REPLAYABLE("replayable");

    private final String wire;

    DeliveryMode(String wire) {
        this.wire = wire;
    }

    /** The name in envelopes. */
    public String wire() {
        return wire;
    }

    /** The mode of that wire name, or null. */
    public static @Nullable DeliveryMode of(String wire) {
        for (DeliveryMode mode : values()) {
            if (mode.wire.equals(wire)) {
                return mode;
            }
        }
        return null;
    }

    /** The mode that promises less of the two (D21). */
    public DeliveryMode weaker(DeliveryMode other) {
        return compareTo(other) <= 0 ? this : other;
    }
}
