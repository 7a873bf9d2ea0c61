package dev.harmovela.runtime;

import dev.harmovela.runtime.security.JwtAuthenticator;
import dev.harmovela.runtime.security.SecurityFile;
import java.nio.file.Path;
import java.util.List;

/** Asks those who sign tokens for their keys. Blocks for some seconds an issuer. */
final class IssuersCheck {

    private static final String NAME = "issuers";

    private IssuersCheck() {}

    /** @param security the file that names them */
    static Check of(SecurityFile held, Path security) {
        JwtAuthenticator signed = new JwtAuthenticator(System::currentTimeMillis, security);
        signed.use(held);
        List<String> problems = signed.refresh();
        return problems.isEmpty()
                ? Check.ok(NAME, "keys of " + String.join(", ", held.issuers().keySet()) + " can be used")
                : Check.bad(
                        NAME,
                        String.join("; ", problems),
                        "Mend keys and keys_ca in " + security + "; until then their tokens are refused once a day has"
                                + " passed since they last worked.");
    }
}
