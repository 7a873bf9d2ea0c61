package dev.harmovela.transport.redis;

import dev.harmovela.spi.TransportGuarantees;
import dev.harmovela.transport.link.BrokerSession;
import dev.harmovela.transport.link.Driver;
import dev.harmovela.transport.link.HubIdentity;
import dev.harmovela.transport.link.LinkFailed;
import dev.harmovela.transport.link.LinkKind;
import dev.harmovela.transport.link.LinkReader;
import dev.harmovela.transport.link.LinkSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.io.File;
import java.net.URI;
import java.time.Duration;

/** Connects links to Redis 6.2 or newer. */
public final class RedisDriver implements Driver {

    /** What this transport promises. */
    public static final TransportGuarantees GUARANTEES = new TransportGuarantees(
            "harmovela.transport.redis-streams.v1",
            "best_effort: a key of its own, trimmed to about 10 000 entries; "
                    + "at_least_once and replayable: XADD, never trimmed by the hub",
            "per key, in the order of XADD",
            "hub cursors for the hub's history, entry ids for the broker's own readers",
            "max_payload_size of the link, 1 MB by default",
            "inbound: XACK after the hub's force or final refusal; outbound: the peer's event.acknowledged; "
                    + "exports: the reply of XADD");

    private static final int PORT = 6379;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .build();

    @Override
    public LinkKind kind() {
        return LinkKind.REDIS_STREAMS;
    }

    @Override
    public TransportGuarantees guarantees() {
        return GUARANTEES;
    }

    @Override
    public BrokerSession connect(LinkSettings settings, HubIdentity hub) throws LinkFailed, InterruptedException {
        RedisClient client = RedisClient.create(resources, address(settings));
        try {
            client.setOptions(options(settings));
            return RedisSession.open(client, settings, hub);
        } catch (LinkFailed | InterruptedException | RuntimeException failed) {
            var _ = client.shutdownAsync(0, 1, java.util.concurrent.TimeUnit.SECONDS);
            if (failed instanceof RedisException refused) {
                throw LinkFailed.because("Redis cannot be reached", refused);
            }
            throw failed;
        }
    }

    private static RedisURI address(LinkSettings settings) throws LinkFailed {
        URI address = LinkReader.address(settings, PORT);
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(address.getHost())
                .withPort(address.getPort())
                .withSsl(address.getScheme().equals("rediss"))
                .withClientName("harmovela-" + settings.name())
                .withTimeout(PATIENCE);
        if (address.getPath().matches("/[0-9]{1,4}")) {
            uri.withDatabase(Integer.parseInt(address.getPath().substring(1)));
        }
        String password = settings.credential("password");
        String user = settings.credential("user");
        if (password != null && user != null) {
            uri.withAuthentication(user, password.toCharArray());
        } else if (password != null) {
            uri.withPassword(password.toCharArray());
        }
        return uri.build();
    }

    private static ClientOptions options(LinkSettings settings) throws LinkFailed {
        ClientOptions.Builder options = ClientOptions.builder()
                .autoReconnect(false)
                .socketOptions(SocketOptions.builder().connectTimeout(PATIENCE).build())
                .timeoutOptions(TimeoutOptions.enabled(PATIENCE));
        String ca = settings.credential("tls_ca");
        String certificate = settings.credential("tls_cert");
        String key = settings.credential("tls_key");
        if (ca != null || certificate != null) {
            SslOptions.Builder tls = SslOptions.builder().jdkSslProvider();
            if (ca != null) {
                tls.trustManager(new File(ca));
            }
            if (certificate != null && key != null) {
                tls.keyManager(new File(certificate), new File(key), null);
            }
            options.sslOptions(tls.build());
        }
        return options.build();
    }
}
