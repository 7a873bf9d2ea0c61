package dev.harmovela.runtime.security;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.harness.TenantPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** Reads a security file and checks it as a whole: one thing wrong, and none of it holds. */
final class SecurityReader {

    private static final int MOST_TOKENS = 100_000;
    private static final int MOST_RULES = 1_000;

    private final GrantCheck grants;
    private final Map<String, Tenant> tenants = new LinkedHashMap<>();
    private final Map<String, List<String>> roles = new LinkedHashMap<>();
    private final Map<String, Token> tokens = new LinkedHashMap<>();

    private SecurityReader(EventRegistry registry) {
        this.grants = new GrantCheck(registry);
    }

    static SecurityFile read(String text, EventRegistry registry) throws SecurityProblem {
        Json content;
        try {
            content = Json.parse(text);
        } catch (JsonException broken) {
            throw new SecurityProblem("it is not JSON: " + broken.getMessage());
        }
        if (!(content instanceof Json.Obj file)) {
            throw new SecurityProblem("it is not a JSON object");
        }
        return new SecurityReader(registry).file(file);
    }

    /** Checks what a change made. */
    static SecurityFile checked(SecurityFile file, EventRegistry registry) throws SecurityProblem {
        return read(file.toJson().toString(), registry);
    }

    private SecurityFile file(Json.Obj file) throws SecurityProblem {
        only(file, "", Set.of("version", "tenants", "roles", "tokens", "certificates", "issuers"));
        Long version = file.integer("version");
        if (version == null || version != SecurityFile.VERSION) {
            throw new SecurityProblem("version must be " + SecurityFile.VERSION);
        }
        for (Map.Entry<String, Json> tenant : members(file, "tenants").entrySet()) {
            tenants.put(tenant.getKey(), tenant(tenant.getKey(), tenant.getValue()));
        }
        for (Map.Entry<String, Json> role : members(file, "roles").entrySet()) {
            String at = "roles." + role.getKey();
            GrantCheck.role(at, role.getKey());
            roles.put(role.getKey(), grants.all(at, texts(at, role.getValue())));
        }
        SecurityFile known = new SecurityFile(tenants, roles, Map.of(), Map.of(), Map.of());
        Set<String> hashes = new HashSet<>();
        Json list = file.get("tokens");
        if (list != null && !(list instanceof Json.Arr)) {
            throw new SecurityProblem("tokens must be an array");
        }
        for (Json item : list instanceof Json.Arr several ? several.items() : List.<Json>of()) {
            Token token = token("tokens." + tokens.size(), item, known);
            if (tokens.put(token.id(), token) != null || !hashes.add(token.sha256())) {
                throw new SecurityProblem("the token " + token.id() + " is there twice");
            }
        }
        if (tokens.size() > MOST_TOKENS) {
            throw new SecurityProblem("there are more than " + MOST_TOKENS + " tokens");
        }
        return new SecurityFile(
                tenants,
                roles,
                tokens,
                certificates(file.get("certificates"), known),
                new IssuerReader(grants, known).read(file.get("issuers")));
    }

    // --- tenants

    static Tenant tenant(String name, Json.Obj definition) throws SecurityProblem {
        return new SecurityReader(EventRegistry.standard()).tenant(name, (Json) definition);
    }

    private Tenant tenant(String name, Json value) throws SecurityProblem {
        String at = "tenants." + name;
        GrantCheck.tenant(at, name);
        Json.Obj tenant = object(at, value);
        only(tenant, at, Set.of("limits", "redact"));
        TenantPolicy.Limits limits = limits(at + ".limits", tenant.get("limits"));
        List<TenantPolicy.Redaction> rules = new ArrayList<>();
        Json redact = tenant.get("redact");
        if (redact != null && !(redact instanceof Json.Arr)) {
            throw new SecurityProblem(at + ".redact must be an array");
        }
        for (Json item : redact instanceof Json.Arr several ? several.items() : List.<Json>of()) {
            rules.add(redaction(at + ".redact." + rules.size(), item));
        }
        return new Tenant(name, new TenantPolicy(limits, rules));
    }

    private static TenantPolicy.Limits limits(String at, @Nullable Json value) throws SecurityProblem {
        if (value == null) {
            return TenantPolicy.Limits.NONE;
        }
        Json.Obj limits = object(at, value);
        only(limits, at, Set.of("sessions", "subscriptions", "in_flight", "in_flight_bytes", "publish_per_second"));
        return new TenantPolicy.Limits(
                limit(limits, at, "sessions"),
                limit(limits, at, "subscriptions"),
                limit(limits, at, "in_flight"),
                limit(limits, at, "in_flight_bytes"),
                limit(limits, at, "publish_per_second"));
    }

    private static long limit(Json.Obj limits, String at, String name) throws SecurityProblem {
        if (!limits.has(name)) {
            return Long.MAX_VALUE;
        }
        Long value = limits.integer(name);
        if (value == null || value < 1) {
            throw new SecurityProblem(at + "." + name + " must be a whole number above 0");
        }
        return value;
    }

    private TenantPolicy.Redaction redaction(String at, Json value) throws SecurityProblem {
        Json.Obj rule = object(at, value);
        only(rule, at, Set.of("types", "members", "unless"));
        List<TypePattern> types = new ArrayList<>();
        for (String pattern : texts(at + ".types", rule.get("types"))) {
            String problem = TypePattern.problem(pattern);
            if (problem != null) {
                throw new SecurityProblem(at + ".types: " + problem);
            }
            types.add(TypePattern.parse(pattern));
        }
        List<String> members = texts(at + ".members", rule.get("members"));
        String unless = rule.string("unless");
        if (types.isEmpty() || members.isEmpty() || unless == null) {
            throw new SecurityProblem(at + " needs types, members and unless");
        }
        return new TenantPolicy.Redaction(types, members, grants.one(at + ".unless", unless));
    }

    // --- tokens

    private Token token(String at, Json value, SecurityFile known) throws SecurityProblem {
        Json.Obj token = object(at, value);
        only(
                token,
                at,
                Set.of(
                        "id",
                        "sha256",
                        "identity",
                        "tenant",
                        "roles",
                        "grants",
                        "speaks_for",
                        "created_at",
                        "expires_at"));
        String id = needed(token, at, "id");
        String hash = needed(token, at, "sha256");
        if (!id.matches("tk_[A-Za-z0-9]{1,64}") || !hash.matches("[0-9a-f]{64}")) {
            throw new SecurityProblem(at + " needs an id tk_… and a SHA-256 in hexadecimal");
        }
        String identity = needed(token, at, "identity");
        GrantCheck.identity(at + ".identity", identity);
        String tenant = needed(token, at, "tenant");
        if (!known.hasTenant(tenant)) {
            throw new SecurityProblem(at + ".tenant: there is no tenant " + tenant);
        }
        List<String> held = roles(at, token, known);
        List<String> speaksFor = speaksFor(at, token);
        return new Token(
                id,
                hash,
                identity,
                tenant,
                held,
                grants.all(at + ".grants", texts(at + ".grants", token.get("grants"))),
                speaksFor,
                time(token, at, "created_at", 0),
                time(token, at, "expires_at", Long.MAX_VALUE));
    }

    static List<String> roles(String at, Json.Obj holder, SecurityFile known) throws SecurityProblem {
        List<String> held = texts(at + ".roles", holder.get("roles"));
        Set<String> names = known.effectiveRoles().names();
        for (String role : held) {
            if (!names.contains(role)) {
                throw new SecurityProblem(at + ".roles: there is no role " + role);
            }
        }
        return held;
    }

    static List<String> speaksFor(String at, Json.Obj holder) throws SecurityProblem {
        List<String> speaksFor = texts(at + ".speaks_for", holder.get("speaks_for"));
        for (String glob : speaksFor) {
            GrantCheck.identities(at + ".speaks_for", glob);
        }
        return speaksFor;
    }

    // --- certificates

    private Map<String, CertificateRule> certificates(@Nullable Json value, SecurityFile known) throws SecurityProblem {
        Map<String, CertificateRule> rules = new LinkedHashMap<>();
        if (value != null && !(value instanceof Json.Arr)) {
            throw new SecurityProblem("certificates must be an array");
        }
        for (Json item : value instanceof Json.Arr several ? several.items() : List.<Json>of()) {
            CertificateRule rule = certificate("certificates." + rules.size(), item, known);
            if (rules.put(rule.id(), rule) != null) {
                throw new SecurityProblem("the certificate rule " + rule.id() + " is there twice");
            }
        }
        if (rules.size() > MOST_RULES) {
            throw new SecurityProblem("there are more than " + MOST_RULES + " certificate rules");
        }
        return rules;
    }

    private CertificateRule certificate(String at, Json value, SecurityFile known) throws SecurityProblem {
        Json.Obj rule = object(at, value);
        only(rule, at, Set.of("id", "subject", "san", "identity", "tenant", "roles", "grants", "speaks_for"));
        String id = needed(rule, at, "id");
        if (!id.matches("ct_[A-Za-z0-9]{1,64}")) {
            throw new SecurityProblem(at + " needs an id ct_…");
        }
        String subject = rule.has("subject") ? needed(rule, at, "subject") : null;
        String san = rule.has("san") ? needed(rule, at, "san") : null;
        if (subject == null && san == null) {
            throw new SecurityProblem(at + " needs subject or san");
        }
        if (san != null && !san.matches("(?s)(dns|uri|email):.+")) {
            throw new SecurityProblem(at + ".san begins with dns:, uri: or email:");
        }
        try {
            var _ = subject == null ? null : new X500Principal(subject);
        } catch (IllegalArgumentException broken) {
            throw new SecurityProblem(at + ".subject is no name such as CN=planner,O=Acme");
        }
        String identity = needed(rule, at, "identity");
        GrantCheck.identity(at + ".identity", identity);
        String tenant = needed(rule, at, "tenant");
        if (!known.hasTenant(tenant)) {
            throw new SecurityProblem(at + ".tenant: there is no tenant " + tenant);
        }
        return new CertificateRule(
                id,
                subject,
                san,
                identity,
                tenant,
                roles(at, rule, known),
                grants.all(at + ".grants", texts(at + ".grants", rule.get("grants"))),
                speaksFor(at, rule));
    }

    private static long time(Json.Obj token, String at, String name, long otherwise) throws SecurityProblem {
        if (!token.has(name)) {
            return otherwise;
        }
        String text = token.string(name);
        long millis = text == null ? -1 : Timestamps.parse(text);
        if (millis < 0) {
            throw new SecurityProblem(at + "." + name + " must be a time (RFC 3339)");
        }
        return millis;
    }

    // --- members

    static void only(Json.Obj object, String at, Set<String> known) throws SecurityProblem {
        for (String name : object.names()) {
            if (!known.contains(name)) {
                throw new SecurityProblem((at.isEmpty() ? "" : at + ": ") + "there is no member " + name);
            }
        }
    }

    private static Map<String, Json> members(Json.Obj file, String name) throws SecurityProblem {
        Map<String, Json> members = new LinkedHashMap<>();
        Json value = file.get(name);
        if (value != null) {
            object(name, value).forEach(members::put);
        }
        return members;
    }

    static Json.Obj object(String at, Json value) throws SecurityProblem {
        if (value instanceof Json.Obj object) {
            return object;
        }
        throw new SecurityProblem(at + " must be an object");
    }

    static String needed(Json.Obj object, String at, String name) throws SecurityProblem {
        String value = object.string(name);
        if (value == null || value.isEmpty()) {
            throw new SecurityProblem(at + " needs " + name);
        }
        return value;
    }

    static List<String> texts(String at, @Nullable Json value) throws SecurityProblem {
        List<String> texts = new ArrayList<>();
        if (value == null) {
            return texts;
        }
        if (!(value instanceof Json.Arr several)) {
            throw new SecurityProblem(at + " must be an array of texts");
        }
        for (Json item : several.items()) {
            if (!(item instanceof Json.Str text)) {
                throw new SecurityProblem(at + " must be an array of texts");
            }
            texts.add(text.value());
        }
        return texts;
    }
}
