package dev.harmovela.cli;

import dev.harmovela.conformance.a2a.wire.AddressGuard;
import dev.harmovela.conformance.a2a.wire.Certificates;
import dev.harmovela.conformance.a2a.wire.Credentials;
import dev.harmovela.conformance.a2a.wire.NetworkWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say how an A2A agent is reached. What is secret in them is never shown, in errors neither. */
final class A2aAccess {

    private static final int LONGEST_TIMEOUT = 3_600_000;

    @Option(names = "--header", paramLabel = "NAME:VALUE", description = "further header; never shown")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--bearer-token", paramLabel = "TOKEN", description = "credential; never shown")
    private @Nullable String bearer;

    @Option(names = "--api-key", paramLabel = "NAME:VALUE", description = "sent where the card says; never shown")
    private @Nullable String apiKey;

    @Option(names = "--client-id", paramLabel = "ID", description = "for client credentials (OAuth 2)")
    private @Nullable String clientId;

    @Option(names = "--client-secret-file", paramLabel = "FILE", description = "holds the client's secret")
    private @Nullable Path clientSecret;

    @Option(names = "--client-cert", paramLabel = "FILE", description = "certificate of the kit, PEM")
    private @Nullable Path clientCert;

    @Option(names = "--client-key", paramLabel = "FILE", description = "its key, PEM (PKCS 8)")
    private @Nullable Path clientKey;

    @Option(names = "--timeout-ms", paramLabel = "MS", description = "of one exchange (default: 30000)")
    private int timeoutMillis = 30_000;

    @Option(names = "--retries", paramLabel = "N", description = "when nobody can be reached (default: 0)")
    private int retries;

    @Option(names = "--request-id", paramLabel = "ID", description = "sent as X-Request-Id")
    private @Nullable String requestId;

    @Option(names = "--origin", paramLabel = "ORIGIN", description = "sent as Origin")
    private @Nullable String origin;

    @Option(names = "--allow-private-network", description = "let a card lead into private networks")
    private boolean privateNetwork;

    boolean privateNetwork() {
        return privateNetwork;
    }

    int timeoutMillis() throws Failure {
        if (timeoutMillis < 1 || timeoutMillis > LONGEST_TIMEOUT || retries < 0) {
            throw Failure.usage(
                    "--timeout-ms is from 1 to " + LONGEST_TIMEOUT + ", --retries at least 0.", "Mend the option.");
        }
        return timeoutMillis;
    }

    /** Headers that may be shown. */
    Map<String, String> shown() {
        Map<String, String> all = new LinkedHashMap<>();
        if (requestId != null) {
            all.put("X-Request-Id", requestId);
        }
        if (origin != null) {
            all.put("Origin", origin);
        }
        return all;
    }

    Credentials credentials() throws Failure {
        Map<String, String> all = new LinkedHashMap<>();
        for (String each : headers) {
            Credentials.Named header = named(each, "--header");
            all.put(header.name(), header.value());
        }
        Credentials.Named key = apiKey == null ? null : named(apiKey, "--api-key");
        return new Credentials(all, bearer, key, client());
    }

    private Credentials.@Nullable Named client() throws Failure {
        if (clientId == null && clientSecret == null) {
            return null;
        }
        if (clientId == null || clientSecret == null) {
            throw Failure.usage("--client-id and --client-secret-file go together.", "Name both.");
        }
        return new Credentials.Named(
                clientId, read(clientSecret, "--client-secret-file").strip());
    }

    private static Credentials.Named named(String text, String option) throws Failure {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw Failure.usage(option + " is written as NAME:VALUE.", "Mend the option.");
        }
        return new Credentials.Named(
                text.substring(0, colon).strip(), text.substring(colon + 1).strip());
    }

    NetworkWire wire(AddressGuard guard) throws Failure {
        return new NetworkWire(Duration.ofMillis(timeoutMillis()), retries, guard, tls());
    }

    private @Nullable SSLContext tls() throws Failure {
        if (clientCert == null && clientKey == null) {
            return null;
        }
        if (clientCert == null || clientKey == null) {
            throw Failure.usage("--client-cert and --client-key go together.", "Name both.");
        }
        String certificate = read(clientCert, "--client-cert");
        String key = read(clientKey, "--client-key");
        try {
            return Certificates.context(certificate, key);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException wrong) {
            throw Failure.usage(
                    "The certificate and its key cannot be used.",
                    "Both are PEM, the key in PKCS 8 without a password.");
        }
    }

    private static String read(Path file, String option) throws Failure {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw Failure.usage("The file " + file + " cannot be read.", "It is named by " + option + ".");
        }
    }
}
