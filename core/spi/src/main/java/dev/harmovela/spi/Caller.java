package dev.harmovela.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is behind a wire, as far as its transport could verify it, and what that allows.
 *
 * @param identity the authenticated identity ({@code agent:name}), or null when anybody may be behind it
 * @param tenant the tenant of the credential
 * @param trust how far names inside messages are believed
 * @param credential what proved it
 */
public record Caller(@Nullable String identity, String tenant, Trust trust, Credential credential) {

    /** How far names inside messages are believed. */
    public enum Trust {
        /** Fixtures and stdio: both sides of a conversation, roles and tenants in the envelope count (D7, D24). */
        IMPLIED,
        /** {@code serve --dev}: the named source is believed, roles are not. */
        OPEN,
        /** Only what the credential says. */
        VERIFIED
    }

    /** The default tenant. */
    public static final String DEFAULT_TENANT = "default";

    /** Anybody on loopback of a development hub: an admin of the default tenant under the name it gives. */
    public static Caller open() {
        return new Caller(null, DEFAULT_TENANT, Trust.OPEN, Credential.OPEN);
    }

    /** The process at the other end of a pipe. */
    public static Caller implied() {
        return new Caller(null, DEFAULT_TENANT, Trust.IMPLIED, Credential.PROCESS);
    }

    /** Somebody whose credential was checked. */
    public static Caller verified(String identity, String tenant, Credential credential) {
        return new Caller(identity, tenant, Trust.VERIFIED, credential);
    }

    /** Names of the roles its credential holds. */
    public List<String> roles() {
        return credential.roles();
    }

    /** Actions and scopes its credential grants. */
    public List<String> grants() {
        return credential.grants();
    }

    /** Globs of the identities it may speak for beside its own. */
    public List<String> speaksFor() {
        return credential.speaksFor();
    }
}
