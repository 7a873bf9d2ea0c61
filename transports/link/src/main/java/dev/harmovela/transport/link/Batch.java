package dev.harmovela.transport.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What became of messages that were read together. On the hub's executor, but for the future. */
final class Batch {

    final CompletableFuture<List<Inbound>> again = new CompletableFuture<>();
    private final List<Inbound> all;
    private final Map<String, Inbound> byEvent = new HashMap<>();
    private final Set<Inbound> retry = new LinkedHashSet<>();
    private int open = 1;

    Batch(List<Inbound> all) {
        this.all = all;
    }

    List<Inbound> all() {
        return all;
    }

    void handed(String eventId, Inbound message) {
        byEvent.put(eventId, message);
    }

    /** The message that holds an event, or null. */
    @Nullable Inbound holding(@Nullable String eventId) {
        return eventId == null ? null : byEvent.get(eventId);
    }

    void retry(Inbound message) {
        retry.add(message);
    }

    /** One more thing has to happen before it is over. */
    void await() {
        open++;
    }

    /** One of them has happened. */
    void reached() {
        open--;
        if (open == 0) {
            List<Inbound> left = new ArrayList<>();
            for (Inbound message : all) {
                if (retry.contains(message)) {
                    left.add(message);
                }
            }
            again.complete(left);
        }
    }
}
