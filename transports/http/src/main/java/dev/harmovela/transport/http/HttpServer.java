package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Hub;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The hub's one port: WebSocket, server-sent events, HTTP API and health (§13, §15, D34).
 *
 * <p>It comes to life in two steps, since the hub lives on the port's event loop: {@link #create} starts the loop,
 * the hub is built on {@link #executor()}, and {@link #start} opens the port. Methods may be called from any
 * thread, but not from the loop.
 */
public final class HttpServer {

    private static final int BACKLOG = 4096;
    private static final int STOP_SECONDS = 5;
    private static final int MAX_BYSTANDERS = 256;
    /** Seconds of silence, seconds between probes, and probes until the operating system gives up a peer. */
    private static final int PROBE_AFTER = 60;

    private static final int PROBE_EVERY = 15;
    private static final int PROBES = 4;

    private final HttpConfig config;
    private final Port port;
    private final Loops loops;
    private final EventLoopExecutor executor;
    private final ChannelGroup channels;
    private volatile @Nullable Channel listener;
    private volatile @Nullable Tls tls;

    private HttpServer(HttpConfig config, Authenticator authenticator) {
        this.config = config;
        this.port = new Port(config, authenticator);
        this.loops = new Loops();
        this.executor = new EventLoopExecutor(loops.main());
        this.channels = new DefaultChannelGroup(executor.loop());
    }

    /** Starts the event loop; the port is not open yet. */
    public static HttpServer create(HttpConfig config, Authenticator authenticator) {
        return new HttpServer(config, authenticator);
    }

    /** The loop, to build the hub on. */
    public EventLoopExecutor executor() {
        return executor;
    }

    /**
     * Adds a route before {@link #start}.
     *
     * @param template a path in which {@code {}} stands for one segment and a last {@code **} for any rest
     * @param access whether callers have to say who they are
     */
    public void route(String method, String template, Access access, Handler handler) {
        Router.Route route = port.router().add(method, template, handler);
        if (access == Access.PUBLIC) {
            route.open();
        }
    }

    /**
     * Speaks TLS with every connection that comes from now on; those there are stay as they are. Before
     * {@link #start}, and again whenever certificates have changed.
     */
    public void secure(Tls now) {
        tls = now;
    }

    /** Who may use a route. */
    public enum Access {
        /** Anybody, without a credential. */
        PUBLIC,
        /** Whoever the authenticator accepts. */
        AUTHENTICATED
    }

    /**
     * Opens the port.
     *
     * @return the port that was bound, which is the configured one unless that is 0
     * @throws PortTaken when the address can not be bound
     */
    public int start(Hub hub) throws PortTaken {
        port.serve(hub);
        Routes.addTo(port);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.beside(), loops.group())
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(
                                config.limits().highWatermark() / 2,
                                config.limits().highWatermark()))
                .childHandler(new Newcomers());
        if (Epoll.isAvailable()) {
            bootstrap
                    .childOption(EpollChannelOption.TCP_KEEPIDLE, PROBE_AFTER)
                    .childOption(EpollChannelOption.TCP_KEEPINTVL, PROBE_EVERY)
                    .childOption(EpollChannelOption.TCP_KEEPCNT, PROBES);
        }
        ChannelFuture bound = bootstrap.bind(config.host(), config.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new PortTaken(config.host(), config.port(), bound.cause());
        }
        listener = bound.channel();
        int number = ((InetSocketAddress) bound.channel().localAddress()).getPort();
        Log.listening(config.host(), number);
        return number;
    }

    /** The port that was bound, or the configured one before {@link #start}. */
    public int port() {
        Channel open = listener;
        return open == null ? config.port() : ((InetSocketAddress) open.localAddress()).getPort();
    }

    /** Adds members to what {@code /healthz} tells everybody: which process this is. */
    public void describe(Json.Obj process) {
        port.describe(process);
    }

    /** Says on {@code /readyz} whether the hub can be used; true from the start. */
    public void ready(boolean ready) {
        port.readiness(Readiness.of(ready));
    }

    /** Says on {@code /readyz} how the hub is. */
    public void readiness(Readiness now) {
        port.readiness(now);
    }

    /**
     * Says that the loop stands still, or no longer does. While it stands still, new connections are answered
     * beside it: health and readiness as they were last told, 503 for all else. Connections from before have to
     * wait.
     */
    public void standsStill(boolean now) {
        loops.serveBeside(now);
    }

    /** Open connections at this moment. */
    public int connections() {
        return channels.size();
    }

    /**
     * Begins to stop: {@code /readyz} says 503, nothing new is attached, connections without a request close, others
     * after their answer. What is attached stays until the hub closes it, and single requests are still answered, so
     * that results can be handed in (TRN-13).
     */
    public void drain() {
        port.drain();
        executor.execute(() -> channels.forEach(HttpServer::closeIdle));
    }

    private static void closeIdle(Channel channel) {
        RequestHandler requests = channel.pipeline().get(RequestHandler.class);
        if (requests != null) {
            requests.closeIdle();
        }
    }

    /** Closes the port and every connection, and ends the loop after what it was given. */
    public void stop() {
        if (listener != null) {
            listener.close().awaitUninterruptibly();
        }
        channels.close().awaitUninterruptibly();
        loops.group().shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** A refusal for everybody while the hub is on its way out. */
    static ProtocolError drainingError() {
        return ProtocolError.of(ErrorCode.TRANSPORT_UNAVAILABLE, "the hub is shutting down");
    }

    /** Sets up each new connection. */
    private final class Newcomers extends ChannelInitializer<Channel> {

        /** On the loop beside only. */
        private int bystanders;

        @Override
        protected void initChannel(Channel channel) {
            if (channel.eventLoop() != executor.loop()) {
                standBy(channel);
                return;
            }
            Admission.Verdict verdict = port.admission().arrived(System.nanoTime());
            channel.closeFuture().addListener(closed -> port.admission().left());
            if (verdict == Admission.Verdict.DROP) {
                var _ = channel.close();
                return;
            }
            channels.add(channel);
            guard(channel);
            channel.pipeline()
                    .addLast(Upgrade.CODEC, new HttpServerCodec(codec()))
                    .addLast(new RequestHandler(port, verdict == Admission.Verdict.ANSWER_BUSY));
        }

        private void standBy(Channel channel) {
            if (bystanders >= MAX_BYSTANDERS) {
                var _ = channel.close();
                return;
            }
            bystanders++;
            channel.closeFuture().addListener(closed -> bystanders--);
            channels.add(channel);
            guard(channel);
            channel.pipeline().addLast(new HttpServerCodec(codec())).addLast(new Bystander(port));
        }

        private void guard(Channel channel) {
            Tls now = tls;
            if (now != null) {
                now.guard(channel);
            }
        }

        private HttpDecoderConfig codec() {
            return new HttpDecoderConfig()
                    .setMaxInitialLineLength(config.limits().maxHeaderBytes())
                    .setMaxHeaderSize(config.limits().maxHeaderBytes());
        }

        @Override
        public boolean isSharable() {
            return true;
        }
    }
}
