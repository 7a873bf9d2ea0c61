package dev.harmovela.client.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads PEM files. Blocks. Messages name the file and never its content. */
final class Pem {

    private static final long LARGEST = 4 << 20;
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern FOREIGN_KEY = Pattern.compile("-----BEGIN (RSA|EC|DSA|ENCRYPTED) PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private Pem() {}

    /** All certificates of a file, at least one. */
    static List<X509Certificate> certificates(Path file) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            byte[] content = text(file).getBytes(StandardCharsets.ISO_8859_1);
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(content))
                    .forEach(certificate -> certificates.add((X509Certificate) certificate));
        } catch (CertificateException broken) {
            throw new IOException(file + " does not hold certificates in PEM", broken);
        }
        if (certificates.isEmpty()) {
            throw new IOException(file + " holds no certificate");
        }
        return certificates;
    }

    /** The private key of a file. */
    static PrivateKey key(Path file) throws IOException {
        String text = text(file);
        Matcher found = KEY.matcher(text);
        if (!found.find()) {
            throw new IOException(
                    FOREIGN_KEY.matcher(text).find()
                            ? file + " holds a private key of another form; openssl pkcs8 -topk8 -nodes changes it"
                            : file + " holds no private key (BEGIN PRIVATE KEY)");
        }
        PKCS8EncodedKeySpec encoded;
        try {
            encoded = new PKCS8EncodedKeySpec(
                    Base64.getMimeDecoder().decode(found.group(1).strip()));
        } catch (IllegalArgumentException broken) {
            throw new IOException(file + " holds a broken private key");
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException another) {
                // the next algorithm may know it
            } catch (GeneralSecurityException missing) {
                throw new IOException("this Java knows no " + algorithm + " keys", missing);
            }
        }
        throw new IOException(file + " holds a private key that is neither EC nor RSA nor Ed25519");
    }

    private static String text(Path file) throws IOException {
        try {
            if (Files.size(file) > LARGEST) {
                throw new IOException(file + " is larger than any PEM file");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException none) {
            throw new IOException("there is no file " + file, none);
        }
    }
}
