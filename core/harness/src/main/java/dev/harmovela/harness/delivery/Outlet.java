package dev.harmovela.harness.delivery;

import org.jspecify.annotations.Nullable;

/** A wire that can take deliveries of a feed. */
public interface Outlet {

    /** Whether one more delivery may be handed over now. */
    boolean hasRoom();

    /** Session whose acknowledgements count for what it is given, or null for a caller without one. */
    @Nullable String holder();

    /** Told once per delivery it was given, before anything is sent. */
    default void reserved() {}
}
