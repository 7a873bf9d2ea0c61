package dev.harmovela.transport.http;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * TLS as the port speaks it: version 1.2 or 1.3, nothing older.
 *
 * @param context the key, and the authorities whose client certificates are believed
 * @param clients whether clients show certificates
 * @param handshakeMillis how long a handshake may take
 */
public record Tls(SSLContext context, Clients clients, long handshakeMillis) {

    private static final String NAME = "tls";
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /** Whether clients show certificates. */
    public enum Clients {
        /** They are not asked. */
        NONE,
        /** They are asked; who has none may show another credential. */
        OPTIONAL,
        /** Nobody without one gets past the handshake. */
        REQUIRED
    }

    /** Puts it in front of everything on a new connection. */
    void guard(Channel channel) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(VERSIONS);
        switch (clients) {
            case NONE -> engine.setWantClientAuth(false);
            case OPTIONAL -> engine.setWantClientAuth(true);
            case REQUIRED -> engine.setNeedClientAuth(true);
        }
        SslHandler handler = new SslHandler(engine);
        handler.setHandshakeTimeoutMillis(handshakeMillis);
        channel.pipeline().addFirst(NAME, handler);
    }

    /** The chain that the client proved, its own certificate first; empty without TLS or without one. */
    static List<X509Certificate> clientOf(Channel channel) {
        SslHandler handler = handler(channel);
        if (handler == null) {
            return List.of();
        }
        try {
            List<X509Certificate> chain = new ArrayList<>();
            for (Certificate certificate : handler.engine().getSession().getPeerCertificates()) {
                chain.add((X509Certificate) certificate);
            }
            return chain;
        } catch (SSLPeerUnverifiedException none) {
            return List.of();
        }
    }

    /** Tells the client that nothing more comes; it may still send. */
    static void endOutput(Channel channel) {
        SslHandler handler = handler(channel);
        if (handler == null) {
            var _ = ((DuplexChannel) channel).shutdownOutput();
        } else {
            handler.closeOutbound().addListener(done -> {
                var _ = ((DuplexChannel) channel).shutdownOutput();
            });
        }
    }

    private static @Nullable SslHandler handler(Channel channel) {
        return channel.pipeline().get(NAME) instanceof SslHandler handler ? handler : null;
    }
}
