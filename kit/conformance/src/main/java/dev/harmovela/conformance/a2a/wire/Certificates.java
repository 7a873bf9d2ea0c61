package dev.harmovela.conformance.a2a.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The kit's own certificate, for agents that ask for one. */
public final class Certificates {

    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");

    private Certificates() {}

    /**
     * A TLS context that shows the certificate; whom it trusts is as the platform has it.
     *
     * @param certificates one or more in PEM, the kit's own first
     * @param key its key in PEM, PKCS 8 without a password
     * @throws GeneralSecurityException when they do not go together
     * @throws IllegalArgumentException when the key is no PEM
     */
    public static SSLContext context(String certificates, String key) throws GeneralSecurityException, IOException {
        Collection<? extends Certificate> chain = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(certificates.getBytes(StandardCharsets.US_ASCII)));
        if (chain.isEmpty()) {
            throw new GeneralSecurityException("no certificate");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("kit", key(key), new char[0], chain.toArray(Certificate[]::new));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static PrivateKey key(String pem) throws GeneralSecurityException {
        String body = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException other) {
                // the next one may fit
            }
        }
        throw new InvalidKeySpecException("a key of another kind");
    }
}
