package dev.harmovela.conformance;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Finds the target that a command line names. */
public final class Targets {

    private static final String STDIO = "stdio:";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Targets() {}

    /**
     * The target of a specification: {@code stdio:COMMAND}, {@code ws://…}, {@code wss://…}, {@code grpc://…}, or the
     * address of an event stream over HTTP, {@code http://…/harmovela/events}.
     *
     * @param headers sent with every HTTP request, above all {@code Authorization}; never shown
     * @throws UsageException when it is none of them; the address of an A2A agent is answered with the command that
     * judges those
     */
    public static Target parse(String specification, Map<String, String> headers) {
        return parse(specification, headers, null);
    }

    /** The same, over WebSocket and event streams with what {@code tls} believes and shows; null for the platform's. */
    public static Target parse(String specification, Map<String, String> headers, @Nullable SSLContext tls) {
        if (specification.startsWith(STDIO)) {
            String command = specification.substring(STDIO.length()).strip();
            if (command.isEmpty()) {
                throw new UsageException("stdio: needs a command, such as \"stdio:./harmovela stdio\"");
            }
            return new ProcessTarget(specification, command);
        }
        URI uri = uri(specification);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme();
        String path = uri.getPath() == null ? "" : uri.getPath();
        return switch (scheme) {
            case "ws", "wss" -> new WebSocketTarget(uri, headers, tls);
            case "grpc", "grpcs" -> new GrpcTarget(uri, headers);
            case "http", "https" -> {
                if (!path.endsWith("/events")) {
                    throw a2a(specification);
                }
                yield new SseTarget(uri, headers, tls);
            }
            default ->
                throw new UsageException("unknown target " + specification
                        + "; there are self, stdio:COMMAND, ws://HOST:PORT/harmovela,"
                        + " grpc://HOST:PORT and http://HOST:PORT/harmovela/events");
        };
    }

    /** The refusal of the address of an A2A agent, which another kit judges. */
    public static UsageException a2a(String address) {
        return new UsageException(address + " is not the address of a Harmovela event stream (…/harmovela/events);"
                + " an A2A agent is judged by ./a2amesh conformance " + address);
    }

    /** What HTTP clients here begin with. */
    static HttpClient.Builder client(@Nullable SSLContext tls) {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(PATIENCE);
        return tls == null ? builder : builder.sslContext(tls);
    }

    private static URI uri(String specification) {
        try {
            return new URI(specification);
        } catch (URISyntaxException e) {
            throw new UsageException("the target " + specification + " is no address: " + e.getReason());
        }
    }
}
