package dev.harmovela.harness;

import dev.harmovela.dimension.event.Session;
import dev.harmovela.harness.delivery.Feed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The volatile half of a session: its wires, its feeds, when it was last heard. */
final class SessionHandle {

    Session session;
    final Map<Conn, Conn.SessionOutlet> wires = new LinkedHashMap<>();
    final Set<Feed> feeds = new LinkedHashSet<>();
    /** Heartbeats that are answered once every settlement before them is safe. */
    final List<Input> fences = new ArrayList<>();

    long lastSeen;
    long detachedAt;
    long watchedUntil;

    SessionHandle(Session session, long now) {
        this.session = session;
        this.lastSeen = now;
        this.detachedAt = now;
    }

    boolean isAttached() {
        return !wires.isEmpty();
    }

    /** Whether a settlement was taken that is no fact yet. */
    boolean isSettlingLate() {
        return feeds.stream().anyMatch(feed -> feed.settling().isLate());
    }

    void pump() {
        feeds.forEach(Feed::pump);
    }
}
