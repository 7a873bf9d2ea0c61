package dev.harmovela.spi;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A read-only question.
 *
 * @param scope what is asked for: {@code tasks}, {@code task}, {@code history}, {@code sessions}, {@code session},
 *     {@code subscriptions}, {@code subscription}, {@code agents}, {@code deliveries}, {@code stats}, {@code status},
 *     {@code dead_letters}
 * @param id one thing's id, or null for a list
 * @param filter members that must be equal (list questions)
 * @param limit items at the most, 1 to 1000
 * @param cursor where the previous page ended, or null
 */
public record Ask(
        String scope,
        @Nullable String id,
        Json.Obj filter,
        int limit,
        @Nullable String cursor) {}
