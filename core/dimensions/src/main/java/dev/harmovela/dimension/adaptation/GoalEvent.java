package dev.harmovela.dimension.adaptation;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What can be said about a goal: the {@code adaptation.goal.*} events. */
enum GoalEvent {
    CREATED,
    UPDATED,
    BLOCKED,
    ACHIEVED,
    ABANDONED;

    /** The event of that type, null when there is none. */
    static @Nullable GoalEvent of(String type) {
        for (GoalEvent event : values()) {
            if (event.toString().equals(type)) {
                return event;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return "adaptation.goal." + name().toLowerCase(Locale.ROOT);
    }
}
