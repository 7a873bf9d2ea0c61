package dev.harmovela.harness;

import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Allowance;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.spi.Caller;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The volatile half of a session: its wires, its feeds, when it was last heard. */
final class SessionHandle {

    private static final String DECLARED = "authorized_actions";

    Session session;
    final Map<Conn, Conn.SessionOutlet> wires = new LinkedHashMap<>();
    final Set<Feed> feeds = new LinkedHashSet<>();
    /** Heartbeats that are answered once every settlement before them is safe. */
    final List<Input> fences = new ArrayList<>();

    long lastSeen;
    long detachedAt;
    long watchedUntil;

    /** Who opened it, known in conformance spaces only, which end with the run. */
    @Nullable Caller opener;

    private @Nullable Rights narrowedFrom;
    private @Nullable Rights narrowed;
    private Json.@Nullable Obj bounds;
    private @Nullable Allowance allowance;

    SessionHandle(Session session, long now) {
        this.session = session;
        this.lastSeen = now;
        this.detachedAt = now;
    }

    /** What a session declared to do at the most, null when it declared nothing (D35). */
    static @Nullable List<String> declared(Session session) {
        return session.capabilities().has(DECLARED) ? session.capabilities().strings(DECLARED) : null;
    }

    /** What a credential grants as far as this session declared it (D35). */
    Rights rights(Rights granted) {
        List<String> declared = declared(session);
        if (declared == null) {
            return granted;
        }
        if (granted != narrowedFrom) {
            narrowedFrom = granted;
            narrowed = granted.narrowedTo(declared);
        }
        return Objects.requireNonNull(narrowed);
    }

    /** What the session declared of its own bounds where they are enforced (§11), else empty. */
    Json.Obj bounds() {
        Json.Obj known = bounds;
        if (known == null) {
            Json.Obj agreed = session.capabilities();
            known = agreed.strings("profiles").contains(Profiles.ADAPTATION) ? agreed : Json.Obj.of();
            bounds = known;
            allowance = Allowance.of(known);
        }
        return known;
    }

    /** What of that bounds its actions, null when nothing does. */
    @Nullable Allowance allowance() {
        bounds();
        return allowance;
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
