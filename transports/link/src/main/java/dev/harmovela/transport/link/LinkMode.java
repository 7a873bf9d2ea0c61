package dev.harmovela.transport.link;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a link is for. */
public enum LinkMode {
    /** Agents on the broker speak with the hub, both ways, in sessions of their own. */
    TRANSPORT,
    /** Events of the hub are copied to the broker. */
    EXPORT,
    /** Events on the broker are published to the hub. */
    IMPORT;

    /** As it is written. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it reads from the broker. */
    public boolean reads() {
        return this != EXPORT;
    }

    /** The mode of that name, or null. */
    public static @Nullable LinkMode ofWire(String wire) {
        for (LinkMode mode : values()) {
            if (mode.wire().equals(wire)) {
                return mode;
            }
        }
        return null;
    }
}
