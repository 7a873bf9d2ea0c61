package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;

/** Doubles as JSON numbers. */
final class Numbers {

    private Numbers() {}

    /** A whole number without a fraction ({@code 2}, not {@code 2.0}). */
    static Json json(double value) {
        long whole = (long) value;
        return whole == value ? Json.of(whole) : new Json.Num(Double.toString(value));
    }
}
