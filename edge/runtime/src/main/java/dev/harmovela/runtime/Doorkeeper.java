package dev.harmovela.runtime;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.runtime.security.CertificateAuthenticator;
import dev.harmovela.runtime.security.JwtAuthenticator;
import dev.harmovela.runtime.security.SecurityFile;
import dev.harmovela.runtime.security.SecurityProblem;
import dev.harmovela.runtime.security.SecurityStore;
import dev.harmovela.runtime.security.TokenAuthenticator;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.transport.http.HttpServer;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides who comes in, by the security file, and follows that file while the hub runs: a good change holds within a
 * second for live connections too, a broken one leaves the former in force and is told on {@code /readyz} and in the
 * log.
 */
final class Doorkeeper implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger("dev.harmovela.runtime");
    private static final String PART = "security";
    private static final String KEYS = "issuers";
    private static final long EVERY_MILLIS = 250;

    private final @Nullable SecurityStore store;
    private final TokenAuthenticator tokens = new TokenAuthenticator(System::currentTimeMillis);
    private final CertificateAuthenticator certificates = new CertificateAuthenticator(System::currentTimeMillis);
    private final @Nullable JwtAuthenticator signed;
    private final Authenticator authenticator;
    private final ScheduledThreadPoolExecutor thread;
    private volatile SecurityFile inForce = SecurityFile.EMPTY;
    private String seen = "";

    private Doorkeeper(@Nullable SecurityStore store, Authenticator open) {
        this.store = store;
        this.signed = store == null ? null : new JwtAuthenticator(System::currentTimeMillis, store.file());
        this.authenticator = signed == null ? open : Authenticator.anyOf(List.of(tokens, certificates, signed));
        this.thread = new ScheduledThreadPoolExecutor(
                2, task -> Thread.ofPlatform().name("harmovela-door").daemon().unstarted(task));
    }

    /**
     * Reads the security file; a hub without any token gets its admin token.
     *
     * @throws StartFailed when the file cannot be used
     */
    static Doorkeeper of(DaemonConfig config, EventRegistry registry) throws StartFailed {
        Path file = config.securityFile();
        if (config.listen().access() == DaemonConfig.Access.OPEN || file == null) {
            return new Doorkeeper(null, Authenticator.open());
        }
        SecurityStore store = new SecurityStore(file, registry);
        Doorkeeper keeper = new Doorkeeper(store, Authenticator.open());
        try {
            Path data = config.data();
            if (data != null && store.issueAdmin(data, System.currentTimeMillis())) {
                LOGGER.log(Level.INFO, "made an admin token: {0}", data.resolve(SecurityStore.ADMIN_TOKEN));
            }
            keeper.seen = keeper.stamp();
            keeper.hold(store.read());
            return keeper;
        } catch (IOException | SecurityProblem unusable) {
            throw new StartFailed(
                    StartFailed.Reason.SECURITY_UNUSABLE,
                    "The security file " + file + " cannot be used: " + unusable.getMessage() + ".",
                    "Mend it, or move it away: without one the hub makes an admin token and knows nobody else.",
                    unusable);
        }
    }

    Authenticator authenticator() {
        return authenticator;
    }

    /** Whether callers have to prove who they are. */
    boolean isClosed() {
        return store != null;
    }

    /** Actions and scopes of roles, by what is in force. */
    List<String> grants(List<String> roles) {
        return List.copyOf(inForce.effectiveRoles().grants(roles));
    }

    private void hold(SecurityFile file) {
        inForce = file;
        tokens.use(file);
        certificates.use(file);
        if (signed != null) {
            signed.use(file);
        }
    }

    /** Follows the file from now on. */
    void follow(HarmovelaHub hub, HttpServer server) {
        if (store != null) {
            apply(hub, server);
            var _ = thread.scheduleWithFixedDelay(
                    () -> look(hub, server), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
        if (signed != null) {
            var _ = thread.scheduleWithFixedDelay(() -> fetch(signed, hub), 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Keys of issuers, beside the file: an issuer that does not answer keeps no change of the file away. */
    private static void fetch(JwtAuthenticator signed, HarmovelaHub hub) {
        List<String> problems = signed.refresh();
        if (problems.isEmpty()) {
            hub.health().solved(KEYS);
        } else {
            hub.health().warn(KEYS, String.join("; ", problems));
        }
    }

    private void look(HarmovelaHub hub, HttpServer server) {
        SecurityStore following = store;
        String now = stamp();
        if (following == null || now.equals(seen)) {
            return;
        }
        seen = now;
        try {
            SecurityFile file = following.read();
            hub.health().solved(PART);
            if (!file.equals(inForce)) {
                hold(file);
                apply(hub, server);
                LOGGER.log(Level.INFO, "the security file has changed and holds");
            }
        } catch (IOException | SecurityProblem broken) {
            String problem = "the security file cannot be used, the former one is in force: " + broken.getMessage();
            hub.health().warn(PART, problem);
            LOGGER.log(Level.WARNING, problem);
        }
    }

    private void apply(HarmovelaHub hub, HttpServer server) {
        SecurityFile file = inForce;
        server.executor().execute(() -> hub.govern(file.policies(), authenticator::again));
    }

    /** Changes whenever the file does. */
    private String stamp() {
        try {
            Path file = java.util.Objects.requireNonNull(store).file();
            BasicFileAttributes about = Files.readAttributes(file, BasicFileAttributes.class);
            return about.lastModifiedTime() + " " + about.size() + " " + about.fileKey();
        } catch (NoSuchFileException none) {
            return "none";
        } catch (IOException unreadable) {
            return "unreadable";
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
