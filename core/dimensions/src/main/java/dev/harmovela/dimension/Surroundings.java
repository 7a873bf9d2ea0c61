package dev.harmovela.dimension;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a dimension may look up about the rest of the hub while it decides. Answers come from the state that holds at
 * that moment: before the input when an event is checked or decided, after the facts so far when a signal is reacted
 * to. For the owner's thread.
 */
public interface Surroundings extends Presence {

    /** Whether the tenant knows that identity: a session of it exists, or it has an inbox. */
    boolean knows(String tenant, String identity);

    /**
     * Whether an identity holds a right, action or scope, by what its credential grants at this moment; false for one
     * of whose credential nothing is known.
     */
    boolean holds(String tenant, String identity, String right);

    /** Identities with a session that declared the pool, in a stable order; empty when it is no pool. */
    List<String> members(String tenant, String pool);

    /** Text that nobody can guess, another one each time; whoever keeps it writes it into a fact. */
    String secret();

    /** Whether there is such a task, alive or remembered. */
    boolean taskExists(String tenant, String taskId);

    /** Whether there is such a task and it has not ended. */
    boolean taskLives(String tenant, String taskId);

    /** The owner of a task, also of an ended one; null when nobody owns it or there is none of that id. */
    @Nullable String taskOwner(String tenant, String taskId);

    /** Who submitted a task; null when there is none of that id, or it ended long ago. */
    @Nullable String taskSubmitter(String tenant, String taskId);

    /** Who deals with a task in the place of one who passed it up; null when nobody does. */
    @Nullable String standIn(String tenant, String taskId, String identity);

    /** The task above a task; null for a root, and when there is none of that id. */
    @Nullable String taskParent(String tenant, String taskId);
}
