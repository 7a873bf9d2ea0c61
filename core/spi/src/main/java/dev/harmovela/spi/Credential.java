package dev.harmovela.spi;

import java.util.List;

/**
 * What the proof of an identity grants, as plain data. Immutable; two equal ones grant the same.
 *
 * @param name what the audit calls it: {@code token:tk_…}, {@code certificate:…}, {@code jwt:issuer/sub}, {@code
 *     process}, {@code open}; never a secret
 * @param roles names of the roles it holds
 * @param grants actions, globs of actions and scopes ({@code write:task}, {@code send:agent:*}), its roles spelled out
 * @param speaksFor globs of the identities whose events it may send beside its own
 * @param expiresAt when it stops to be one in epoch milliseconds, {@link Long#MAX_VALUE} = never
 */
public record Credential(String name, List<String> roles, List<String> grants, List<String> speaksFor, long expiresAt) {

    /** What no glob ever grants: it has to be named. */
    public static final String HUB_READ = "hub.read";

    /** Whoever reaches the port of a development hub: everything within the tenant. */
    public static final Credential OPEN =
            new Credential("open", List.of("admin"), List.of("*", HUB_READ), List.of("*"), Long.MAX_VALUE);

    /** The process at the other end of a pipe. */
    public static final Credential PROCESS =
            new Credential("process", List.of(), List.of("*"), List.of("*"), Long.MAX_VALUE);

    public Credential {
        roles = List.copyOf(roles);
        grants = List.copyOf(grants);
        speaksFor = List.copyOf(speaksFor);
    }
}
