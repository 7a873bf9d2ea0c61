package dev.harmovela.client.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where one side of TLS finds what it proves itself with and whom it believes: PEM files.
 *
 * @param certificate the chain to show, its own certificate first; null to show none
 * @param key the private key of that certificate (PKCS #8, not encrypted)
 * @param authorities certificates of the authorities that are believed; null for those of the platform
 */
public record TlsFiles(
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path authorities) {

    public TlsFiles {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("a certificate and its key are named together");
        }
    }

    /** What the files held when they were read. The key stays inside. */
    public record Loaded(SSLContext context, List<X509Certificate> chain, List<X509Certificate> authorities) {
        public Loaded {
            chain = List.copyOf(chain);
            authorities = List.copyOf(authorities);
        }
    }

    /**
     * Reads the files. Blocks.
     *
     * @throws IOException when one is missing or not what it should be, or the key is another certificate's; the
     *     message names the file and holds nothing secret
     */
    public Loaded load() throws IOException {
        List<X509Certificate> chain = certificate == null ? List.of() : Pem.certificates(certificate);
        List<X509Certificate> believed = authorities == null ? List.of() : Pem.certificates(authorities);
        PrivateKey secret = key == null ? null : Pem.key(key);
        if (secret != null && !belongTogether(secret, chain.getFirst().getPublicKey())) {
            throw new IOException(key + " is not the key of " + certificate);
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    secret == null ? null : keys(secret, chain),
                    believed.isEmpty() ? null : trust(believed),
                    new SecureRandom());
            return new Loaded(context, chain, believed);
        } catch (GeneralSecurityException unusable) {
            throw new IOException("the certificates cannot be used: " + unusable.getMessage(), unusable);
        }
    }

    /** The files there are. */
    public List<Path> all() {
        List<Path> files = new ArrayList<>();
        for (@Nullable Path file : new @Nullable Path[] {certificate, key, authorities}) {
            if (file != null) {
                files.add(file);
            }
        }
        return files;
    }

    private static boolean belongTogether(PrivateKey secret, PublicKey open) {
        String algorithm = switch (secret.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        byte[] probe = "which key is it".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(secret);
            signing.update(probe);
            byte[] signed = signing.sign();
            Signature checking = Signature.getInstance(algorithm);
            checking.initVerify(open);
            checking.update(probe);
            return checking.verify(signed);
        } catch (GeneralSecurityException another) {
            return false;
        }
    }

    private static KeyManager[] keys(PrivateKey secret, List<X509Certificate> chain)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", secret, new char[0], chain.toArray(new X509Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static TrustManager[] trust(List<X509Certificate> believed) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < believed.size(); i++) {
            store.setCertificateEntry("authority-" + i, believed.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
