package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.dimension.knowledge.Window.About;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The freshness windows of all tenants, and which of them ends next. */
final class Windows {

    static final int MOST_OF_TENANT = 100_000;

    /** A window and whose it is. */
    record Due(String tenant, Window window) {}

    private record Key(About about, String resource) {}

    private static final Comparator<Due> BY_TIME = Comparator.comparingLong(
                    (Due due) -> due.window().until())
            .thenComparing(Due::tenant)
            .thenComparing(due -> due.window().about())
            .thenComparing(due -> due.window().resource());

    private final Map<String, LinkedHashMap<Key, Window>> tenants = new TreeMap<>();
    private final TreeSet<Due> due = new TreeSet<>(BY_TIME);

    /** When the first window ends, epoch milliseconds; {@link Long#MAX_VALUE} when there is none. */
    long next() {
        return due.isEmpty() ? Long.MAX_VALUE : due.first().window().until();
    }

    /** The window that ends first, null when there is none. */
    @Nullable Due first() {
        return due.isEmpty() ? null : due.first();
    }

    /** Windows that have ended, those that ended first before others; at most {@code most}, of one tenant. */
    List<Due> ended(long now, int most) {
        Due first = first();
        if (first == null) {
            return List.of();
        }
        return due.stream()
                .takeWhile(one -> one.window().until() <= now)
                .filter(one -> one.tenant().equals(first.tenant()))
                .limit(most)
                .toList();
    }

    @Nullable Window find(String tenant, About about, String resource) {
        Map<Key, Window> own = tenants.get(tenant);
        return own == null ? null : own.get(new Key(about, resource));
    }

    void set(String tenant, Window window) {
        LinkedHashMap<Key, Window> own = tenants.computeIfAbsent(tenant, _ -> new LinkedHashMap<>());
        Key key = new Key(window.about(), window.resource());
        Window before = own.remove(key);
        if (before != null) {
            due.remove(new Due(tenant, before));
        }
        own.put(key, window);
        due.add(new Due(tenant, window));
        if (own.size() > MOST_OF_TENANT) {
            Window eldest = own.pollFirstEntry().getValue();
            due.remove(new Due(tenant, eldest));
        }
    }

    void close(String tenant, About about, String resource) {
        LinkedHashMap<Key, Window> own = tenants.get(tenant);
        Window before = own == null ? null : own.remove(new Key(about, resource));
        if (before != null) {
            due.remove(new Due(tenant, before));
        }
        if (own != null && own.isEmpty()) {
            tenants.remove(tenant);
        }
    }

    void snapshot(Out out) {
        out.varint(tenants.size());
        tenants.forEach((tenant, own) -> {
            out.string(tenant).varint(own.size());
            own.values().forEach(window -> window.write(out));
        });
    }

    void restore(In in) {
        for (int n = in.count(); n > 0; n--) {
            String tenant = in.string();
            for (int m = in.count(); m > 0; m--) {
                set(tenant, Window.read(in));
            }
        }
    }
}
