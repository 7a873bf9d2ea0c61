package dev.harmovela.harness;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.dimension.DimensionState;
import dev.harmovela.dimension.adaptation.Adaptation;
import dev.harmovela.dimension.compensation.Compensations;
import dev.harmovela.dimension.delegation.Delegations;
import dev.harmovela.dimension.exchange.Exchanges;
import dev.harmovela.dimension.interruption.Interruptions;
import dev.harmovela.dimension.knowledge.Knowledge;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.dimension.task.Tasks;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dimensions of a shard that decide about events, in the order in which they are asked and told.
 *
 * <p>Who has to do with a type is looked up once; afterwards it is one access to an array. One owner, not thread-safe.
 */
final class Dimensions {

    /**
     * Who has to do with events of a type.
     *
     * @param owner who decides about them, null when they are just stored and routed
     */
    record Roles(@Nullable DimensionState owner, List<DimensionState> guards, List<DimensionState> followers) {

        /** Whether no dimension has anything to do with them. */
        boolean none() {
            return owner == null && guards.isEmpty() && followers.isEmpty();
        }
    }

    private final List<DimensionState> all;
    private @Nullable Roles[] roles = new Roles[128];

    final Tasks tasks;
    final Delegations delegations = new Delegations(EventRegistry.standard());
    final Adaptation adaptation = new Adaptation(EventRegistry.standard());
    final Exchanges exchanges = new Exchanges(EventRegistry.standard());
    final Compensations compensations = new Compensations(EventRegistry.standard());
    final Knowledge knowledge = new Knowledge(EventRegistry.standard());
    final Interruptions interruptions = new Interruptions(EventRegistry.standard());

    Dimensions(TaskPolicy policy) {
        tasks = new Tasks(policy);
        all = List.of(tasks, delegations, exchanges, interruptions, compensations, knowledge, adaptation);
    }

    List<DimensionState> all() {
        return all;
    }

    Roles of(EventType type) {
        if (type.index() >= roles.length) {
            roles = Arrays.copyOf(roles, 2 * type.index());
        }
        Roles known = roles[type.index()];
        if (known == null) {
            known = new Roles(
                    those(one -> one.decides(type)).stream().findFirst().orElse(null),
                    those(one -> one.guards(type)),
                    those(one -> one.follows(type)));
            roles[type.index()] = known;
        }
        return known;
    }

    private List<DimensionState> those(Predicate<DimensionState> wanted) {
        return all.stream().filter(wanted).toList();
    }

    void apply(Fact fact) {
        for (DimensionState one : all) {
            if (one.holds(fact.kind())) {
                one.apply(fact);
                return;
            }
        }
        throw new IllegalStateException("nobody holds facts of kind " + fact.kind());
    }

    void started(long now) {
        all.forEach(one -> one.started(now));
    }

    /** When the first of them has something to do, epoch milliseconds; {@link Long#MAX_VALUE} when none has. */
    long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (DimensionState one : all) {
            next = Math.min(next, one.nextDeadline());
        }
        return next;
    }

    /** Writes all but the tasks, which have had their own place in a snapshot since before there were others. */
    void snapshotOthers(Out out) {
        out.varint(all.size() - 1);
        for (DimensionState one : all) {
            if (one != tasks) {
                Out section = new Out();
                one.snapshot(section);
                out.string(one.name()).bytes(section.array(), 0, section.size());
            }
        }
    }

    void restoreOthers(In in) {
        for (long n = in.varint(); n > 0; n--) {
            String name = in.string();
            In section = in.part();
            those(one -> one != tasks && one.name().equals(name)).stream()
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("a snapshot holds unknown " + name))
                    .restore(section);
        }
    }
}
