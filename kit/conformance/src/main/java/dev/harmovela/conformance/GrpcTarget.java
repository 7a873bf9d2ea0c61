package dev.harmovela.conformance;

import dev.harmovela.grpc.GrpcChannel;
import dev.harmovela.grpc.GrpcEnd;
import dev.harmovela.grpc.GrpcRefused;
import dev.harmovela.grpc.GrpcSocket;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A hub behind gRPC; each conversation is a conformance session on a stream of its own (§13, D24). */
final class GrpcTarget implements Target {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final URI uri;
    private final Map<String, String> metadata;
    private final GrpcChannel channel;

    GrpcTarget(URI uri, Map<String, String> metadata) {
        if (uri.getHost() == null || uri.getPort() < 0) {
            throw new UsageException("the target " + uri + " is no address; it is written as grpc://HOST:PORT");
        }
        this.uri = uri;
        this.metadata = metadata;
        this.channel = GrpcChannel.to(
                uri.getAuthority(),
                "grpcs".equals(uri.getScheme()) ? GrpcChannel.Security.TLS : GrpcChannel.Security.PLAIN);
    }

    @Override
    public String name() {
        return uri.toString();
    }

    @Override
    public String transportProfile() {
        return "harmovela.transport.grpc.v1";
    }

    @Override
    public Exchange open() {
        try {
            Connected connected = new Connected(GrpcSocket.connect(channel, metadata, PATIENCE));
            try {
                connected.handshake();
                return connected;
            } catch (IOException e) {
                connected.close();
                throw new NotGrantedException(String.valueOf(e.getMessage()));
            } catch (NotGrantedException e) {
                connected.close();
                throw e;
            }
        } catch (GrpcRefused refused) {
            boolean credentials = switch (refused.end().status()) {
                case "UNAUTHENTICATED", "PERMISSION_DENIED" -> true;
                default -> false;
            };
            if (credentials) {
                throw new NotGrantedException(uri + " answers " + refused.end());
            }
            throw new UnreachableException(uri + " is no gRPC of a hub: it answers " + refused.end());
        } catch (IOException e) {
            throw new UnreachableException(uri + " cannot be reached: " + e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new UnreachableException("interrupted");
        }
    }

    @Override
    public void close() {
        channel.close();
    }

    /** One stream. */
    private static final class Connected implements Exchange {

        private final GrpcSocket socket;
        private @Nullable String session;

        Connected(GrpcSocket socket) {
            this.socket = socket;
        }

        void handshake() throws IOException, InterruptedException {
            send(Opening.request());
            Incoming answer = receive(PATIENCE.toMillis());
            if (answer == null) {
                throw new IOException("the opening was not answered");
            }
            session = Opening.granted(answer.text());
            send(Opening.ready(session));
        }

        @Override
        public void send(String line) throws IOException {
            try {
                if (!socket.send(line)) {
                    throw new IOException("the stream has ended");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public @Nullable Incoming receive(long timeoutMillis) throws IOException, InterruptedException {
            String text = socket.receive(Duration.ofMillis(timeoutMillis));
            GrpcEnd end = socket.end();
            if (text == null && end != null) {
                throw new IOException("the stream ended with " + end);
            }
            return text == null ? null : Incoming.event(text);
        }

        @Override
        public @Nullable String sessionId() {
            return session;
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
