package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The delegations of all tenants, the chains of their tasks, and the tokens that were used. */
final class Register {

    private static final int MOST_TOKENS = 100_000;

    /** An unanswered delegation and whose it is. */
    record Due(String tenant, Delegation delegation) {}

    /** What the owner of a task was given it for. */
    record Grant(String owner, List<String> scopes) {}

    private static final Comparator<Due> BY_TIME = Comparator.comparingLong(
                    (Due due) -> due.delegation().answerBy())
            .thenComparing(Due::tenant)
            .thenComparing(due -> due.delegation().taskId());

    private final Map<String, LinkedHashMap<String, Delegation>> tenants = new TreeMap<>();
    private final Map<String, LinkedHashMap<String, List<String>>> chains = new TreeMap<>();
    private final Map<String, Map<String, Grant>> grants = new TreeMap<>();
    private final Asides asides = new Asides();
    private final Set<String> loops = new LinkedHashSet<>();
    private final LinkedHashMap<String, Long> used = new LinkedHashMap<>();
    private final TreeSet<Due> awaited = new TreeSet<>(BY_TIME);
    private String key = "";

    @Nullable Delegation find(String tenant, String taskId) {
        Map<String, Delegation> own = tenants.get(tenant);
        return own == null ? null : own.get(taskId);
    }

    int count(String tenant) {
        Map<String, Delegation> own = tenants.get(tenant);
        return own == null ? 0 : own.size();
    }

    List<Delegation> all(String tenant) {
        Map<String, Delegation> own = tenants.get(tenant);
        return own == null ? List.of() : List.copyOf(own.values());
    }

    /** Everybody who had the task, the first owner first; empty when it never changed hands. */
    List<String> chain(String tenant, String taskId) {
        Map<String, List<String>> own = chains.get(tenant);
        List<String> chain = own == null ? null : own.get(taskId);
        return chain == null ? List.of() : List.copyOf(chain);
    }

    /** What that identity was given the task for; empty when it may do everything, or does not have it. */
    List<String> given(String tenant, String taskId, String owner) {
        Map<String, Grant> own = grants.get(tenant);
        Grant grant = own == null ? null : own.get(taskId);
        return grant == null || !grant.owner().equals(owner) ? List.of() : grant.scopes();
    }

    /** What is known beside: who of a pool declined, and who passed a task up. */
    Asides asides() {
        return asides;
    }

    boolean loopTold(String tenant, String taskId) {
        return loops.contains(tenant + '\n' + taskId);
    }

    boolean isUsed(String jti) {
        return used.containsKey(jti);
    }

    /** The signing key, empty while there is none. */
    String key() {
        return key;
    }

    @Nullable Due first() {
        return awaited.isEmpty() ? null : awaited.first();
    }

    void apply(DelegationFact fact) {
        switch (fact) {
            case DelegationFact.Set set -> set(set.tenant(), set.delegation());
            case DelegationFact.Hop hop -> {
                List<String> chain = chains.computeIfAbsent(hop.tenant(), _ -> new LinkedHashMap<>())
                        .computeIfAbsent(hop.taskId(), _ -> new ArrayList<>(List.of(hop.from())));
                chain.add(hop.to());
                grants.computeIfAbsent(hop.tenant(), _ -> new LinkedHashMap<>())
                        .put(hop.taskId(), new Grant(hop.to(), hop.scopes()));
            }
            case DelegationFact.Over over -> {
                unset(over.tenant(), over.taskId());
                LinkedHashMap<String, List<String>> own = chains.get(over.tenant());
                if (own != null && own.remove(over.taskId()) != null && own.isEmpty()) {
                    chains.remove(over.tenant());
                }
                Map<String, Grant> given = grants.get(over.tenant());
                if (given != null && given.remove(over.taskId()) != null && given.isEmpty()) {
                    grants.remove(over.tenant());
                }
                loops.remove(over.tenant() + '\n' + over.taskId());
                asides.over(over.tenant(), over.taskId());
            }
            case DelegationFact.TokenUsed token -> {
                used.put(token.jti(), token.expiresAt());
                if (used.size() > MOST_TOKENS) {
                    used.pollFirstEntry();
                }
            }
            case DelegationFact.KeyMade made -> key = made.key();
            case DelegationFact.LoopTold told -> loops.add(told.tenant() + '\n' + told.taskId());
            case DelegationFact.Declined declined -> asides.apply(declined);
            case DelegationFact.PassedUp up -> asides.apply(up);
        }
    }

    private void set(String tenant, Delegation delegation) {
        Delegation before = find(tenant, delegation.taskId());
        if (before == null || !before.to().equals(delegation.to())) {
            asides.askedAnew(tenant, delegation.taskId());
        }
        unset(tenant, delegation.taskId());
        tenants.computeIfAbsent(tenant, _ -> new LinkedHashMap<>()).put(delegation.taskId(), delegation);
        if (delegation.answerBy() != Long.MAX_VALUE) {
            awaited.add(new Due(tenant, delegation));
        }
    }

    private void unset(String tenant, String taskId) {
        LinkedHashMap<String, Delegation> own = tenants.get(tenant);
        Delegation before = own == null ? null : own.remove(taskId);
        if (before != null) {
            awaited.remove(new Due(tenant, before));
        }
        if (own != null && own.isEmpty()) {
            tenants.remove(tenant);
        }
    }

    void snapshot(Out out) {
        out.string(key).varint(tenants.size());
        tenants.forEach((tenant, own) -> {
            out.string(tenant).varint(own.size());
            own.values().forEach(one -> one.write(out));
        });
        out.varint(chains.size());
        chains.forEach((tenant, own) -> {
            out.string(tenant).varint(own.size());
            own.forEach((task, chain) -> {
                out.string(task);
                Delegation.writeTexts(out, chain);
            });
        });
        out.varint(grants.size());
        grants.forEach((tenant, own) -> {
            out.string(tenant).varint(own.size());
            own.forEach((task, grant) -> {
                out.string(task).string(grant.owner());
                Delegation.writeTexts(out, grant.scopes());
            });
        });
        Delegation.writeTexts(out, List.copyOf(loops));
        out.varint(used.size());
        used.forEach((jti, expires) -> out.string(jti).varint(expires));
        asides.snapshot(out);
    }

    void restore(In in) {
        key = in.string();
        for (int n = in.count(); n > 0; n--) {
            String tenant = in.string();
            for (int m = in.count(); m > 0; m--) {
                set(tenant, Delegation.read(in));
            }
        }
        for (int n = in.count(); n > 0; n--) {
            LinkedHashMap<String, List<String>> own = new LinkedHashMap<>();
            chains.put(in.string(), own);
            for (int m = in.count(); m > 0; m--) {
                own.put(in.string(), Delegation.readTexts(in));
            }
        }
        for (int n = in.count(); n > 0; n--) {
            Map<String, Grant> own = new LinkedHashMap<>();
            grants.put(in.string(), own);
            for (int m = in.count(); m > 0; m--) {
                own.put(in.string(), new Grant(in.string(), Delegation.readTexts(in)));
            }
        }
        loops.addAll(Delegation.readTexts(in));
        for (int n = in.count(); n > 0; n--) {
            used.put(in.string(), in.varint());
        }
        if (in.remaining() > 0) {
            asides.restore(in);
        }
    }
}
