package dev.harmovela.contract;

/** Makes identifiers. */
@FunctionalInterface
public interface Ids {

    /**
     * A new id: the prefix, an underscore and a ULID ({@code next("evt")} is {@code evt_01J…}); never the same twice.
     */
    String next(String prefix);

    /** A number from 0 to below 1, as hard to foretell as the next id and, like it, the same for the same beginning. */
    default double fraction() {
        long mixed = next("").hashCode() * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return ((mixed ^ mixed >>> 31) >>> 11) * 0x1p-53;
    }
}
