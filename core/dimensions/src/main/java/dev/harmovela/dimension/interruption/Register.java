package dev.harmovela.dimension.interruption;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The interruptions and the priorities of the live tasks of all tenants. */
final class Register {

    static final int MOST_OF_TENANT = 50_000;

    /** An interruption whose checkpoint is awaited. */
    record Due(String tenant, Interruption interruption) {}

    private record Rank(double priority) {}

    private static final Comparator<Due> BY_TIME = Comparator.comparingLong(
                    (Due due) -> due.interruption().saveBy())
            .thenComparing(Due::tenant)
            .thenComparing(due -> due.interruption().taskId());

    private final Map<String, LinkedHashMap<String, Interruption>> tenants = new TreeMap<>();
    private final Map<String, LinkedHashMap<String, Rank>> ranks = new TreeMap<>();
    private final TreeSet<Due> awaited = new TreeSet<>(BY_TIME);

    @Nullable Interruption find(String tenant, String taskId) {
        Map<String, Interruption> own = tenants.get(tenant);
        return own == null ? null : own.get(taskId);
    }

    List<Interruption> all(String tenant) {
        Map<String, Interruption> own = tenants.get(tenant);
        return own == null ? List.of() : List.copyOf(own.values());
    }

    /** What an interruption has to exceed; negative infinity when the task named no priority. */
    double priority(String tenant, String taskId) {
        Map<String, Rank> own = ranks.get(tenant);
        Rank rank = own == null ? null : own.get(taskId);
        return rank == null ? Double.NEGATIVE_INFINITY : rank.priority();
    }

    boolean knows(String tenant, String taskId) {
        Map<String, Rank> own = ranks.get(tenant);
        return find(tenant, taskId) != null || (own != null && own.containsKey(taskId));
    }

    @Nullable Due first() {
        return awaited.isEmpty() ? null : awaited.first();
    }

    void apply(InterruptionFact fact) {
        switch (fact) {
            case InterruptionFact.Set set -> set(set.tenant(), set.interruption());
            case InterruptionFact.Over over -> {
                unset(over.tenant(), over.taskId());
                remove(ranks, over.tenant(), over.taskId());
            }
            case InterruptionFact.Ranked ranked -> {
                LinkedHashMap<String, Rank> own = ranks.computeIfAbsent(ranked.tenant(), _ -> new LinkedHashMap<>());
                own.put(ranked.taskId(), new Rank(ranked.priority()));
                if (own.size() > MOST_OF_TENANT) {
                    own.pollFirstEntry();
                }
            }
        }
    }

    private void set(String tenant, Interruption interruption) {
        unset(tenant, interruption.taskId());
        LinkedHashMap<String, Interruption> own = tenants.computeIfAbsent(tenant, _ -> new LinkedHashMap<>());
        own.put(interruption.taskId(), interruption);
        if (interruption.saveBy() != Long.MAX_VALUE) {
            awaited.add(new Due(tenant, interruption));
        }
        if (own.size() > MOST_OF_TENANT) {
            unset(tenant, own.firstEntry().getKey());
        }
    }

    private void unset(String tenant, String taskId) {
        Interruption before = remove(tenants, tenant, taskId);
        if (before != null) {
            awaited.remove(new Due(tenant, before));
        }
    }

    private static <T> @Nullable T remove(Map<String, LinkedHashMap<String, T>> from, String tenant, String taskId) {
        LinkedHashMap<String, T> own = from.get(tenant);
        T before = own == null ? null : own.remove(taskId);
        if (own != null && own.isEmpty()) {
            from.remove(tenant);
        }
        return before;
    }

    void snapshot(Out out) {
        out.varint(tenants.size());
        tenants.forEach((tenant, own) -> {
            out.string(tenant).varint(own.size());
            own.values().forEach(one -> one.write(out));
        });
        out.varint(ranks.size());
        ranks.forEach((tenant, own) -> {
            out.string(tenant).varint(own.size());
            own.forEach((task, rank) -> out.string(task).f64(rank.priority()));
        });
    }

    void restore(In in) {
        for (int n = in.count(); n > 0; n--) {
            String tenant = in.string();
            for (int m = in.count(); m > 0; m--) {
                set(tenant, Interruption.read(in));
            }
        }
        for (int n = in.count(); n > 0; n--) {
            String tenant = in.string();
            for (int m = in.count(); m > 0; m--) {
                apply(new InterruptionFact.Ranked(tenant, in.string(), in.f64()));
            }
        }
    }
}
