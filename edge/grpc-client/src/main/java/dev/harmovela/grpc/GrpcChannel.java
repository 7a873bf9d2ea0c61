package dev.harmovela.grpc;

import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A connection to a gRPC server, made when the first call needs it. Any thread. */
public final class GrpcChannel implements AutoCloseable {

    private static final int LARGEST = 64 * 1024 * 1024;
    private static final int STOP_SECONDS = 2;

    private final ManagedChannel channel;

    private GrpcChannel(ManagedChannel channel) {
        this.channel = channel;
    }

    /** Whether the way is encrypted. */
    public enum Security {
        PLAIN,
        TLS
    }

    /** What a call streams. */
    public enum Kind {
        UNARY,
        SERVER_STREAMING,
        BIDI_STREAMING
    }

    /** To a host and port, {@code host:port}. */
    public static GrpcChannel to(String authority, Security security) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget("dns:///" + authority)
                .maxInboundMessageSize(LARGEST)
                .keepAliveTime(30, TimeUnit.SECONDS)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .directExecutor();
        return new GrpcChannel((security == Security.PLAIN ? builder.usePlaintext() : builder).build());
    }

    /**
     * Encrypted, to a server whose certificate is one of these or vouched for by them.
     *
     * @param authorities certificates in PEM
     * @throws IOException when they cannot be read
     */
    public static GrpcChannel trusting(String authority, Path authorities) throws IOException {
        ChannelCredentials credentials = TlsChannelCredentials.newBuilder()
                .trustManager(authorities.toFile())
                .build();
        return new GrpcChannel(NettyChannelBuilder.forTarget("dns:///" + authority, credentials)
                .maxInboundMessageSize(LARGEST)
                .directExecutor()
                .build());
    }

    /**
     * Begins a call.
     *
     * @param method service and name, {@code package.Service/Method}
     * @param kind what it streams
     * @param metadata texts by name
     */
    public GrpcCall call(String method, Kind kind, Map<String, String> metadata) {
        MethodDescriptor<byte[], byte[]> described = MethodDescriptor.<byte[], byte[]>newBuilder(
                        Bytes.MARSHALLER, Bytes.MARSHALLER)
                .setType(MethodDescriptor.MethodType.valueOf(kind.name()))
                .setFullMethodName(method)
                .build();
        ClientCall<byte[], byte[]> call = channel.newCall(described, CallOptions.DEFAULT);
        Metadata headers = new Metadata();
        metadata.forEach((name, value) ->
                headers.put(Metadata.Key.of(name.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER), value));
        return GrpcCall.start(call, headers);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        try {
            channel.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
