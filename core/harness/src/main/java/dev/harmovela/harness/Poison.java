package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventReader;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events that broke a shard; none of them is tried again in this run. Bounded; single owner. */
final class Poison {

    private static final int MOST = 1000;

    private final Set<String> events = new LinkedHashSet<>();

    void add(EventReader.@Nullable Read cause) {
        if (cause instanceof EventReader.Read.Ok ok && events.size() < MOST) {
            events.add(key(ok.event()));
        }
    }

    boolean holds(Event event) {
        return !events.isEmpty() && events.contains(key(event));
    }

    private static String key(Event event) {
        return event.source() + '\n' + event.id();
    }
}
