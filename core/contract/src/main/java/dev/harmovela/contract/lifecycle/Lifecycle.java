package dev.harmovela.contract.lifecycle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A machine as a table: which event leads from which state to which. Built once, in a static field named {@code
 * TABLE}, and refused there when it is not consistent: an arc given twice, an exit from a terminal state, a state
 * that nothing leads to, or one without exits that is not declared terminal. Immutable and thread-safe.
 *
 * <p>The absent state (null) is the time before the thing exists; its arcs are the ways to create one.
 *
 * @param <S> states
 * @param <E> events; {@code toString()} gives the word shown in diagrams and refusals
 */
public final class Lifecycle<S extends Enum<S>, E extends Enum<E>> {

    /** One arrow of the machine; {@code from} is null where the event creates the thing. */
    public record Arc<S, E>(@Nullable S from, E event, S to) {}

    private final String name;
    private final Class<S> states;
    private final Class<E> events;
    private final List<Arc<S, E>> arcs;
    private final Set<S> terminal;
    private final Map<E, List<S>> starts;
    private final Map<S, Map<E, List<S>>> exits;

    private Lifecycle(Builder<S, E> from) {
        name = from.name;
        states = from.states;
        events = from.events;
        arcs = List.copyOf(from.arcs);
        terminal = EnumSet.copyOf(from.terminal);
        starts = new EnumMap<>(events);
        exits = new EnumMap<>(states);
        for (Arc<S, E> arc : arcs) {
            S state = arc.from();
            Map<E, List<S>> row = state == null ? starts : exits.computeIfAbsent(state, _ -> new EnumMap<>(events));
            row.merge(arc.event(), List.of(arc.to()), Lifecycle::joined);
        }
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        List<T> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    /** Begins a table. */
    public static <S extends Enum<S>, E extends Enum<E>> Builder<S, E> named(
            String name, Class<S> states, Class<E> events) {
        return new Builder<>(name, states, events);
    }

    /** Name of the machine, as in the file of its diagram. */
    public String name() {
        return name;
    }

    public Class<S> states() {
        return states;
    }

    public Class<E> events() {
        return events;
    }

    /** Every arrow, in the order of the table. */
    public List<Arc<S, E>> arcs() {
        return arcs;
    }

    /** The states that end the thing. */
    public Set<S> terminal() {
        return EnumSet.copyOf(terminal);
    }

    public boolean isTerminal(S state) {
        return terminal.contains(state);
    }

    /**
     * Where the event leads; null when the table does not allow it.
     *
     * @throws IllegalStateException when the table leaves a choice: ask {@link #targets} then
     */
    public @Nullable S next(@Nullable S from, E event) {
        List<S> targets = targets(from, event);
        if (targets.size() > 1) {
            throw new IllegalStateException(name + ": " + event + " leads from " + from + " to one of " + targets);
        }
        return targets.isEmpty() ? null : targets.get(0);
    }

    /** Every state the event may lead to; empty when the table does not allow it. */
    public List<S> targets(@Nullable S from, E event) {
        Map<E, List<S>> row = row(from);
        return row == null ? List.of() : row.getOrDefault(event, List.of());
    }

    /** The events that a thing in this state takes, in the order of their declaration; none in a terminal state. */
    public List<E> allowed(@Nullable S from) {
        Map<E, List<S>> row = row(from);
        return row == null ? List.of() : List.copyOf(row.keySet());
    }

    private @Nullable Map<E, List<S>> row(@Nullable S from) {
        return from == null ? starts : exits.get(from);
    }

    /**
     * The table as a Mermaid state diagram, one line an arrow in the order of the table, each line ended by a
     * newline.
     */
    public String mermaid() {
        StringBuilder out = new StringBuilder("stateDiagram-v2\n");
        for (Arc<S, E> arc : arcs) {
            String from = arc.from() == null ? "[*]" : arc.from().name();
            out.append("    ").append(from).append(" --> ").append(arc.to().name());
            out.append(" : ").append(arc.event()).append('\n');
        }
        for (S state : terminal) {
            out.append("    ").append(state.name()).append(" --> [*]\n");
        }
        return out.toString();
    }

    /** A table in the making. */
    public static final class Builder<S extends Enum<S>, E extends Enum<E>> {

        private final String name;
        private final Class<S> states;
        private final Class<E> events;
        private final List<Arc<S, E>> arcs = new ArrayList<>();
        private final Set<S> terminal;

        private Builder(String name, Class<S> states, Class<E> events) {
            this.name = name;
            this.states = states;
            this.events = events;
            terminal = EnumSet.noneOf(states);
        }

        /** The event creates the thing, in that state. */
        public Builder<S, E> start(E event, S to) {
            put(null, event, List.of(to));
            return this;
        }

        /** In {@code from} the event leads to {@code to}, or to one of several. */
        @SafeVarargs
        public final Builder<S, E> add(S from, E event, S to, S... others) {
            List<S> targets = new ArrayList<>(List.of(to));
            targets.addAll(List.of(others));
            put(from, event, targets);
            return this;
        }

        /** States that nothing leaves. */
        @SafeVarargs
        public final Builder<S, E> terminal(S... ends) {
            terminal.addAll(List.of(ends));
            return this;
        }

        private void put(@Nullable S from, E event, List<S> targets) {
            if (arcs.stream().anyMatch(arc -> arc.from() == from && arc.event() == event)
                    || targets.stream().distinct().count() < targets.size()) {
                throw broken("the arc from " + from + " by " + event + " is given twice");
            }
            for (S to : targets) {
                arcs.add(new Arc<>(from, event, to));
            }
        }

        /**
         * The finished table.
         *
         * @throws IllegalStateException when it is not consistent
         */
        public Lifecycle<S, E> build() {
            if (arcs.stream().noneMatch(arc -> arc.from() == null)) {
                throw broken("nothing begins it");
            }
            Set<S> reached = EnumSet.noneOf(states);
            arcs.forEach(arc -> reached.add(arc.to()));
            for (S state : states.getEnumConstants()) {
                boolean leaves = arcs.stream().anyMatch(arc -> arc.from() == state);
                if (leaves && terminal.contains(state)) {
                    throw broken("terminal state " + state + " has an exit");
                }
                if (!leaves && !terminal.contains(state)) {
                    throw broken("state " + state + " has no exit and is not terminal");
                }
                if (!reached.contains(state)) {
                    throw broken("nothing leads to state " + state);
                }
            }
            return new Lifecycle<>(this);
        }

        private IllegalStateException broken(String why) {
            return new IllegalStateException("lifecycle " + name + ": " + why);
        }
    }
}
