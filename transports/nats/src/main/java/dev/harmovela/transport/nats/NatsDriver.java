package dev.harmovela.transport.nats;

import dev.harmovela.spi.TransportGuarantees;
import dev.harmovela.transport.link.BrokerSession;
import dev.harmovela.transport.link.Driver;
import dev.harmovela.transport.link.HubIdentity;
import dev.harmovela.transport.link.LinkFailed;
import dev.harmovela.transport.link.LinkKind;
import dev.harmovela.transport.link.LinkSettings;
import io.nats.client.AuthHandler;
import io.nats.client.Connection;
import io.nats.client.NKey;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Connects links to NATS: core, or JetStream where the link names a stream. */
public final class NatsDriver implements Driver {

    /** What this transport promises. */
    public static final TransportGuarantees GUARANTEES = new TransportGuarantees(
            "harmovela.transport.nats.v1",
            "best_effort: core NATS; at_least_once and replayable: JetStream, where the link names a stream",
            "per stream; without a stream per publisher",
            "hub cursors for the hub's history, stream sequences for the broker's own readers",
            "max_payload_size of the link, 1 MB by default as NATS has it",
            "inbound: JetStream ack after the hub's force or final refusal; outbound: the peer's event.acknowledged; "
                    + "exports: PubAck");

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Override
    public LinkKind kind() {
        return LinkKind.NATS;
    }

    @Override
    public TransportGuarantees guarantees() {
        return GUARANTEES;
    }

    @Override
    public BrokerSession connect(LinkSettings settings, HubIdentity hub) throws LinkFailed, InterruptedException {
        Connection connection;
        try {
            connection = Nats.connect(options(settings));
        } catch (IOException | GeneralSecurityException | RuntimeException failed) {
            throw LinkFailed.because("NATS cannot be reached", failed);
        }
        try {
            String stream = settings.stream();
            return stream == null
                    ? new CoreSession(connection, settings)
                    : StreamSession.open(connection, settings, stream, hub);
        } catch (LinkFailed | RuntimeException failed) {
            connection.close();
            throw failed;
        }
    }

    private static Options options(LinkSettings settings) throws LinkFailed, GeneralSecurityException, IOException {
        Options.Builder options = Options.builder()
                .servers(settings.url().split(","))
                .connectionName("harmovela-" + settings.name())
                .connectionTimeout(PATIENCE)
                .pingInterval(PATIENCE)
                .maxPingsOut(2)
                .noReconnect()
                .errorListener(new Quiet());
        String user = settings.credential("user");
        String password = settings.credential("password");
        String token = settings.credential("token");
        String creds = settings.credential("creds");
        String nkey = settings.credential("nkey");
        if (creds != null) {
            options.authHandler(Nats.credentials(creds));
        } else if (nkey != null) {
            options.authHandler(new SeedAuth(nkey));
        } else if (token != null) {
            options.token(token.toCharArray());
        } else if (user != null && password != null) {
            options.userInfo(user.toCharArray(), password.toCharArray());
        }
        if (settings.credential("tls_ca") != null || settings.credential("tls_cert") != null) {
            options.sslContext(PemContext.of(settings));
        } else if (settings.url().startsWith("tls:")) {
            options.secure();
        }
        return options.build();
    }

    /** Signs the server's challenge with a seed. */
    private record SeedAuth(String seed) implements AuthHandler {

        @Override
        public byte @Nullable [] sign(byte[] nonce) {
            try {
                return NKey.fromSeed(seed.toCharArray()).sign(nonce);
            } catch (GeneralSecurityException | IOException unusable) {
                return null;
            }
        }

        @Override
        public char @Nullable [] getID() {
            try {
                return NKey.fromSeed(seed.toCharArray()).getPublicKey();
            } catch (GeneralSecurityException | IOException unusable) {
                return null;
            }
        }

        @Override
        public char @Nullable [] getJWT() {
            return null;
        }

        @Override
        public String toString() {
            return "SeedAuth";
        }
    }
}
