package dev.harmovela.conformance.a2a;

import java.util.Locale;

/** What a row came to. */
public enum RowStatus {
    /** Every check that applies passed. */
    SUPPORTED,
    /** Some passed, or some could not be run. */
    PARTIAL,
    /** It works, in the mesh dialect. */
    LEGACY_ALIAS,
    /** Nothing of it works. */
    UNSUPPORTED;

    /** As reports spell it. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
