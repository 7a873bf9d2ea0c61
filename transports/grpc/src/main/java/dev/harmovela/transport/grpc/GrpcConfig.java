package dev.harmovela.transport.grpc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where and how gRPC is served (§13).
 *
 * @param host address to bind
 * @param port port to bind, 0 for any free one
 * @param limits how much the port takes
 * @param times how long things may take
 * @param tls certificate of the port; null for none, where everything can be read on the way
 */
public record GrpcConfig(
        String host,
        int port,
        Limits limits,
        Times times,
        @Nullable Tls tls) {

    /** Loopback, port 8788. */
    public static final GrpcConfig DEFAULT = new GrpcConfig("127.0.0.1", 8788, Limits.DEFAULT, Times.DEFAULT, null);

    /** Refuses what is no port. */
    public GrpcConfig {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is a number from 0 to 65535");
        }
    }

    /** The same at another address. */
    public GrpcConfig at(String otherHost, int otherPort) {
        return new GrpcConfig(otherHost, otherPort, limits, times, tls);
    }

    /** The same with other limits. */
    public GrpcConfig with(Limits other) {
        return new GrpcConfig(host, port, other, times, tls);
    }

    /** The same with other times. */
    public GrpcConfig with(Times other) {
        return new GrpcConfig(host, port, limits, other, tls);
    }

    /** The same with encryption. */
    public GrpcConfig with(Tls other) {
        return new GrpcConfig(host, port, limits, times, other);
    }

    /**
     * Encryption.
     *
     * @param certificate chain of the port in PEM, its own first
     * @param key its private key in PEM (PKCS 8)
     * @param clientAuthority certificates in PEM that vouch for clients, who may then show one; null asks for none
     */
    public record Tls(Path certificate, Path key, @Nullable Path clientAuthority) {}

    /**
     * How much one port takes and holds.
     *
     * @param maxStreams calls at a time, of all connections
     * @param maxStreamsPerConnection calls at a time of one connection
     * @param messageBytes largest message, decompressed; never less than the hub's largest event
     * @param queueBytes bytes that may wait for one reader beside what gRPC holds; counts the message about to be added
     */
    public record Limits(int maxStreams, int maxStreamsPerConnection, int messageBytes, int queueBytes) {

        /** 4 MiB a message (§13) and as much for a reader. */
        public static final Limits DEFAULT = new Limits(20_000, 1_000, 4 * 1024 * 1024, 4 * 1024 * 1024);

        /** Refuses values that leave no room to work. */
        public Limits {
            if (maxStreams < 1 || maxStreamsPerConnection < 1 || messageBytes < 1024 || queueBytes < 1024) {
                throw new IllegalArgumentException("streams are at least 1, sizes at least 1024 bytes");
            }
        }
    }

    /**
     * How long things may take, in milliseconds.
     *
     * @param openMillis a stream without an open session
     * @param stallMillis a reader that takes nothing while something waits for it
     * @param keepAliveMillis silence after which a connection is probed
     * @param keepAliveTimeoutMillis how long the answer to the probe may take
     */
    public record Times(long openMillis, long stallMillis, long keepAliveMillis, long keepAliveTimeoutMillis) {

        /** Probes after 30 s that wait for 10 s (§13). */
        public static final Times DEFAULT = new Times(30_000, 30_000, 30_000, 10_000);

        /** Refuses times that would never pass. */
        public Times {
            if (openMillis < 1 || stallMillis < 1 || keepAliveMillis < 1 || keepAliveTimeoutMillis < 1) {
                throw new IllegalArgumentException("times are positive");
            }
        }
    }
}
