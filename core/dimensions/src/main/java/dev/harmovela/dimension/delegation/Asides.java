package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of a task's delegations beside the latest: who of a pool declined it, and who passed it up to whom. */
final class Asides {

    private static final int MOST_STEPS = 16;

    private final Map<String, Set<String>> declined = new TreeMap<>();
    private final Map<String, Map<String, String>> passedUp = new TreeMap<>();

    private static String name(String tenant, String taskId) {
        return tenant + '\n' + taskId;
    }

    /** Those of the pool that was asked who do not want the task. */
    Set<String> declined(String tenant, String taskId) {
        return declined.getOrDefault(name(tenant, taskId), Set.of());
    }

    /** Who deals with a task in the place of one who passed it up, null when nobody does. */
    @Nullable String standIn(String tenant, String taskId, String identity) {
        Map<String, String> ups = passedUp.get(name(tenant, taskId));
        String found = null;
        for (int i = 0; ups != null && i < MOST_STEPS; i++) {
            String next = ups.get(found == null ? identity : found);
            if (next == null) {
                break;
            }
            found = next;
        }
        return identity.equals(found) ? null : found;
    }

    void apply(DelegationFact.Declined fact) {
        declined.computeIfAbsent(name(fact.tenant(), fact.taskId()), _ -> new LinkedHashSet<>())
                .add(fact.who());
    }

    /** Whoever gets it does not stand aside any more. */
    void apply(DelegationFact.PassedUp fact) {
        Map<String, String> ups =
                passedUp.computeIfAbsent(name(fact.tenant(), fact.taskId()), _ -> new LinkedHashMap<>());
        ups.remove(fact.to());
        ups.put(fact.from(), fact.to());
    }

    /** Somebody else is asked: who declined before may want it now. */
    void askedAnew(String tenant, String taskId) {
        declined.remove(name(tenant, taskId));
    }

    void over(String tenant, String taskId) {
        askedAnew(tenant, taskId);
        passedUp.remove(name(tenant, taskId));
    }

    void snapshot(Out out) {
        out.varint(declined.size());
        declined.forEach((task, who) -> {
            out.string(task);
            Delegation.writeTexts(out, List.copyOf(who));
        });
        out.varint(passedUp.size());
        passedUp.forEach((task, ups) -> {
            out.string(task).varint(ups.size());
            ups.forEach((from, to) -> out.string(from).string(to));
        });
    }

    void restore(In in) {
        for (int n = in.count(); n > 0; n--) {
            declined.put(in.string(), new LinkedHashSet<>(Delegation.readTexts(in)));
        }
        for (int n = in.count(); n > 0; n--) {
            Map<String, String> ups = new LinkedHashMap<>();
            passedUp.put(in.string(), ups);
            for (int m = in.count(); m > 0; m--) {
                ups.put(in.string(), in.string());
            }
        }
    }
}
