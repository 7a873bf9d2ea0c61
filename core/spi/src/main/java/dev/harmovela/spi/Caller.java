package dev.harmovela.spi;

import org.jspecify.annotations.Nullable;

/**
 * Who is behind a wire, as far as its transport could verify it.
 *
 * @param identity the authenticated identity ({@code agent:name}), or null when anybody may be behind it
 * @param tenant the tenant of the credential
 * @param trust how far names inside messages are believed
 */
public record Caller(@Nullable String identity, String tenant, Trust trust) {

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

    /** Anybody on loopback of a development hub. */
    public static Caller open() {
        return new Caller(null, DEFAULT_TENANT, Trust.OPEN);
    }

    /** The process at the other end of a pipe. */
    public static Caller implied() {
        return new Caller(null, DEFAULT_TENANT, Trust.IMPLIED);
    }
}
