package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The requests of all tenants, the versions that targets have reached, and the answers kept. */
final class Register {

    static final int MOST_OF_TENANT = 100_000;
    private static final int MOST_VERSIONS = 50_000;
    private static final long MOST_KEPT_BYTES = 8L << 20;

    /** A request and whose it is. */
    record Due(String tenant, Exchange exchange) {}

    private static final class Tenant {
        final LinkedHashMap<String, Exchange> exchanges = new LinkedHashMap<>();
        final LinkedHashMap<String, Long> versions = new LinkedHashMap<>();
        final LinkedHashMap<String, Snapshot> kept = new LinkedHashMap<>();
        long keptBytes;

        boolean isEmpty() {
            return exchanges.isEmpty() && versions.isEmpty() && kept.isEmpty();
        }
    }

    private static final Comparator<Due> BY_TIME = Comparator.comparingLong(
                    (Due due) -> due.exchange().until())
            .thenComparing(Due::tenant)
            .thenComparing(due -> due.exchange().key());

    private final Map<String, Tenant> tenants = new TreeMap<>();
    private final Map<String, Exchange> byRequest = new HashMap<>();
    private final TreeSet<Due> due = new TreeSet<>(BY_TIME);

    private static String request(String tenant, String eventId) {
        return tenant + '\n' + eventId;
    }

    @Nullable Exchange find(String tenant, Kind kind, String requester, String correlationId) {
        Tenant own = tenants.get(tenant);
        return own == null ? null : own.exchanges.get(kind.family() + '\n' + requester + '\n' + correlationId);
    }

    /** The request that this event was. */
    @Nullable Exchange ofRequest(String tenant, @Nullable String eventId) {
        return eventId == null ? null : byRequest.get(request(tenant, eventId));
    }

    int count(String tenant) {
        Tenant own = tenants.get(tenant);
        return own == null ? 0 : own.exchanges.size();
    }

    List<Exchange> all(String tenant) {
        Tenant own = tenants.get(tenant);
        return own == null ? List.of() : List.copyOf(own.exchanges.values());
    }

    /** The version that a target has reached for a scope, 0 before the first. */
    long version(String tenant, String target, String scope) {
        Tenant own = tenants.get(tenant);
        return own == null ? 0 : own.versions.getOrDefault(target + '\n' + scope, 0L);
    }

    @Nullable Snapshot kept(String tenant, String key) {
        Tenant own = tenants.get(tenant);
        return own == null ? null : own.kept.get(key);
    }

    @Nullable Due first() {
        return due.isEmpty() ? null : due.first();
    }

    void apply(ExchangeFact fact) {
        Tenant own = tenants.computeIfAbsent(fact.tenant(), _ -> new Tenant());
        switch (fact) {
            case ExchangeFact.Set set -> set(own, set.tenant(), set.exchange());
            case ExchangeFact.Forgotten gone -> unset(own, gone.tenant(), gone.key());
            case ExchangeFact.Version version -> {
                own.versions.put(version.target() + '\n' + version.scope(), version.number());
                if (own.versions.size() > MOST_VERSIONS) {
                    own.versions.pollFirstEntry();
                }
            }
            case ExchangeFact.Kept kept -> keep(own, kept.snapshot());
        }
        if (own.isEmpty()) {
            tenants.remove(fact.tenant());
        }
    }

    private void set(Tenant own, String tenant, Exchange exchange) {
        unset(own, tenant, exchange.key());
        own.exchanges.put(exchange.key(), exchange);
        byRequest.put(request(tenant, exchange.requestId()), exchange);
        due.add(new Due(tenant, exchange));
    }

    private void unset(Tenant own, String tenant, String key) {
        Exchange before = own.exchanges.remove(key);
        if (before != null) {
            byRequest.remove(request(tenant, before.requestId()));
            due.remove(new Due(tenant, before));
        }
    }

    private static void keep(Tenant own, Snapshot snapshot) {
        Snapshot before = own.kept.remove(snapshot.key());
        own.keptBytes -= before == null ? 0 : before.payload().length();
        own.kept.put(snapshot.key(), snapshot);
        own.keptBytes += snapshot.payload().length();
        while (own.keptBytes > MOST_KEPT_BYTES) {
            own.keptBytes -= own.kept.pollFirstEntry().getValue().payload().length();
        }
    }

    void snapshot(Out out) {
        out.varint(tenants.size());
        tenants.forEach((tenant, own) -> {
            out.string(tenant).varint(own.exchanges.size());
            own.exchanges.values().forEach(one -> one.write(out));
            out.varint(own.versions.size());
            own.versions.forEach((name, version) -> out.string(name).varint(version));
            out.varint(own.kept.size());
            own.kept.values().forEach(one -> one.write(out));
        });
    }

    void restore(In in) {
        for (int n = in.count(); n > 0; n--) {
            String tenant = in.string();
            Tenant own = new Tenant();
            tenants.put(tenant, own);
            for (int m = in.count(); m > 0; m--) {
                set(own, tenant, Exchange.read(in));
            }
            for (int m = in.count(); m > 0; m--) {
                own.versions.put(in.string(), in.varint());
            }
            for (int m = in.count(); m > 0; m--) {
                keep(own, Snapshot.read(in));
            }
        }
    }
}
