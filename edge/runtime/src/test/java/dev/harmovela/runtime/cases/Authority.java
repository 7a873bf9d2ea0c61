package dev.harmovela.runtime.cases;

import dev.harmovela.client.tls.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A certificate authority of a test, made with the keytool of this Java. */
final class Authority {

    private static final String PASSWORD = "changeit";

    private final Path folder;
    private final Path store;

    Authority(Path folder, String name) throws Exception {
        this.folder = Files.createDirectories(folder);
        this.store = folder.resolve("authority.p12");
        keytool("-genkeypair", "-keystore", store.toString(), "-alias", "ca", "-dname", "CN=" + name, "-ext", "bc:c");
        export(store, "ca", "ca");
    }

    /** Its own certificate. */
    Path certificate() {
        return folder.resolve("ca.pem");
    }

    /** Issues a certificate into {@code file.pem} and its key into {@code file.key}. */
    void issue(String file, String name, String san, String... more) throws Exception {
        Path own = folder.resolve(file + ".p12");
        Files.deleteIfExists(own);
        List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-keystore", own.toString()));
        arguments.addAll(List.of("-alias", "own", "-dname", name, "-ext", "san=" + san));
        arguments.addAll(List.of("-signer", "ca", "-signerkeypass", PASSWORD));
        arguments.addAll(List.of(more));
        // the signer has to be in the same store
        keytool(
                "-importkeystore",
                "-srckeystore",
                store.toString(),
                "-srcstorepass",
                PASSWORD,
                "-destkeystore",
                own.toString());
        keytool(arguments.toArray(String[]::new));
        export(own, "own", file);
    }

    Path chain(String file) {
        return folder.resolve(file + ".pem");
    }

    Path key(String file) {
        return folder.resolve(file + ".key");
    }

    /** What a client believes, and shows when a file is named. */
    SSLContext client(@Nullable String file) throws IOException {
        return new TlsFiles(file == null ? null : chain(file), file == null ? null : key(file), certificate())
                .load()
                .context();
    }

    private void export(Path from, String alias, String file) throws Exception {
        KeyStore opened = KeyStore.getInstance(from.toFile(), PASSWORD.toCharArray());
        StringBuilder chain = new StringBuilder();
        for (var certificate : opened.getCertificateChain(alias)) {
            chain.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        write(
                file + ".key",
                pem("PRIVATE KEY", opened.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
        write(file + ".pem", chain.toString());
    }

    private void write(String name, String content) throws IOException {
        Path temporary = folder.resolve(name + ".tmp");
        Files.writeString(temporary, content);
        Files.move(
                temporary, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String pem(String kind, byte[] content) {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        if (command.contains("-genkeypair")) {
            command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        }
        if (command.contains("-importkeystore")) {
            command.addAll(List.of("-deststorepass", PASSWORD, "-noprompt"));
        } else {
            command.addAll(List.of("-storepass", PASSWORD));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
    }
}
