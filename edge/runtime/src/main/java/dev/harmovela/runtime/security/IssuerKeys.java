package dev.harmovela.runtime.security;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import dev.harmovela.client.tls.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of an issuer. They are fetched by one thread that may wait ({@link #refresh}) and looked up by those
 * that may not; a token whose key is not among them asks for another fetch, and how often that is heard is bounded.
 */
final class IssuerKeys {

    /** How old what an address told may become before it is asked again. */
    static final long EVERY_MILLIS = 300_000;
    /** Between two fetches that unknown keys ask for, so that made-up tokens do not become a load on the issuer. */
    static final long PAUSE_MILLIS = 10_000;
    /** Between two looks at a file, and after a failure. */
    private static final long SOON_MILLIS = 1_000;
    /** How long keys hold that could not be fetched again: what is revoked must not live for ever. */
    private static final long LONGEST_MILLIS = 24 * 3_600_000L;

    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_KEYS = 100;
    /** A token that names no key is tried with no more than these. */
    private static final int MOST_TRIALS = 4;

    private static final int SMALLEST_RSA = 2048;
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final long WHOLE_MILLIS = 5_000;

    private final Issuer issuer;
    private final Path beside;
    private volatile Held held = new Held(List.of(), Long.MIN_VALUE);
    private volatile boolean wanted;
    private long tried = Long.MIN_VALUE;
    private @Nullable String problem;

    /** Keys, and when they were told. */
    private record Held(List<JWK> keys, long at) {}

    /** @param beside the file beside which files of keys are looked for */
    IssuerKeys(Issuer issuer, Path beside) {
        this.issuer = issuer;
        this.beside = beside;
    }

    Issuer issuer() {
        return issuer;
    }

    /** Whether the other one has the same keys. */
    boolean isOf(Issuer other) {
        return issuer.keys().equals(other.keys())
                && java.util.Objects.equals(issuer.authorities(), other.authorities())
                && issuer.algorithms().equals(other.algorithms());
    }

    /** The keys held by another one, until they are fetched the next time. */
    void takeOver(IssuerKeys former) {
        held = former.held;
        tried = former.tried;
    }

    /** The keys that may have signed under this header; none asks for a fetch. Any thread. */
    List<JWK> find(JWSHeader header, long now) {
        Held current = held;
        List<JWK> fitting = current.at() == Long.MIN_VALUE || now - current.at() > LONGEST_MILLIS
                ? List.of()
                : new JWKSelector(JWKMatcher.forJWSHeader(header)).select(new JWKSet(current.keys()));
        if (fitting.isEmpty()) {
            wanted = true;
        }
        return fitting.size() > MOST_TRIALS ? fitting.subList(0, MOST_TRIALS) : fitting;
    }

    /** Fetches the keys when it is time. Blocks for a few seconds at most; one thread. */
    void refresh(long now) {
        if (tried != Long.MIN_VALUE && now >= tried && now - tried < pause()) {
            return;
        }
        tried = now;
        wanted = false;
        try {
            held = new Held(usable(load()), now);
            problem = null;
        } catch (IOException | RuntimeException failed) {
            // whatever an issuer answers, the others are asked again
            problem = "the keys of the issuer " + issuer.id() + " cannot be had: " + failed.getMessage();
        }
    }

    private long pause() {
        boolean file = !IssuerReader.isUrl(issuer.keys());
        if (file || (problem != null && held.at() == Long.MIN_VALUE)) {
            return SOON_MILLIS;
        }
        return wanted || problem != null ? PAUSE_MILLIS : EVERY_MILLIS;
    }

    /** What went wrong at the last fetch, or null. The thread of {@link #refresh}. */
    @Nullable String problem() {
        return problem;
    }

    private JWKSet load() throws IOException {
        try {
            String keys = issuer.keys();
            String text = IssuerReader.isUrl(keys) ? fetch(URI.create(keys)) : readFile(beside.resolveSibling(keys));
            return JWKSet.parse(text);
        } catch (ParseException broken) {
            throw new IOException("what is there is no set of keys (JWKS)", broken);
        }
    }

    private static String readFile(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no file " + file);
        }
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + " is larger than " + MOST_BYTES + " bytes");
        }
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    private String fetch(URI address) throws IOException {
        String named = issuer.authorities();
        HttpClient.Builder builder =
                HttpClient.newBuilder().connectTimeout(CONNECT).followRedirects(HttpClient.Redirect.NEVER);
        if (named != null) {
            builder.sslContext(new TlsFiles(null, null, beside.resolveSibling(named))
                    .load()
                    .context());
        }
        try (HttpClient client = builder.build()) {
            CompletableFuture<String> answer = client.sendAsync(
                            HttpRequest.newBuilder(address)
                                    .header("Accept", "application/jwk-set+json, application/json")
                                    .build(),
                            HttpResponse.BodyHandlers.ofInputStream())
                    .thenApplyAsync(IssuerKeys::body);
            try {
                return answer.get(WHOLE_MILLIS, TimeUnit.MILLISECONDS);
            } finally {
                client.shutdownNow();
            }
        } catch (TimeoutException slow) {
            throw new IOException(address + " did not answer within " + WHOLE_MILLIS + " ms", slow);
        } catch (ExecutionException failed) {
            throw new IOException(address + ": " + reason(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private static String reason(ExecutionException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        String said = cause.getMessage();
        return said == null ? cause.getClass().getSimpleName() : said;
    }

    private static String body(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            byte[] bytes = body.readNBytes(MOST_BYTES + 1);
            if (response.statusCode() != 200 || bytes.length > MOST_BYTES) {
                throw new IllegalStateException(
                        "answered " + response.statusCode() + " with " + bytes.length + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    /** Those that verify signatures of the algorithms in question, and are long enough. */
    private List<JWK> usable(JWKSet set) throws IOException {
        List<JWK> usable = new ArrayList<>();
        for (JWK key : set.getKeys()) {
            boolean signs = key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE);
            boolean strong = !(key instanceof RSAKey) || key.size() >= SMALLEST_RSA;
            if (key instanceof AsymmetricJWK && signs && strong && isForAny(key)) {
                usable.add(key.toPublicJWK());
            }
        }
        if (usable.isEmpty()) {
            throw new IOException("none of the " + set.size() + " keys there verifies signatures of "
                    + String.join(", ", issuer.algorithms()));
        }
        if (usable.size() > MOST_KEYS) {
            throw new IOException("there are more than " + MOST_KEYS + " keys");
        }
        return List.copyOf(usable);
    }

    private boolean isForAny(JWK key) {
        JWKSet alone = new JWKSet(key);
        return issuer.algorithms().stream()
                .map(JWSAlgorithm::parse)
                .anyMatch(algorithm -> !new JWKSelector(JWKMatcher.forJWSHeader(new JWSHeader.Builder(algorithm)
                                .keyID(key.getKeyID())
                                .build()))
                        .select(alone)
                        .isEmpty());
    }
}
