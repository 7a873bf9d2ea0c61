package dev.harmovela.runtime.security;

import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.Roles;
import dev.harmovela.harness.TenantPolicy;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tenants, roles and tokens of a hub, as one consistent whole. Immutable; a change makes another one.
 *
 * @param tenants by name; the default tenant is there even when it is not listed
 * @param roles actions and scopes by role, beyond the standard roles or instead of them
 * @param tokens bearer tokens by id
 * @param certificates who client certificates stand for, by id, the first that fits decides
 * @param issuers who signs tokens that are believed, by id
 */
public record SecurityFile(
        Map<String, Tenant> tenants,
        Map<String, List<String>> roles,
        Map<String, Token> tokens,
        Map<String, CertificateRule> certificates,
        Map<String, Issuer> issuers) {

    /** Nobody is let in. */
    public static final SecurityFile EMPTY = new SecurityFile(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    static final long VERSION = 1;

    public SecurityFile {
        tenants = Map.copyOf(tenants);
        roles = Map.copyOf(roles);
        tokens = new LinkedHashMap<>(tokens);
        certificates = new LinkedHashMap<>(certificates);
        issuers = new LinkedHashMap<>(issuers);
    }

    // --- changes

    /** With a tenant, or another one of that name. */
    public SecurityFile with(Tenant tenant) {
        Map<String, Tenant> more = new LinkedHashMap<>(tenants);
        more.put(tenant.name(), tenant);
        return new SecurityFile(more, roles, tokens, certificates, issuers);
    }

    /** Without that tenant. */
    public SecurityFile withoutTenant(String name) {
        Map<String, Tenant> less = new LinkedHashMap<>(tenants);
        less.remove(name);
        return new SecurityFile(less, roles, tokens, certificates, issuers);
    }

    /** With a role, or another meaning for it. */
    public SecurityFile withRole(String name, List<String> grants) {
        Map<String, List<String>> more = new LinkedHashMap<>(roles);
        more.put(name, List.copyOf(grants));
        return new SecurityFile(tenants, more, tokens, certificates, issuers);
    }

    /** Without that role; a standard role of the name comes to light again. */
    public SecurityFile withoutRole(String name) {
        Map<String, List<String>> less = new LinkedHashMap<>(roles);
        less.remove(name);
        return new SecurityFile(tenants, less, tokens, certificates, issuers);
    }

    /** With a token. */
    public SecurityFile with(Token token) {
        Map<String, Token> more = new LinkedHashMap<>(tokens);
        more.put(token.id(), token);
        return new SecurityFile(tenants, roles, more, certificates, issuers);
    }

    /** Without that token. */
    public SecurityFile withoutToken(String id) {
        Map<String, Token> less = new LinkedHashMap<>(tokens);
        less.remove(id);
        return new SecurityFile(tenants, roles, less, certificates, issuers);
    }

    // --- what it means

    /** Whether the tenant is known. */
    public boolean hasTenant(String name) {
        return name.equals(Caller.DEFAULT_TENANT) || tenants.containsKey(name);
    }

    /** The roles that hold: the standard ones, and those of the file over them. */
    public Roles effectiveRoles() {
        Roles all = Roles.STANDARD;
        for (Map.Entry<String, List<String>> role : roles.entrySet()) {
            all = all.with(role.getKey(), role.getValue());
        }
        return all;
    }

    /** Names of all roles, the standard ones first. */
    public Set<String> roleNames() {
        return effectiveRoles().names();
    }

    /** Actions and scopes of a role, spelled out. */
    public List<String> grantsOf(String role) {
        return List.copyOf(effectiveRoles().grants(List.of(role)));
    }

    /** Who shows a token. */
    public Caller callerOf(Token token) {
        return Caller.verified(
                token.identity(),
                token.tenant(),
                credential("token:" + token.id(), token.roles(), token.grants(), token.speaksFor(), token.expiresAt()));
    }

    /** Who shows a certificate for which a rule holds. */
    Caller callerOf(CertificateRule rule) {
        return Caller.verified(
                rule.identity(),
                rule.tenant(),
                credential(rule.credentialName(), rule.roles(), rule.grants(), rule.speaksFor(), Long.MAX_VALUE));
    }

    /** What roles and further grants come to, the roles spelled out. */
    public Credential credential(
            String name, List<String> held, List<String> grants, List<String> speaksFor, long expiresAt) {
        Set<String> all = new LinkedHashSet<>(effectiveRoles().grants(held));
        all.addAll(grants);
        return new Credential(name, held, List.copyOf(all), speaksFor, expiresAt);
    }

    /** Limits and redactions of the tenants that have any. */
    public Map<String, TenantPolicy> policies() {
        Map<String, TenantPolicy> policies = new LinkedHashMap<>();
        tenants.forEach((name, tenant) -> policies.put(name, tenant.policy()));
        return policies;
    }

    /** As it is written. */
    Json.Obj toJson() {
        Json.Builder shownTenants = Json.Obj.builder();
        tenants.keySet().stream()
                .sorted()
                .forEach(name -> shownTenants.put(
                        name,
                        java.util.Objects.requireNonNull(tenants.get(name)).toJson()));
        Json.Builder shownRoles = Json.Obj.builder();
        roles.keySet().stream().sorted().forEach(name -> shownRoles.put(name, roles.get(name)));
        List<Json> shownTokens = new ArrayList<>();
        tokens.values().forEach(token -> shownTokens.add(token.toJson()));
        List<Json> shownCertificates = new ArrayList<>();
        certificates.values().forEach(rule -> shownCertificates.add(rule.toJson()));
        List<Json> shownIssuers = new ArrayList<>();
        issuers.values().forEach(issuer -> shownIssuers.add(issuer.toJson()));
        return Json.Obj.builder()
                .put("version", VERSION)
                .put("tenants", shownTenants.build())
                .put("roles", shownRoles.build())
                .put("tokens", new Json.Arr(shownTokens))
                .put("certificates", shownCertificates.isEmpty() ? null : new Json.Arr(shownCertificates))
                .put("issuers", shownIssuers.isEmpty() ? null : new Json.Arr(shownIssuers))
                .build();
    }
}
