package dev.harmovela.dimension.interruption;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What can be said about an interruption: the {@code interruption.*} events. */
enum InterruptionEvent {
    REQUESTED,
    ACKNOWLEDGED,
    SAVED,
    RESUMED,
    CANCELLED;

    /** The event of that type, null when there is none. */
    static @Nullable InterruptionEvent of(String type) {
        for (InterruptionEvent event : values()) {
            if (event.toString().equals(type)) {
                return event;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return "interruption." + name().toLowerCase(Locale.ROOT);
    }
}
