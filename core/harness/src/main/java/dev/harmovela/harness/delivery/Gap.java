package dev.harmovela.harness.delivery;

/**
 * What was lost just before a copy (D32).
 *
 * @param fromLsn first lost position
 * @param toLsn last lost position
 * @param reason {@code retention}, {@code lag} for the hub's own bound, or the bound of the subscription that was
 *     passed: {@code lag_events}, {@code lag_bytes}, {@code lag_age}
 */
public record Gap(long fromLsn, long toLsn, String reason) {}
