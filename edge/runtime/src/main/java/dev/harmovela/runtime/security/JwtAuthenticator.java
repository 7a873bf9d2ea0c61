package dev.harmovela.runtime.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows signed tokens (JWT, RFC 7519) of the issuers of a security file. What it decides needs no look elsewhere: keys
 * are fetched by whoever calls {@link #refresh}. What holds may be exchanged at any time, by any thread.
 */
public final class JwtAuthenticator implements Authenticator {

    private static final int LONGEST = 8192;
    /** Tokens for access; those of other uses are no credential ({@code typ}, RFC 8725, 3.11). */
    private static final Set<String> KINDS = Set.of("jwt", "at+jwt", "application/at+jwt");

    private final LongSupplier clock;
    private final Path security;
    private volatile Known known = new Known(SecurityFile.EMPTY, Map.of());

    /** Issuers by the name they give themselves. */
    private record Known(SecurityFile file, Map<String, IssuerKeys> issuers) {}

    /**
     * @param clock epoch milliseconds
     * @param security the security file, beside which files of keys are looked for
     */
    public JwtAuthenticator(LongSupplier clock, Path security) {
        this.clock = clock;
        this.security = security;
    }

    /** From now on the issuers of this file hold, and no others; keys that are known stay known. */
    public void use(SecurityFile file) {
        Map<String, IssuerKeys> now = new LinkedHashMap<>();
        for (Issuer issuer : file.issuers().values()) {
            IssuerKeys keys = new IssuerKeys(issuer, security);
            IssuerKeys former = known.issuers().get(issuer.issuer());
            if (former != null && former.isOf(issuer)) {
                keys.takeOver(former);
            }
            now.put(issuer.issuer(), keys);
        }
        known = new Known(file, now);
    }

    /**
     * Fetches keys for which it is time. Blocks for some seconds at most; not to be called by two threads at once.
     *
     * @return what went wrong, in sentences without secrets
     */
    public List<String> refresh() {
        List<String> problems = new ArrayList<>();
        for (IssuerKeys keys : known.issuers().values()) {
            keys.refresh(clock.getAsLong());
            String problem = keys.problem();
            if (problem != null) {
                problems.add(problem);
            }
        }
        return problems;
    }

    @Override
    public Verdict authenticate(Credentials credentials) {
        String token = credentials.bearerToken();
        Known now = known;
        if (token == null || token.startsWith(Secrets.PREFIX) || now.issuers().isEmpty()) {
            return new Verdict.NotMine();
        }
        if (token.length() > LONGEST) {
            return new Verdict.Refused("broken_token");
        }
        try {
            return judge(SignedJWT.parse(token), now);
        } catch (ParseException | JOSEException | RuntimeException broken) {
            return new Verdict.Refused("broken_token");
        }
    }

    private Verdict judge(SignedJWT token, Known now) throws ParseException, JOSEException {
        JWSHeader header = token.getHeader();
        JWTClaimsSet claims = token.getJWTClaimsSet();
        IssuerKeys keys = claims == null || claims.getIssuer() == null
                ? null
                : now.issuers().get(claims.getIssuer());
        if (claims == null || keys == null) {
            return new Verdict.Refused("unknown_issuer");
        }
        Issuer issuer = keys.issuer();
        JOSEObjectType kind = header.getType();
        if (!issuer.algorithms().contains(header.getAlgorithm().getName())
                || (kind != null && !KINDS.contains(kind.getType().toLowerCase(java.util.Locale.ROOT)))) {
            return new Verdict.Refused("forbidden_algorithm");
        }
        List<JWK> candidates = keys.find(header, clock.getAsLong());
        if (candidates.isEmpty()) {
            return new Verdict.Refused("unknown_key");
        }
        if (!isSigned(token, candidates)) {
            return new Verdict.Refused("wrong_signature");
        }
        return proved(claims, issuer, now.file());
    }

    private static boolean isSigned(SignedJWT token, List<JWK> candidates) throws JOSEException {
        for (JWK key : candidates) {
            JWSVerifier verifier = verifier(key);
            if (verifier != null && token.verify(verifier)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable JWSVerifier verifier(JWK key) throws JOSEException {
        if (key instanceof RSAKey rsa) {
            return new RSASSAVerifier(rsa);
        }
        return key instanceof ECKey curve ? new ECDSAVerifier(curve) : null;
    }

    /** What claims come to whose signature is right. */
    private Verdict proved(JWTClaimsSet claims, Issuer issuer, SecurityFile file) {
        long now = clock.getAsLong();
        boolean endless = claims.getExpirationTime() == null;
        if (endless || claims.getAudience().stream().noneMatch(issuer.audience()::contains)) {
            return new Verdict.Refused(endless ? "endless_token" : "wrong_audience");
        }
        if (claims.getClaim("cnf") != null) {
            // bound to a key whose possession nothing here proves (RFC 7800)
            return new Verdict.Refused("bound_token");
        }
        long end = claims.getExpirationTime().toInstant().toEpochMilli() + issuer.skewMs();
        boolean early = claims.getNotBeforeTime() != null
                && claims.getNotBeforeTime().toInstant().toEpochMilli() - issuer.skewMs() > now;
        if (end <= now || early) {
            return new Verdict.Refused(end <= now ? "expired_token" : "early_token");
        }
        return switch (issuer.callerOf(claims.getClaims(), end, file)) {
            case Issuer.Found.Somebody found -> new Verdict.Known(found.caller());
            case Issuer.Found.None none -> new Verdict.Refused(none.reason());
        };
    }

    /** A token holds until it ends, or until anything changes that it rests on: then it is to be shown again. */
    @Override
    public @Nullable Caller again(Caller held) {
        String name = held.credential().name();
        if (!name.startsWith(Issuer.NAME)) {
            return held;
        }
        Known now = known;
        boolean holds = held.credential().expiresAt() > clock.getAsLong()
                && now.file().issuers().values().stream()
                        .anyMatch(issuer -> issuer.credentialName(now.file()).equals(name));
        return holds ? held : null;
    }
}
