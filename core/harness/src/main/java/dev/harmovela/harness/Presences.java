package dev.harmovela.harness;

import dev.harmovela.dimension.Presence;
import dev.harmovela.dimension.event.Session;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who is attached and when each identity was last heard; volatile. */
final class Presences implements Presence {

    private static final class Known {
        int attached;
        boolean hadSession;
        long lastSeen;
    }

    private final Map<String, Map<String, Known>> tenants = new HashMap<>();

    /** Sessions that declared a pool for their identity, by tenant and pool. */
    private final Map<String, Map<String, TreeMap<String, Integer>>> pools = new HashMap<>();

    /** The pools that a session declared for its identity (D4). */
    static List<String> pools(Session session) {
        return session.capabilities().strings("pools");
    }

    void opened(Session session) {
        for (String pool : Set.copyOf(pools(session))) {
            pools.computeIfAbsent(session.tenant(), _ -> new HashMap<>())
                    .computeIfAbsent(pool, _ -> new TreeMap<>())
                    .merge(session.identity(), 1, Integer::sum);
        }
    }

    void ended(Session session) {
        Map<String, TreeMap<String, Integer>> ofTenant = pools.get(session.tenant());
        for (String pool : Set.copyOf(pools(session))) {
            TreeMap<String, Integer> members = ofTenant == null ? null : ofTenant.get(pool);
            if (members != null) {
                members.computeIfPresent(session.identity(), (_, count) -> count == 1 ? null : count - 1);
                if (members.isEmpty() && ofTenant != null) {
                    ofTenant.remove(pool);
                }
            }
        }
    }

    /** Identities with a session that declared the pool, in order of their names. */
    List<String> members(String tenant, String pool) {
        Map<String, TreeMap<String, Integer>> ofTenant = pools.get(tenant);
        TreeMap<String, Integer> members = ofTenant == null ? null : ofTenant.get(pool);
        return members == null ? List.of() : List.copyOf(members.keySet());
    }

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
