package dev.harmovela.conformance.a2a.wire;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The network: HTTP, and gRPC for addresses of that scheme. Any thread. */
public final class NetworkWire implements Client, AutoCloseable {

    private final HttpWire http;
    private final GrpcWire grpc;

    /**
     * @param timeout of one exchange, and of the wait for a stream's head
     * @param retries how often an HTTP request is sent again when nobody could be reached
     * @param guard where the kit may go
     * @param tls certificates of the kit, for HTTP; null for none
     */
    public NetworkWire(Duration timeout, int retries, AddressGuard guard, @Nullable SSLContext tls) {
        http = new HttpWire(timeout, retries, guard, tls);
        grpc = new GrpcWire(timeout, guard);
    }

    @Override
    public Answer send(Request request) throws WireException {
        return of(request).send(request);
    }

    @Override
    public Opened open(Request request) throws WireException {
        return of(request).open(request);
    }

    private Client of(Request request) {
        String scheme = request.uri().getScheme();
        return scheme != null && scheme.startsWith("grpc") ? grpc : http;
    }

    @Override
    public void close() {
        http.close();
        grpc.close();
    }
}
