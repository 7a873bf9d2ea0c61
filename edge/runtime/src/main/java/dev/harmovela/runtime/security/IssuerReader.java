package dev.harmovela.runtime.security;

import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads who signs tokens, and checks it against the tenants and roles there are. */
final class IssuerReader {

    /** Everything here is asymmetric: no token is ever signed with what the hub could be told. */
    static final List<String> ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    private static final int MOST = 64;
    private static final long LONGEST_SKEW = 300_000;
    private static final long SKEW = 60_000;
    private static final Set<String> MEMBERS = Set.of(
            "id",
            "issuer",
            "audience",
            "keys",
            "keys_ca",
            "algorithms",
            "skew_ms",
            "identity_claim",
            "identity_prefix",
            "tenant",
            "tenant_claim",
            "tenants",
            "roles",
            "grants",
            "speaks_for",
            "claims");

    private final GrantCheck grants;
    private final SecurityFile known;

    IssuerReader(GrantCheck grants, SecurityFile known) {
        this.grants = grants;
        this.known = known;
    }

    Map<String, Issuer> read(@Nullable Json value) throws SecurityProblem {
        Map<String, Issuer> issuers = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        if (value != null && !(value instanceof Json.Arr)) {
            throw new SecurityProblem("issuers must be an array");
        }
        for (Json item : value instanceof Json.Arr several ? several.items() : List.<Json>of()) {
            Issuer issuer = issuer("issuers." + issuers.size(), SecurityReader.object("issuers", item));
            if (issuers.put(issuer.id(), issuer) != null || names.contains(issuer.issuer())) {
                throw new SecurityProblem("the issuer " + issuer.id() + " is there twice");
            }
            names.add(issuer.issuer());
        }
        if (issuers.size() > MOST) {
            throw new SecurityProblem("there are more than " + MOST + " issuers");
        }
        return issuers;
    }

    private Issuer issuer(String at, Json.Obj issuer) throws SecurityProblem {
        SecurityReader.only(issuer, at, MEMBERS);
        String id = SecurityReader.needed(issuer, at, "id");
        if (!id.matches("jw_[A-Za-z0-9]{1,64}")) {
            throw new SecurityProblem(at + " needs an id jw_…");
        }
        List<String> audience = SecurityReader.texts(at + ".audience", issuer.get("audience"));
        if (audience.isEmpty()) {
            throw new SecurityProblem(at + " needs audience: which hub its tokens are meant for");
        }
        List<Issuer.Rule> rules = new ArrayList<>();
        Json claims = issuer.get("claims");
        if (claims != null && !(claims instanceof Json.Arr)) {
            throw new SecurityProblem(at + ".claims must be an array");
        }
        for (Json item : claims instanceof Json.Arr several ? several.items() : List.<Json>of()) {
            rules.add(rule(at + ".claims." + rules.size(), SecurityReader.object(at + ".claims", item)));
        }
        return new Issuer(
                id,
                SecurityReader.needed(issuer, at, "issuer"),
                audience,
                keys(at, issuer),
                issuer.has("keys_ca") ? SecurityReader.needed(issuer, at, "keys_ca") : null,
                algorithms(at, issuer),
                skew(at, issuer),
                naming(at, issuer),
                realm(at, issuer),
                gift(at, issuer),
                rules);
    }

    private static String keys(String at, Json.Obj issuer) throws SecurityProblem {
        String keys = SecurityReader.needed(issuer, at, "keys");
        if (!isUrl(keys)) {
            return keys;
        }
        try {
            URI uri = URI.create(keys);
            if ("https".equals(uri.getScheme()) && uri.getHost() != null && uri.getUserInfo() == null) {
                return keys;
            }
        } catch (IllegalArgumentException broken) {
            throw new SecurityProblem(at + ".keys is no URL");
        }
        throw new SecurityProblem(at + ".keys must be an https URL or a file, or anybody on the way could sign");
    }

    /** Whether that is an address, and no file. */
    static boolean isUrl(String keys) {
        return keys.matches("[A-Za-z][A-Za-z0-9+.-]+://.*");
    }

    private static List<String> algorithms(String at, Json.Obj issuer) throws SecurityProblem {
        List<String> named = SecurityReader.texts(at + ".algorithms", issuer.get("algorithms"));
        for (String algorithm : named) {
            if (!ALGORITHMS.contains(algorithm)) {
                throw new SecurityProblem(
                        at + ".algorithms: " + algorithm + " is none of " + String.join(", ", ALGORITHMS));
            }
        }
        return named.isEmpty() ? List.of("RS256", "ES256") : named;
    }

    private static long skew(String at, Json.Obj issuer) throws SecurityProblem {
        if (!issuer.has("skew_ms")) {
            return SKEW;
        }
        Long skew = issuer.integer("skew_ms");
        if (skew == null || skew < 0 || skew > LONGEST_SKEW) {
            throw new SecurityProblem(at + ".skew_ms must be a whole number from 0 to " + LONGEST_SKEW);
        }
        return skew;
    }

    private static Issuer.Naming naming(String at, Json.Obj issuer) throws SecurityProblem {
        String claim = issuer.has("identity_claim") ? SecurityReader.needed(issuer, at, "identity_claim") : "sub";
        String prefix = issuer.has("identity_prefix") ? issuer.string("identity_prefix") : "agent:";
        if (prefix == null) {
            throw new SecurityProblem(at + ".identity_prefix must be a text");
        }
        return new Issuer.Naming(claim, prefix);
    }

    private Issuer.Realm realm(String at, Json.Obj issuer) throws SecurityProblem {
        boolean claimed = issuer.has("tenant_claim");
        if (claimed == issuer.has("tenant") || claimed != issuer.has("tenants")) {
            throw new SecurityProblem(at + " needs tenant, or tenant_claim and the tenants that it may name");
        }
        List<String> tenants = claimed
                ? SecurityReader.texts(at + ".tenants", issuer.get("tenants"))
                : List.of(SecurityReader.needed(issuer, at, "tenant"));
        if (tenants.isEmpty()) {
            throw new SecurityProblem(at + ".tenants names none");
        }
        for (String tenant : tenants) {
            if (!known.hasTenant(tenant)) {
                throw new SecurityProblem(at + ": there is no tenant " + tenant);
            }
        }
        return new Issuer.Realm(claimed ? SecurityReader.needed(issuer, at, "tenant_claim") : null, tenants);
    }

    private Issuer.Rule rule(String at, Json.Obj rule) throws SecurityProblem {
        SecurityReader.only(rule, at, Set.of("claim", "value", "roles", "grants", "speaks_for"));
        return new Issuer.Rule(
                SecurityReader.needed(rule, at, "claim"), SecurityReader.needed(rule, at, "value"), gift(at, rule));
    }

    private Issuer.Gift gift(String at, Json.Obj holder) throws SecurityProblem {
        return new Issuer.Gift(
                SecurityReader.roles(at, holder, known),
                grants.all(at + ".grants", SecurityReader.texts(at + ".grants", holder.get("grants"))),
                SecurityReader.speaksFor(at, holder));
    }
}
