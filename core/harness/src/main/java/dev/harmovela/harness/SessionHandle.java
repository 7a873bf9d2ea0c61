package dev.harmovela.harness;

import dev.harmovela.dimension.event.Session;
import dev.harmovela.harness.delivery.Feed;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The volatile half of a session: its wires, its feeds, when it was last heard. */
final class SessionHandle {

    Session session;
    final Map<Conn, Conn.SessionOutlet> wires = new LinkedHashMap<>();
    final Set<Feed> feeds = new LinkedHashSet<>();
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

    void pump() {
        feeds.forEach(Feed::pump);
    }
}
