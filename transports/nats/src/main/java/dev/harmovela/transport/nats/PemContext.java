package dev.harmovela.transport.nats;

import dev.harmovela.transport.link.LinkFailed;
import dev.harmovela.transport.link.LinkSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS from PEM files: an authority, and a certificate with its key (PKCS#8) where the broker asks for one. */
final class PemContext {

    private static final char[] NONE = new char[0];

    private PemContext() {}

    static SSLContext of(LinkSettings settings) throws LinkFailed, GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        String ca = settings.credential("tls_ca");
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = null;
        if (ca != null) {
            trusted = empty();
            int number = 0;
            for (Certificate one : certificates(ca)) {
                trusted.setCertificateEntry("ca" + number++, one);
            }
        }
        trust.init(trusted);
        String certificate = settings.credential("tls_cert");
        String key = settings.credential("tls_key");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore own = empty();
        if (certificate != null && key != null) {
            own.setKeyEntry("own", key(key), NONE, certificates(certificate).toArray(Certificate[]::new));
        }
        keys.init(own, NONE);
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, NONE);
        return store;
    }

    private static Collection<? extends Certificate> certificates(String file)
            throws GeneralSecurityException, IOException {
        byte[] bytes = Files.readAllBytes(Path.of(file));
        return CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes));
    }

    private static PrivateKey key(String file) throws GeneralSecurityException, IOException {
        String text = Files.readString(Path.of(file));
        String body = text.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body));
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(spec);
        } catch (InvalidKeySpecException notRsa) {
            return KeyFactory.getInstance("EC").generatePrivate(spec);
        }
    }
}
