package dev.harmovela.conformance.a2a.check;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What one of the fixed cases came to.
 *
 * @param fixed which case
 * @param status its verdict
 * @param durationMs how long it took
 * @param message why, unless it passed; null when nothing is to be said
 * @param metadata what was seen; null when there is nothing
 */
public record CaseResult(
        FixedCase fixed,
        Status status,
        long durationMs,
        @Nullable String message,
        Json.@Nullable Obj metadata) {

    /** The verdict of a case. */
    public enum Status {
        PASS,
        FAIL,
        SKIP
    }
}
