package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The requests of all tenants, with the ways to find them: by request, by correlation, by the time of their end. */
final class Register {

    /** So many may be under way at a time. */
    static final int MOST_OF_TENANT = 100_000;

    /** The form of a snapshot; a snapshot of the first form has a number of tenants in the place of the 0 before it. */
    private static final int FORM = 2;

    /** A request under way and whose it is. */
    record Due(String tenant, Exchange exchange) {}

    private static final Comparator<Due> BY_TIME = Comparator.comparingLong(
                    (Due due) -> due.exchange().until())
            .thenComparing(Due::tenant)
            .thenComparing(due -> due.exchange().key())
            .thenComparing(due -> due.exchange().passing());

    private final Map<String, Held> kept = new TreeMap<>();
    private final Map<String, Held> passing = new TreeMap<>();
    private final Map<String, Exchange> byRequest = new HashMap<>();
    private final Map<String, Map<String, Exchange>> byCorrelation = new HashMap<>();
    private final TreeSet<Due> due = new TreeSet<>(BY_TIME);

    private static String name(String tenant, String text) {
        return tenant + '\n' + text;
    }

    private static String correlation(String tenant, Exchange one) {
        return name(tenant, one.kind().family() + '\n' + one.correlationId());
    }

    // --- finding

    @Nullable Exchange find(String tenant, Kind kind, String requester, String correlationId) {
        String key = Exchange.key(kind, requester, correlationId);
        Held written = kept.get(tenant);
        Exchange one = written == null ? null : written.find(key);
        Held unwritten = passing.get(tenant);
        Exchange other = unwritten == null ? null : unwritten.find(key);
        return one == null || (other != null && other.open()) ? other : one;
    }

    /** The request that this event was. */
    @Nullable Exchange ofRequest(String tenant, @Nullable String eventId) {
        return eventId == null ? null : byRequest.get(name(tenant, eventId));
    }

    /** Everybody's requests of that correlation. */
    List<Exchange> correlated(String tenant, Kind kind, String correlationId) {
        Map<String, Exchange> all = byCorrelation.get(name(tenant, kind.family() + '\n' + correlationId));
        return all == null ? List.of() : List.copyOf(all.values());
    }

    /** How many are under way. */
    int count(String tenant) {
        Held written = kept.get(tenant);
        Held unwritten = passing.get(tenant);
        return (written == null ? 0 : written.countOpen()) + (unwritten == null ? 0 : unwritten.countOpen());
    }

    /** Those under way first. */
    List<Exchange> all(String tenant) {
        List<Exchange> all = new ArrayList<>();
        for (Map<String, Held> tenants : List.of(kept, passing)) {
            Held held = tenants.get(tenant);
            if (held != null) {
                held.open().forEach(all::add);
            }
        }
        for (Map<String, Held> tenants : List.of(kept, passing)) {
            Held held = tenants.get(tenant);
            if (held != null) {
                held.ended().forEach(all::add);
            }
        }
        return all;
    }

    /** The version that a target has reached for a scope, 0 before the first. */
    long version(String tenant, String target, String scope) {
        Held written = kept.get(tenant);
        Held unwritten = passing.get(tenant);
        return Math.max(
                written == null ? 0 : written.version(target, scope),
                unwritten == null ? 0 : unwritten.version(target, scope));
    }

    /** The last answer to a question, whichever way it was given. */
    @Nullable Snapshot kept(String tenant, String key) {
        Held written = kept.get(tenant);
        Held unwritten = passing.get(tenant);
        Snapshot one = written == null ? null : written.kept(key);
        Snapshot other = unwritten == null ? null : unwritten.kept(key);
        return one == null || (other != null && other.at() > one.at()) ? other : one;
    }

    @Nullable Due first() {
        return due.isEmpty() ? null : due.first();
    }

    // --- folding

    void apply(ExchangeFact fact) {
        Map<String, Held> tenants = fact.kept() ? kept : passing;
        Held held = tenants.computeIfAbsent(fact.tenant(), _ -> new Held());
        switch (fact) {
            case ExchangeFact.Set set -> set(held, set.tenant(), set.exchange());
            case ExchangeFact.Forgotten gone -> held.unset(gone.key()).forEach(one -> unlink(gone.tenant(), one));
            case ExchangeFact.Version version -> held.version(version.target(), version.scope(), version.number());
            case ExchangeFact.Kept answer -> held.keep(answer.snapshot());
        }
        if (held.isEmpty()) {
            tenants.remove(fact.tenant());
        }
    }

    private void set(Held held, String tenant, Exchange exchange) {
        held.set(exchange).forEach(one -> unlink(tenant, one));
        link(tenant, exchange);
    }

    private void link(String tenant, Exchange one) {
        byRequest.put(name(tenant, one.requestId()), one);
        byCorrelation
                .computeIfAbsent(correlation(tenant, one), _ -> new LinkedHashMap<>())
                .put(one.requestId(), one);
        if (one.open()) {
            due.add(new Due(tenant, one));
        }
    }

    private void unlink(String tenant, Exchange one) {
        byRequest.remove(name(tenant, one.requestId()), one);
        byCorrelation.computeIfPresent(correlation(tenant, one), (_, all) -> {
            all.remove(one.requestId(), one);
            return all.isEmpty() ? null : all;
        });
        due.remove(new Due(tenant, one));
    }

    void snapshot(Out out) {
        out.varint(0).varint(FORM);
        out.varint(kept.size());
        kept.forEach((tenant, held) -> {
            out.string(tenant);
            held.write(out);
        });
    }

    /** Reads its own form, and the first one, which began with the number of tenants. */
    void restore(In in) {
        int first = in.count();
        boolean older = first > 0 || in.remaining() == 0;
        if (!older && in.varint() != FORM) {
            throw new IllegalArgumentException("requests in an unknown form");
        }
        for (int n = older ? first : in.count(); n > 0; n--) {
            String tenant = in.string();
            Held held = older ? Held.readFirstForm(in) : Held.read(in);
            kept.put(tenant, held);
            held.open().forEach(one -> link(tenant, one));
            held.ended().forEach(one -> link(tenant, one));
        }
    }
}
