package dev.harmovela.contract;

/**
 * One durable change of state, decided once and folded by {@code apply} (core rule: decide, then apply). Immutable.
 * Everything that {@code apply} needs is in the fact, resolved: no clock, configuration or id is looked up while
 * folding.
 */
public interface Fact {

    /** Number of the kind, unique in the hub and never reused: 300 to 399 belong to tasks, 500 to 599 to governance. */
    int kind();

    /** Version of the form {@link #write} gives this kind; rises when the form changes. */
    default int version() {
        return 1;
    }

    /**
     * Whether it is written. One that is not holds until the hub stops: it goes with events that nobody asked to keep
     * (D45), and what is written must not depend on it.
     */
    default boolean kept() {
        return true;
    }

    /** Writes the fact without its kind and version; never asked of one that is not {@link #kept}. */
    void write(Out out);
}
