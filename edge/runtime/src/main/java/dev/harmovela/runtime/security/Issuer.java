package dev.harmovela.runtime.security;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who signs tokens (JWT) that the hub believes, and what their claims mean here. What the claims say counts only as far
 * as {@code rules} give it a meaning: an issuer names no role and no grant of the hub by itself.
 *
 * @param id what the audit calls it, {@code jw_…}
 * @param issuer the claim {@code iss}, exactly
 * @param audience values of {@code aud} of which a token names at least one
 * @param keys where its keys are (JWKS): an https URL, or a file, relative to the security file
 * @param authorities PEM file of the authorities that vouch for that URL, or null for those of the platform
 * @param algorithms names of signature algorithms (RFC 7518) it may use, asymmetric ones only
 * @param skewMs how far its clock and ours may differ, 0 to 300000
 * @param identity how its tokens name an identity
 * @param realm which tenants they reach
 * @param base roles and grants of each of its tokens
 * @param rules what claims give beside
 */
public record Issuer(
        String id,
        String issuer,
        List<String> audience,
        String keys,
        @Nullable String authorities,
        List<String> algorithms,
        long skewMs,
        Naming identity,
        Realm realm,
        Gift base,
        List<Rule> rules) {

    /** How the credentials of tokens are called: {@code jwt:jw_…/…}. */
    static final String NAME = "jwt:";

    public Issuer {
        audience = List.copyOf(audience);
        algorithms = List.copyOf(algorithms);
        rules = List.copyOf(rules);
    }

    /**
     * How a token names an identity.
     *
     * @param claim name of the claim, {@code sub}
     * @param prefix what is put before its value, {@code agent:}
     */
    public record Naming(String claim, String prefix) {}

    /**
     * Which tenants tokens reach.
     *
     * @param claim the claim that names the tenant, or null where it is always the same
     * @param tenants those it may name; without a claim exactly one
     */
    public record Realm(@Nullable String claim, List<String> tenants) {
        public Realm {
            tenants = List.copyOf(tenants);
        }
    }

    /**
     * What a token gets.
     *
     * @param roles roles
     * @param grants actions and scopes beside those of its roles
     * @param speaksFor globs of the identities whose events it may send
     */
    public record Gift(List<String> roles, List<String> grants, List<String> speaksFor) {
        public Gift {
            roles = List.copyOf(roles);
            grants = List.copyOf(grants);
            speaksFor = List.copyOf(speaksFor);
        }

        Json.Builder shown() {
            return Json.Obj.builder()
                    .put("roles", roles.isEmpty() ? null : roles)
                    .put("grants", grants.isEmpty() ? null : grants)
                    .put("speaks_for", speaksFor.isEmpty() ? null : speaksFor);
        }
    }

    /**
     * What the value of a claim gives.
     *
     * @param claim name of the claim; {@code realm_access.roles} also finds a member of a member
     * @param value what it is, or what one of its items or of its words is
     * @param gift what that gives
     */
    public record Rule(String claim, String value, Gift gift) {

        boolean fits(Map<String, Object> claims) {
            Object held = find(claims, claim);
            return switch (held) {
                case String text ->
                    text.equals(value) || Arrays.asList(text.split(" ", -1)).contains(value);
                case List<?> several -> several.contains(value);
                case null, default -> false;
            };
        }
    }

    /** Who shows a token with these claims, which were proved; or why that is nobody. */
    Found callerOf(Map<String, Object> claims, long expiresAt, SecurityFile file) {
        if (!(find(claims, identity.claim()) instanceof String name)) {
            return new Found.None("unnamed_token");
        }
        String who = identity.prefix() + name;
        String tenant = tenant(claims);
        if (GrantCheck.identityProblem(who) != null) {
            return new Found.None("unusable_identity");
        }
        if (tenant == null) {
            return new Found.None("unknown_tenant");
        }
        Set<String> roles = new LinkedHashSet<>(base.roles());
        Set<String> grants = new LinkedHashSet<>(base.grants());
        Set<String> speaksFor = new LinkedHashSet<>(base.speaksFor());
        for (Rule rule : rules) {
            if (rule.fits(claims)) {
                roles.addAll(rule.gift().roles());
                grants.addAll(rule.gift().grants());
                speaksFor.addAll(rule.gift().speaksFor());
            }
        }
        return new Found.Somebody(Caller.verified(
                who,
                tenant,
                file.credential(
                        credentialName(file),
                        List.copyOf(roles),
                        List.copyOf(grants),
                        List.copyOf(speaksFor),
                        expiresAt)));
    }

    /** What proved claims come to. */
    sealed interface Found {

        /** That is who it is. */
        record Somebody(Caller caller) implements Found {}

        /** Nobody, for a reason that the audit is told. */
        record None(String reason) implements Found {}
    }

    /** What its credentials are called: another name when anything that they rest on is another. */
    String credentialName(SecurityFile file) {
        Set<String> roles = new LinkedHashSet<>(base.roles());
        rules.forEach(rule -> roles.addAll(rule.gift().roles()));
        StringBuilder basis = new StringBuilder(toJson().toString());
        roles.forEach(role -> basis.append('\n').append(role).append(file.grantsOf(role)));
        return NAME + id + "/" + Secrets.hash(basis.toString()).substring(0, 16);
    }

    private @Nullable String tenant(Map<String, Object> claims) {
        String claim = realm.claim();
        if (claim == null) {
            return realm.tenants().getFirst();
        }
        return find(claims, claim) instanceof String named && realm.tenants().contains(named) ? named : null;
    }

    private static @Nullable Object find(Map<?, ?> claims, String name) {
        Object whole = claims.get(name);
        int dot = name.indexOf('.');
        if (whole != null || dot < 0) {
            return whole;
        }
        return claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner
                ? find(inner, name.substring(dot + 1))
                : null;
    }

    Json.Obj toJson() {
        List<Json> shown = new ArrayList<>();
        for (Rule rule : rules) {
            shown.add(rule.gift()
                    .shown()
                    .put("claim", rule.claim())
                    .put("value", rule.value())
                    .build());
        }
        boolean named = realm.claim() != null;
        return base.shown()
                .put("id", id)
                .put("issuer", issuer)
                .put("audience", audience)
                .put("keys", keys)
                .put("keys_ca", authorities)
                .put("algorithms", algorithms)
                .put("skew_ms", skewMs)
                .put("identity_claim", identity.claim())
                .put("identity_prefix", identity.prefix())
                .put("tenant", named ? null : realm.tenants().getFirst())
                .put("tenant_claim", realm.claim())
                .put("tenants", named ? realm.tenants() : null)
                .put("claims", shown.isEmpty() ? null : new Json.Arr(shown))
                .build();
    }
}
