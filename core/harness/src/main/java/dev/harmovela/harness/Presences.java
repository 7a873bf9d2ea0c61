package dev.harmovela.harness;

import dev.harmovela.dimension.task.Presence;
import java.util.HashMap;
import java.util.Map;

/** Who is attached and when each identity was last heard; volatile. */
final class Presences implements Presence {

    private static final class Known {
        int attached;
        boolean hadSession;
        long lastSeen;
    }

    private final Map<String, Known> identities = new HashMap<>();

    private Known of(String tenant, String identity) {
        return identities.computeIfAbsent(tenant + '\n' + identity, _ -> new Known());
    }

    void attached(String tenant, String identity, long now) {
        Known known = of(tenant, identity);
        known.attached++;
        known.hadSession = true;
        known.lastSeen = now;
    }

    void detached(String tenant, String identity, long now) {
        Known known = of(tenant, identity);
        known.attached = Math.max(0, known.attached - 1);
        known.lastSeen = now;
    }

    /** A session of this identity exists, attached or not (after a restart). */
    void remembered(String tenant, String identity, long now) {
        Known known = of(tenant, identity);
        known.hadSession = true;
        known.lastSeen = now;
    }

    /** An event of this identity was taken. */
    void seen(String tenant, String identity, long now) {
        Known known = identities.get(tenant + '\n' + identity);
        if (known != null) {
            known.lastSeen = now;
        }
    }

    void forgotten(String tenant, String identity) {
        identities.remove(tenant + '\n' + identity);
    }

    @Override
    public boolean attached(String tenant, String identity) {
        Known known = identities.get(tenant + '\n' + identity);
        return known != null && known.attached > 0;
    }

    @Override
    public long lastSeen(String tenant, String identity) {
        Known known = identities.get(tenant + '\n' + identity);
        return known == null || !known.hadSession ? 0 : known.lastSeen;
    }
}
