package dev.harmovela.runtime.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.util.Date;
import java.util.List;
import java.util.function.UnaryOperator;

/** An issuer of tests: one key, and tokens of its own making. */
public final class Signer {

    /** What it calls itself. */
    public static final String ISSUER = "https://id.test";

    private final JWK key;
    private final JWSAlgorithm algorithm;

    private Signer(JWK key, JWSAlgorithm algorithm) {
        this.key = key;
        this.algorithm = algorithm;
    }

    /** One with a key on the curve P-256. */
    public static Signer ec(String keyId) throws JOSEException {
        return new Signer(new ECKeyGenerator(Curve.P_256).keyID(keyId).generate(), JWSAlgorithm.ES256);
    }

    static Signer rsa(String keyId, int bits) throws JOSEException {
        return new Signer(new RSAKeyGenerator(bits, true).keyID(keyId).generate(), JWSAlgorithm.RS256);
    }

    Signer with(JWSAlgorithm other) {
        return new Signer(key, other);
    }

    JWK key() {
        return key;
    }

    /** The public keys of several, as an issuer publishes them. */
    public static String keys(Signer... signers) {
        return new JWKSet(List.of(signers).stream().map(Signer::key).toList()).toString(true);
    }

    /** Claims that are right for an hour from then on. */
    public static JWTClaimsSet.Builder claims(String subject, long now) {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience("hub")
                .subject(subject)
                .expirationTime(new Date(now + 3_600_000));
    }

    /** A token with these claims. */
    public String sign(JWTClaimsSet.Builder claims) throws JOSEException {
        return sign(claims, header -> header);
    }

    String sign(JWTClaimsSet.Builder claims, UnaryOperator<JWSHeader.Builder> more) throws JOSEException {
        SignedJWT token = new SignedJWT(
                more.apply(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()))
                        .build(),
                claims.build());
        JWSSigner signer = key instanceof RSAKey rsa ? new RSASSASigner(rsa, true) : new ECDSASigner((ECKey) key);
        token.sign(signer);
        return token.serialize();
    }
}
