package dev.harmovela.harness;

import dev.harmovela.dimension.task.Presence;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who is attached and when each identity was last heard; volatile. */
final class Presences implements Presence {

    private static final class Known {
        int attached;
        boolean hadSession;
        long lastSeen;
    }

    private final Map<String, Map<String, Known>> tenants = new HashMap<>();

    private Known of(String tenant, String identity) {
        return tenants.computeIfAbsent(tenant, _ -> new HashMap<>()).computeIfAbsent(identity, _ -> new Known());
    }

    private @Nullable Known find(String tenant, String identity) {
        Map<String, Known> identities = tenants.get(tenant);
        return identities == null ? null : identities.get(identity);
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
        Known known = find(tenant, identity);
        if (known != null) {
            known.lastSeen = now;
        }
    }

    void forgotten(String tenant, String identity) {
        Map<String, Known> identities = tenants.get(tenant);
        if (identities != null && identities.remove(identity) != null && identities.isEmpty()) {
            tenants.remove(tenant);
        }
    }

    @Override
    public boolean attached(String tenant, String identity) {
        Known known = find(tenant, identity);
        return known != null && known.attached > 0;
    }

    @Override
    public long lastSeen(String tenant, String identity) {
        Known known = find(tenant, identity);
        return known == null || !known.hadSession ? 0 : known.lastSeen;
    }
}
