package dev.harmovela.dimension;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;

/**
 * What one dimension knows and decides. It owns its state: only its own {@link #apply} moves it, and only by facts.
 *
 * <p>An event that a dimension has to do with is first shown to all that {@link #guards guard} its type, then to the
 * one that {@link #decides} about it, and once the facts are applied the frame's events are told to all that {@link
 * #follows follow} them. Everything happens in one frame. One owner, not thread-safe.
 */
public interface DimensionState {

    /** Name of its part of a snapshot; never changes. */
    String name();

    /** Whether this dimension decides about events of that type; one dimension at most does. Always the same answer. */
    default boolean decides(EventType type) {
        return false;
    }

    /** Whether events of that type may be refused by this dimension although another one decides about them. */
    default boolean guards(EventType type) {
        return false;
    }

    /** Whether this dimension reacts to events of that type. */
    default boolean follows(EventType type) {
        return false;
    }

    /** Why an event may not pass, and what follows from trying; {@link Decision#NOTHING} when it may. */
    default Decision check(Event event, Context at) {
        return Decision.NOTHING;
    }

    /** What an event leads to that this dimension decides about. Changes nothing. */
    default Decision decide(Event event, Context at) {
        throw new IllegalStateException(name() + " decides nothing about " + event.type());
    }

    /**
     * What a signal leads to. Cannot refuse; changes nothing by itself. The facts that came before it in the frame are
     * applied already.
     */
    default Decision react(Signal signal, Context at) {
        return Decision.NOTHING;
    }

    /**
     * What time brings: one tenant and at most {@link Decision#MAX_EVENTS} events. Asked again, after applying, while
     * the decision says {@link Decision#more()}. The speaker of the context names no tenant.
     */
    default Decision fire(Context at) {
        return Decision.NOTHING;
    }

    /** When to call {@link #fire} next, epoch milliseconds; {@link Long#MAX_VALUE} when nothing waits. */
    default long nextDeadline() {
        return Long.MAX_VALUE;
    }

    /** This run of the hub began: absences count from now on. */
    default void started(long now) {}

    /** Whether a fact of that kind is this dimension's. */
    boolean holds(int kind);

    /**
     * Folds one of its facts into the state.
     *
     * @throws IllegalStateException when the fact does not fit the state: the shard must be reloaded
     */
    void apply(Fact fact);

    /** Writes the state; equal states give equal bytes. */
    void snapshot(Out out);

    /** Reads a state written by {@link #snapshot} into one that has none yet. */
    void restore(In in);
}
