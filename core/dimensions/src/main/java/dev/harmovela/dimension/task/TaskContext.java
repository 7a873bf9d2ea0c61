package dev.harmovela.dimension.task;

import dev.harmovela.contract.Ids;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The circumstances of an inbound event.
 *
 * @param now hub time, epoch milliseconds
 * @param tenant whose tasks are meant
 * @param actor who speaks: the verified identity, or the source on implied sessions
 * @param sessionId the actor's session, null when it has none (a single authenticated request)
 * @param enforceOwnership whether D13 holds: only the owner reports; false on implied sessions
 * @param supervisor whether the actor may cancel anybody's tasks in the tenant
 * @param nextLsn position that the next event of the frame gets
 * @param ids makes ids for derived events and nameless tasks
 * @param pools pools that the actor belongs to
 */
public record TaskContext(
        long now,
        String tenant,
        String actor,
        @Nullable String sessionId,
        boolean enforceOwnership,
        boolean supervisor,
        long nextLsn,
        Ids ids,
        List<String> pools) {

    public TaskContext {
        pools = List.copyOf(pools);
    }

    /** Whether the actor is that target or a member of that pool (D4). */
    boolean is(String target) {
        return actor.equals(target) || pools.contains(target);
    }
}
