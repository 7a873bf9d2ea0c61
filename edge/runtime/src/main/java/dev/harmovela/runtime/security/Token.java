package dev.harmovela.runtime.security;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.List;

/**
 * A bearer token as the security file keeps it; its secret is known to its holder only.
 *
 * @param id what it is called ({@code tk_…})
 * @param sha256 hash of the secret, in hexadecimal
 * @param identity who shows it
 * @param tenant whose data it reaches
 * @param roles roles it holds
 * @param grants actions and scopes it holds besides
 * @param speaksFor globs of identities whose events it may send too
 * @param createdAt epoch milliseconds
 * @param expiresAt epoch milliseconds, {@link Long#MAX_VALUE} = never
 */
public record Token(
        String id,
        String sha256,
        String identity,
        String tenant,
        List<String> roles,
        List<String> grants,
        List<String> speaksFor,
        long createdAt,
        long expiresAt) {

    public Token {
        roles = List.copyOf(roles);
        grants = List.copyOf(grants);
        speaksFor = List.copyOf(speaksFor);
    }

    /** As the file has it. */
    Json.Obj toJson() {
        return shown().put("sha256", sha256).build();
    }

    /** Everything about it but the hash. */
    public Json.Builder shown() {
        return Json.Obj.builder()
                .put("id", id)
                .put("identity", identity)
                .put("tenant", tenant)
                .put("roles", roles)
                .put("grants", grants.isEmpty() ? null : grants)
                .put("speaks_for", speaksFor.isEmpty() ? null : speaksFor)
                .put("created_at", Timestamps.format(createdAt))
                .put("expires_at", expiresAt == Long.MAX_VALUE ? null : Timestamps.format(expiresAt));
    }
}
