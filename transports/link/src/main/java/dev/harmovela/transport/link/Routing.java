package dev.harmovela.transport.link;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the name of a subject, topic or key is chosen (D36). */
public enum Routing {
    /** Everything on {@code <prefix>.events}. */
    SINGLE,
    /** A name for each event, by what it is. */
    MAPPED;

    /** As it is written. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The routing of that name, or null. */
    public static @Nullable Routing ofWire(String wire) {
        for (Routing routing : values()) {
            if (routing.wire().equals(wire)) {
                return routing;
            }
        }
        return null;
    }
}
