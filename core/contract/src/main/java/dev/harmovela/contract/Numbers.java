package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;

/** Numbers on the wire. */
final class Numbers {

    /** The largest integer taken in a member that the hub counts or measures with: exact in every implementation. */
    static final long MAX_INTEGER = (1L << 53) - 1;

    private Numbers() {}

    /** A whole number without a fraction ({@code 2}, not {@code 2.0}). */
    static Json json(double value) {
        long whole = (long) value;
        return whole == value ? Json.of(whole) : new Json.Num(Double.toString(value));
    }
}
