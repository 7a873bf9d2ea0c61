package dev.harmovela.transport.grpc;

import dev.harmovela.contract.Limits;
import dev.harmovela.proto.Protos;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Hub;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The hub's gRPC port (§13): the stream of events, services whose messages are JSON inside, health and reflection. One
 * loop of its own does HTTP/2 and protobuf, and hands what came to the hub's executor in batches. Methods may be called
 * from any thread but that loop and the hub's.
 */
public final class GrpcServer {

    private static final int STOP_SECONDS = 5;
    private static final int METADATA_BYTES = 16 * 1024;
    private static final int ROOM_AROUND_AN_EVENT = 1024;
    private static final int PINGS_AT_MOST_EVERY = 10;

    private final GrpcConfig config;
    private final Doorway door;
    private final EventLoopGroup loops;
    private final HealthStatusManager health = new HealthStatusManager();
    private final List<ServerServiceDefinition> services = new ArrayList<>();
    private volatile @Nullable Server server;

    private GrpcServer(GrpcConfig config, Limits events, Authenticator authenticator) {
        this.config = config;
        int largest = Math.max(config.limits().messageBytes(), events.maxEventBytes() + ROOM_AROUND_AN_EVENT);
        this.door = new Doorway(config, authenticator, largest);
        this.loops = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("harmovela-grpc", true),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        services.add(new StreamService(door, loops).definition());
    }

    /** Starts the loop for events within these limits; the port is not open yet. */
    public static GrpcServer create(GrpcConfig config, Limits events, Authenticator authenticator) {
        return new GrpcServer(config, events, authenticator);
    }

    /** Serves A2A 1.0 too; before {@link #start}. Its calls come on the hub's executor. */
    public void a2a(JsonCall.Handler handler) {
        services.add(new JsonService(door, Protos.a2a().findServiceByName("A2AService"), handler).definition());
    }

    /**
     * Opens the port.
     *
     * @return the port that was bound, which is the configured one unless that is 0
     * @throws PortTaken when the address cannot be bound
     * @throws IOException when the certificate or its key cannot be used
     */
    public int start(Hub hub) throws PortTaken, IOException {
        door.serve(hub);
        GrpcConfig.Times times = config.times();
        NettyServerBuilder builder = builder()
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .channelType(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .directExecutor()
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .addStreamTracerFactory(SizeWatch.factory(door.largest()))
                .maxInboundMetadataSize(METADATA_BYTES)
                .maxConcurrentCallsPerConnection(config.limits().maxStreamsPerConnection())
                .keepAliveTime(times.keepAliveMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(times.keepAliveTimeoutMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(PINGS_AT_MOST_EVERY, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true);
        services.forEach(builder::addService);
        builder.addService(health.getHealthService());
        builder.addService(ProtoReflectionServiceV1.newInstance());
        Server built = builder.build();
        try {
            built.start();
        } catch (IOException taken) {
            throw new PortTaken(config.host(), config.port(), taken);
        }
        server = built;
        ready(true);
        return built.getPort();
    }

    private NettyServerBuilder builder() throws IOException {
        try {
            return NettyServerBuilder.forAddress(new InetSocketAddress(config.host(), config.port()), credentials());
        } catch (IllegalArgumentException unusable) {
            throw new IOException("the certificate or its key cannot be used: " + unusable.getMessage(), unusable);
        }
    }

    private ServerCredentials credentials() throws IOException {
        GrpcConfig.Tls tls = config.tls();
        if (tls == null) {
            return InsecureServerCredentials.create();
        }
        TlsServerCredentials.Builder builder = TlsServerCredentials.newBuilder()
                .keyManager(tls.certificate().toFile(), tls.key().toFile());
        Path authority = tls.clientAuthority();
        if (authority != null) {
            builder.trustManager(authority.toFile()).clientAuth(TlsServerCredentials.ClientAuth.OPTIONAL);
        }
        return builder.build();
    }

    /** The port that was bound, or the configured one before {@link #start}. */
    public int port() {
        Server running = server;
        return running == null ? config.port() : running.getPort();
    }

    /** Says through the health service whether the hub takes work. */
    public void ready(boolean ready) {
        ServingStatus status = ready ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
        services.forEach(each -> health.setStatus(each.getServiceDescriptor().getName(), status));
    }

    /** Calls that are open at this moment, health and reflection aside. */
    public int connections() {
        return door.streams();
    }

    /** Begins to stop: health says so, new calls are refused; those that are open stay until the hub ends them. */
    public void drain() {
        door.drain();
        health.enterTerminalState();
    }

    /** Closes the port and every connection, and ends the loop. */
    public void stop() {
        Server running = server;
        if (running != null) {
            running.shutdownNow();
            try {
                running.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        loops.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
