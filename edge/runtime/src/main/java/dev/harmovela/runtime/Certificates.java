package dev.harmovela.runtime;

import dev.harmovela.client.tls.TlsFiles;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.transport.http.HttpServer;
import dev.harmovela.transport.http.Tls;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of the port, followed while the hub runs: new connections get the changed ones within a second,
 * live ones stay, and broken files leave the former in force and are told on {@code /readyz} and in the log.
 */
final class Certificates implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger("dev.harmovela.runtime");
    private static final String PART = "tls";
    private static final long EVERY_MILLIS = 250;

    private final DaemonConfig.@Nullable Secure config;
    private @Nullable Tls inForce;
    private String seen = "";
    private @Nullable ScheduledThreadPoolExecutor thread;

    private Certificates(DaemonConfig.@Nullable Secure config) {
        this.config = config;
    }

    /**
     * Reads them, when there are to be any.
     *
     * @throws StartFailed when they cannot be used
     */
    static Certificates of(DaemonConfig.@Nullable Secure config) throws StartFailed {
        Certificates certificates = new Certificates(config);
        if (config != null) {
            try {
                certificates.seen = stamp(config);
                certificates.inForce = read(config);
            } catch (IOException unusable) {
                throw new StartFailed(
                        StartFailed.Reason.SECURITY_UNUSABLE,
                        "The hub cannot speak TLS: " + unusable.getMessage() + ".",
                        "Look at tls.certificate, tls.key and tls.client_ca; harmovela doctor checks them.",
                        unusable);
            }
        }
        return certificates;
    }

    static TlsFiles files(DaemonConfig.Secure config) {
        return new TlsFiles(config.certificate(), config.key(), config.clientAuthorities());
    }

    private static Tls read(DaemonConfig.Secure config) throws IOException {
        return new Tls(
                files(config).load().context(),
                Tls.Clients.valueOf(config.clients().toUpperCase(Locale.ROOT)),
                config.handshakeMs());
    }

    /** Before the port opens. */
    void secure(HttpServer server) {
        if (inForce != null) {
            server.secure(inForce);
        }
    }

    /** Follows the files from now on. */
    void follow(HarmovelaHub hub, HttpServer server) {
        DaemonConfig.Secure following = config;
        if (following != null) {
            thread = new ScheduledThreadPoolExecutor(
                    1,
                    task -> Thread.ofPlatform()
                            .name("harmovela-certificates")
                            .daemon()
                            .unstarted(task));
            var _ = thread.scheduleWithFixedDelay(
                    () -> look(following, hub, server), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look(DaemonConfig.Secure following, HarmovelaHub hub, HttpServer server) {
        String now = stamp(following);
        if (now.equals(seen)) {
            return;
        }
        seen = now;
        try {
            server.secure(read(following));
            hub.health().solved(PART);
            LOGGER.log(Level.INFO, "the certificates have changed and hold for new connections");
        } catch (IOException broken) {
            String problem = "the certificates cannot be used, the former ones are in force: " + broken.getMessage();
            hub.health().warn(PART, problem);
            LOGGER.log(Level.WARNING, problem);
        }
    }

    /** Changes whenever one of the files does. */
    private static String stamp(DaemonConfig.Secure config) {
        StringBuilder stamp = new StringBuilder();
        for (Path file : files(config).all()) {
            try {
                BasicFileAttributes about = Files.readAttributes(file, BasicFileAttributes.class);
                stamp.append(about.lastModifiedTime()).append(' ').append(about.size());
                stamp.append(' ').append(about.fileKey()).append('\n');
            } catch (IOException unreadable) {
                stamp.append("unreadable\n");
            }
        }
        return stamp.toString();
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
