package dev.harmovela.dimension;

import dev.harmovela.contract.Ids;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The circumstances in which something is decided. Deciding may look at them and at the dimension's own state, and at
 * nothing else.
 *
 * @param now hub time, epoch milliseconds
 * @param speaker who causes it
 * @param nextLsn position that the next event of the frame gets
 * @param ids makes ids for derived events and nameless things
 * @param around what may be looked up about the rest of the hub
 */
public record Context(long now, Speaker speaker, long nextLsn, Ids ids, Surroundings around) {

    /**
     * Who causes it.
     *
     * @param tenant whose state is meant
     * @param actor the verified identity, or the source on implied sessions, or the hub
     * @param sessionId the actor's session, null when it has none (a single authenticated request, the hub itself)
     * @param enforced whether D13 holds: who somebody is counts; false on implied sessions
     * @param supervisor whether the actor may act on anybody's tasks in the tenant
     * @param pools pools that the actor belongs to
     * @param holds whether the actor holds a right, by its name as in §7
     * @param negotiated whether a profile is agreed on in the session, by its full name
     * @param bounds what the session declared of its own bounds (§11, L1), where adaptation is agreed on; else empty
     */
    public record Speaker(
            String tenant,
            String actor,
            @Nullable String sessionId,
            boolean enforced,
            boolean supervisor,
            List<String> pools,
            Predicate<String> holds,
            Predicate<String> negotiated,
            Json.Obj bounds) {

        public Speaker {
            pools = List.copyOf(pools);
        }

        /** The hub, which time or somebody else's doing causes to act. */
        public static Speaker hub(String tenant) {
            return new Speaker(tenant, Proposal.HUB, null, false, true, List.of(), _ -> true, _ -> true, Json.Obj.of());
        }
    }

    public String tenant() {
        return speaker.tenant();
    }

    public String actor() {
        return speaker.actor();
    }

    public @Nullable String sessionId() {
        return speaker.sessionId();
    }

    /** Whether who somebody is counts (D13); false on implied sessions, where both sides are played. */
    public boolean enforceOwnership() {
        return speaker.enforced();
    }

    /** Whether the actor may act on anybody's tasks in the tenant. */
    public boolean supervisor() {
        return speaker.supervisor();
    }

    /** Whether the actor holds a right; on implied sessions everybody does. */
    public boolean holds(String right) {
        return speaker.holds().test(right);
    }

    /** Whether the actor is that target or a member of that pool (D4). */
    public boolean is(String target) {
        return actor().equals(target) || speaker.pools().contains(target);
    }

    /** The same, further on in the frame. */
    public Context from(long lsn) {
        return new Context(now, speaker, lsn, ids, around);
    }
}
