package dev.harmovela.conformance.a2a.wire;

import dev.harmovela.conformance.a2a.wire.WireException.Kind;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.grpc.GrpcCall;
import dev.harmovela.grpc.GrpcChannel;
import dev.harmovela.grpc.GrpcEnd;
import dev.harmovela.proto.ProtoMismatch;
import dev.harmovela.proto.ProtoService;
import dev.harmovela.proto.RpcStatus;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * gRPC over the network. A request names its operation in the path and holds its message as JSON; an answer is shaped
 * like one of HTTP+JSON: the response, or {@code error} with the status. Any thread.
 */
public final class GrpcWire implements Client, AutoCloseable {

    private static final ProtoService SERVICE = ProtoService.a2a();

    private final Duration timeout;
    private final AddressGuard guard;
    private final Map<String, GrpcChannel> channels = new ConcurrentHashMap<>();

    /**
     * @param timeout of one exchange, and of the wait for a stream's first message
     * @param guard where the kit may go
     */
    public GrpcWire(Duration timeout, AddressGuard guard) {
        this.timeout = timeout;
        this.guard = guard;
    }

    @Override
    public Answer send(Request request) throws WireException {
        ProtoService.Method method = method(request);
        try (GrpcCall call = begin(request, method)) {
            Json.Obj result = null;
            while (true) {
                switch (step(call)) {
                    case GrpcCall.Step.Data(byte[] bytes) -> result = read(method, bytes);
                    case GrpcCall.Step.End(GrpcEnd end) -> {
                        return answer(call, end, result);
                    }
                }
            }
        }
    }

    @Override
    public Opened open(Request request) throws WireException {
        ProtoService.Method method = method(request);
        GrpcCall call = begin(request, method);
        GrpcCall.Step first;
        try {
            first = step(call);
        } catch (WireException failed) {
            call.close();
            throw failed;
        }
        if (first instanceof GrpcCall.Step.End(GrpcEnd end) && !end.ok()) {
            call.close();
            return new Opened(answer(call, end, null), null);
        }
        return new Opened(new Answer(200, call.headers(), ""), new Responses(call, method, first));
    }

    /** A method that nobody has is asked for without a message. */
    private static ProtoService.Method method(Request request) {
        String name = request.uri().getPath().substring(1);
        ProtoService.Method known = SERVICE.method(name);
        if (known != null) {
            return known;
        }
        ProtoService.Method bare = SERVICE.methods().getFirst();
        return new ProtoService.Method(name, false, bare.request(), bare.response());
    }

    private GrpcCall begin(Request request, ProtoService.Method method) throws WireException {
        guard.check(request.uri());
        if (request.uri().getRawQuery() != null) {
            throw new WireException(Kind.INEXPRESSIBLE, "a gRPC address has no query");
        }
        byte[] message = message(request, method);
        GrpcChannel.Kind kind = method.streams() ? GrpcChannel.Kind.SERVER_STREAMING : GrpcChannel.Kind.UNARY;
        try {
            GrpcCall call = channel(request.uri()).call(SERVICE.name() + "/" + method.name(), kind, request.headers());
            call.ask();
            call.send(message);
            call.halfClose();
            return call;
        } catch (IllegalArgumentException wrong) {
            throw new WireException(Kind.BROKEN, "the request cannot be made: a header is not valid");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new WireException(Kind.BROKEN, "interrupted");
        }
    }

    private static byte[] message(Request request, ProtoService.Method method) throws WireException {
        try {
            String body = request.body() == null ? "{}" : request.body();
            Json.Obj json = Json.parse(body) instanceof Json.Obj object ? object : Json.Obj.of();
            return method.request().toBytes(json);
        } catch (JsonException | ProtoMismatch wrong) {
            throw new WireException(Kind.INEXPRESSIBLE, "protobuf has no form for this: " + wrong.getMessage());
        }
    }

    private GrpcChannel channel(URI uri) {
        GrpcChannel.Security security =
                "grpcs".equals(uri.getScheme()) ? GrpcChannel.Security.TLS : GrpcChannel.Security.PLAIN;
        return channels.computeIfAbsent(
                security + " " + uri.getAuthority(), key -> GrpcChannel.to(uri.getAuthority(), security));
    }

    private GrpcCall.Step step(GrpcCall call) throws WireException {
        try {
            GrpcCall.Step step = call.receive(timeout);
            if (step == null) {
                throw new WireException(Kind.TIMEOUT, "no answer within " + timeout.toMillis() + " ms");
            }
            if (step instanceof GrpcCall.Step.End(GrpcEnd end) && isUnreachable(end)) {
                throw new WireException(Kind.UNREACHABLE, "nobody answers there: " + end);
            }
            return step;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new WireException(Kind.BROKEN, "interrupted");
        }
    }

    /** The end that gRPC makes up itself when there is no connection. */
    private static boolean isUnreachable(GrpcEnd end) {
        return end.status().equals("UNAVAILABLE") && end.text().startsWith("io exception");
    }

    private static Json.Obj read(ProtoService.Method method, byte[] bytes) throws WireException {
        try {
            return method.response().toJson(new ByteArrayInputStream(bytes));
        } catch (ProtoMismatch wrong) {
            throw new WireException(Kind.BROKEN, wrong.text());
        }
    }

    private static Answer answer(GrpcCall call, GrpcEnd end, Json.@Nullable Obj result) throws WireException {
        Map<String, String> headers = new TreeMap<>(call.headers());
        headers.putAll(end.trailers());
        if (end.ok()) {
            if (result == null) {
                throw new WireException(Kind.BROKEN, "a good status came without a response");
            }
            return new Answer(200, headers, result.toString());
        }
        return new Answer(http(end), headers, error(end).toString());
    }

    /** What an HTTP+JSON answer would say, with the status and the details as they came. */
    private static Json.Obj error(GrpcEnd end) {
        Json.Obj details = Json.Obj.of();
        byte[] bytes = end.details();
        if (bytes != null) {
            try {
                details = RpcStatus.toJson(bytes);
            } catch (ProtoMismatch unreadable) {
                details = Json.Obj.of().with("unreadable", Json.of(true));
            }
        }
        Json.Arr all = details.array("details");
        Json.Obj error = Json.Obj.builder()
                .put("code", http(end))
                .put("status", end.status())
                .put("grpcCode", end.code())
                .put("message", end.text())
                .put("details", all == null ? new Json.Arr(List.of()) : all)
                .put("statusDetails", bytes == null ? null : details)
                .build();
        return Json.Obj.of().with("error", error);
    }

    private static int http(GrpcEnd end) {
        return switch (end.status()) {
            case "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE" -> 400;
            case "UNAUTHENTICATED" -> 401;
            case "PERMISSION_DENIED" -> 403;
            case "NOT_FOUND", "UNIMPLEMENTED" -> 404;
            case "ABORTED", "ALREADY_EXISTS" -> 409;
            case "RESOURCE_EXHAUSTED" -> 429;
            case "UNAVAILABLE" -> 503;
            case "DEADLINE_EXCEEDED" -> 504;
            default -> 500;
        };
    }

    @Override
    public void close() {
        channels.values().forEach(GrpcChannel::close);
    }

    /** Responses of a stream, the first of which has come. One thread. */
    private static final class Responses implements EventStream {

        private final GrpcCall call;
        private final ProtoService.Method method;
        private GrpcCall.@Nullable Step first;

        Responses(GrpcCall call, ProtoService.Method method, GrpcCall.Step first) {
            this.call = call;
            this.method = method;
            this.first = first;
        }

        @Override
        public EventStream.Step next(Duration patience) {
            try {
                GrpcCall.Step step = first == null ? call.receive(patience) : first;
                first = null;
                return switch (step) {
                    case null -> new EventStream.Step(EventStream.Kind.SILENCE, null, "");
                    case GrpcCall.Step.Data(byte[] bytes) ->
                        new EventStream.Step(
                                EventStream.Kind.DATA, null, read(method, bytes).toString());
                    case GrpcCall.Step.End(GrpcEnd end) ->
                        new EventStream.Step(end.ok() ? EventStream.Kind.END : EventStream.Kind.CUT, null, "");
                };
            } catch (WireException unreadable) {
                return new EventStream.Step(EventStream.Kind.CUT, null, "");
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return new EventStream.Step(EventStream.Kind.CUT, null, "");
            }
        }

        @Override
        public void close() {
            call.close();
        }
    }
}
