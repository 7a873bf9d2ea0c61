package dev.harmovela.runtime.security;

import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows who client certificates stand for, by the rules of a security file; that they are genuine was proved at the
 * handshake. A bearer token shown beside one decides instead of it. What holds may be exchanged by any thread.
 */
public final class CertificateAuthenticator implements Authenticator {

    static final String NAME = "certificate:";

    private final LongSupplier clock;
    private volatile Map<CertificateRule, Caller> rules = Map.of();

    /** @param clock epoch milliseconds */
    public CertificateAuthenticator(LongSupplier clock) {
        this.clock = clock;
    }

    /** From now on the rules of this file hold, and no others. */
    public void use(SecurityFile file) {
        Map<CertificateRule, Caller> now = new LinkedHashMap<>();
        file.certificates().values().forEach(rule -> now.put(rule, file.callerOf(rule)));
        rules = now;
    }

    @Override
    public Verdict authenticate(Credentials credentials) {
        List<X509Certificate> chain = credentials.clientCertificates();
        if (chain.isEmpty() || credentials.bearerToken() != null) {
            return new Verdict.NotMine();
        }
        X509Certificate shown = chain.getFirst();
        long end = shown.getNotAfter().toInstant().toEpochMilli();
        if (end <= clock.getAsLong()) {
            return new Verdict.Refused("expired_certificate");
        }
        for (Map.Entry<CertificateRule, Caller> rule : rules.entrySet()) {
            if (rule.getKey().fits(shown)) {
                return new Verdict.Known(until(rule.getValue(), end));
            }
        }
        return new Verdict.Refused("unknown_certificate");
    }

    @Override
    public @Nullable Caller again(Caller held) {
        Credential credential = held.credential();
        if (!credential.name().startsWith(NAME)) {
            return held;
        }
        for (Caller caller : rules.values()) {
            if (caller.credential().name().equals(credential.name()) && credential.expiresAt() > clock.getAsLong()) {
                return until(caller, credential.expiresAt());
            }
        }
        return null;
    }

    private static Caller until(Caller caller, long end) {
        Credential held = caller.credential();
        return Caller.verified(
                java.util.Objects.requireNonNull(caller.identity()),
                caller.tenant(),
                new Credential(held.name(), held.roles(), held.grants(), held.speaksFor(), end));
    }
}
