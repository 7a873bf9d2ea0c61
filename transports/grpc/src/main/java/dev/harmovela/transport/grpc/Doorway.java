package dev.harmovela.transport.grpc;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Hub;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Decides which calls go any further: how many there may be, and who asks. Any thread. */
final class Doorway {

    /** The short name of the transport profile. */
    static final String TRANSPORT = "grpc";

    private final GrpcConfig config;
    private final Authenticator authenticator;
    private final int largest;
    private final AtomicInteger streams = new AtomicInteger();
    private volatile boolean draining;
    private volatile @Nullable Hub hub;

    Doorway(GrpcConfig config, Authenticator authenticator, int largest) {
        this.config = config;
        this.authenticator = authenticator;
        this.largest = largest;
    }

    /** The outcome: exactly one of the two is there. */
    record Entry(@Nullable Caller caller, @Nullable ProtocolError refused) {}

    void serve(Hub served) {
        hub = served;
    }

    Hub hub() {
        return Objects.requireNonNull(hub, "the port opens with its hub");
    }

    /** Bytes of the largest message. */
    int largest() {
        return largest;
    }

    GrpcConfig config() {
        return config;
    }

    void drain() {
        draining = true;
    }

    int streams() {
        return streams.get();
    }

    /** A call came; unless it is refused, {@link #left()} must follow. */
    Entry arrived(ServerCall<?, ?> call, Metadata headers) {
        if (draining) {
            return refuse(ErrorCode.TRANSPORT_UNAVAILABLE, "the hub is shutting down");
        }
        List<X509Certificate> certificates = certificates(call);
        String authorization = Keys.value(headers, Keys.AUTHORIZATION);
        return switch (authenticator.authenticate(Authenticator.Credentials.of(authorization, certificates))) {
            case Authenticator.Verdict.Known(Caller caller) -> count(caller);
            case Authenticator.Verdict.Refused _, Authenticator.Verdict.NotMine _ -> turnAway(call);
        };
    }

    private Entry count(Caller caller) {
        if (streams.incrementAndGet() > config.limits().maxStreams()) {
            streams.decrementAndGet();
            return refuse(ErrorCode.BUSY, "as many streams as the hub allows are open");
        }
        return new Entry(caller, null);
    }

    void left() {
        streams.decrementAndGet();
    }

    private static Entry refuse(ErrorCode code, String text) {
        return new Entry(null, ProtocolError.of(code, text));
    }

    private Entry turnAway(ServerCall<?, ?> call) {
        Entry entry = refuse(ErrorCode.UNAUTHENTICATED, "a valid credential is needed (authorization: Bearer …)");
        String method = "/" + call.getMethodDescriptor().getFullMethodName();
        ProtocolError error = Objects.requireNonNull(entry.refused());
        hub().executor().execute(() -> hub().turnedAway(TRANSPORT, method, error));
        return entry;
    }

    private static List<X509Certificate> certificates(ServerCall<?, ?> call) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        List<X509Certificate> chain = new ArrayList<>();
        if (session != null) {
            try {
                for (Certificate each : session.getPeerCertificates()) {
                    if (each instanceof X509Certificate certificate) {
                        chain.add(certificate);
                    }
                }
            } catch (SSLPeerUnverifiedException none) {
                return List.of();
            }
        }
        return chain;
    }
}
