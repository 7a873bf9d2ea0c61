package dev.harmovela.transport.link;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Where a secret is kept: {@code env:NAME} or {@code file:PATH}. It is read when a link connects and stays nowhere.
 */
final class Secret {

    private static final String ENV = "env:";
    private static final String FILE = "file:";

    /** Names whose value is no secret and stands as it is. */
    static final Set<String> OPEN =
            Set.of("user", "sasl_mechanism", "tls_ca", "tls_cert", "tls_key", "creds", "nkey_file");

    /** Every name there is. */
    static final Set<String> KNOWN = Set.of(
            "user",
            "password",
            "token",
            "nkey",
            "nkey_file",
            "creds",
            "sasl_mechanism",
            "tls_ca",
            "tls_cert",
            "tls_key");

    private Secret() {}

    static boolean isReference(String text) {
        boolean isVariable = text.startsWith(ENV) && text.length() > ENV.length();
        return isVariable || (text.startsWith(FILE) && text.length() > FILE.length());
    }

    static String read(String name, String reference) throws LinkFailed {
        if (reference.startsWith(ENV)) {
            String value = System.getenv(reference.substring(ENV.length()));
            if (value == null) {
                throw new LinkFailed(
                        "the variable " + reference.substring(ENV.length()) + " for " + name + " is not set", null);
            }
            return value;
        }
        if (reference.startsWith(FILE)) {
            try {
                return Files.readString(Path.of(reference.substring(FILE.length())), StandardCharsets.UTF_8)
                        .strip();
            } catch (IOException | InvalidPathException unreadable) {
                throw new LinkFailed(
                        "the file " + reference.substring(FILE.length()) + " for " + name + " cannot be read",
                        unreadable);
            }
        }
        return reference;
    }
}
