package dev.harmovela.contract;

/** Makes identifiers. */
@FunctionalInterface
public interface Ids {

    /**
     * A new id: the prefix, an underscore and a ULID ({@code next("evt")} is {@code evt_01J…}); never the same twice.
     */
    String next(String prefix);
}
