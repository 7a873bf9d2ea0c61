package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import dev.harmovela.proto.ProtoMismatch;
import dev.harmovela.proto.ProtoService;
import dev.harmovela.proto.RpcStatus;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The gRPC binding, on a port of its own. */
final class GrpcFace extends HandlerRegistry implements AutoCloseable {

    private static final ProtoService SERVICE = ProtoService.a2a();
    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final long LONGEST_STREAM = 20_000_000_000L;

    private final Operations operations;
    private final Gate gate;
    private final Faults faults;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server;

    GrpcFace(Operations operations, Gate gate, Faults faults) throws IOException {
        this.operations = operations;
        this.gate = gate;
        this.faults = faults;
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .fallbackHandlerRegistry(this)
                .build()
                .start();
    }

    /** Host and port. */
    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
        threads.shutdownNow();
    }

    @Override
    public @Nullable ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
        ProtoService.Method method = SERVICE.method(name.substring(name.indexOf('/') + 1));
        if (method == null && faults.has("grpc.unknown-method")) {
            method = new ProtoService.Method(
                    "GetExtendedAgentCard",
                    false,
                    SERVICE.methods().getLast().request(),
                    SERVICE.methods().getLast().response());
        }
        if (method == null) {
            return null;
        }
        ProtoService.Method known = method;
        boolean bare = SERVICE.method(name.substring(name.indexOf('/') + 1)) == null;
        return ServerMethodDefinition.create(
                MethodDescriptor.<byte[], byte[]>newBuilder(new Raw(), new Raw())
                        .setFullMethodName(name)
                        .setType(
                                known.streams()
                                        ? MethodDescriptor.MethodType.SERVER_STREAMING
                                        : MethodDescriptor.MethodType.UNARY)
                        .build(),
                (call, headers) -> {
                    call.request(2);
                    return new Ears(known, bare, call, headers);
                });
    }

    private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    private final class Ears extends ServerCall.Listener<byte[]> implements Asked {

        private final ProtoService.Method method;
        private final boolean bare;
        private final ServerCall<byte[], byte[]> call;
        private final Metadata headers;
        private byte[] message = {};

        Ears(ProtoService.Method method, boolean bare, ServerCall<byte[], byte[]> call, Metadata headers) {
            this.method = method;
            this.bare = bare;
            this.call = call;
            this.headers = headers;
        }

        @Override
        public void onMessage(byte[] bytes) {
            message = bytes;
        }

        @Override
        public void onHalfClose() {
            threads.execute(this::answer);
        }

        private void answer() {
            try {
                if (bare) {
                    send(Json.Obj.of());
                    call.close(Status.OK, new Metadata());
                    return;
                }
                serve();
            } catch (Refusal refusal) {
                refuse(refusal);
            } catch (ProtoMismatch wrong) {
                call.close(Status.INVALID_ARGUMENT.withDescription(wrong.text()), new Metadata());
            } catch (IllegalStateException | InterruptedException gone) {
                // the client has left
            }
        }

        private void serve() throws Refusal, ProtoMismatch, InterruptedException {
            gate.version(this, "1.0", faults);
            gate.login(this, faults);
            gate.extensions(this, faults);
            Json.Obj params = method.request().toJson(new ByteArrayInputStream(message));
            String tenant = params.string("tenant");
            Call asked = new Call(method.name(), params.without("tenant"), tenant == null ? "default" : tenant, true);
            if (method.streams()) {
                if (faults.has("no-streaming")) {
                    throw Refusal.of("UNSUPPORTED_OPERATION");
                }
                stream(operations.open(asked), method.name().equals("SendStreamingMessage"));
                return;
            }
            Json result = operations.call(asked);
            Json.Obj shown = result instanceof Json.Obj object ? object : Json.Obj.of();
            if (faults.has("grpc.history-lost") && method.name().equals("GetTask")) {
                shown = shown.without("history");
            }
            if (faults.has("grpc.list-empty") && method.name().equals("ListTasks")) {
                shown = shown.without("tasks");
            }
            send(shown);
            call.close(Status.OK, new Metadata());
        }

        private boolean begun;

        private void send(Json.Obj response) throws ProtoMismatch {
            if (!begun) {
                begun = true;
                call.sendHeaders(new Metadata());
            }
            call.sendMessage(method.response().toBytes(response));
        }

        private void stream(Operations.Opened opened, boolean sent) throws ProtoMismatch, InterruptedException {
            long deadline = System.nanoTime() + LONGEST_STREAM;
            try {
                Json.@Nullable Obj event = opened.first();
                String state = String.valueOf(Http.state(event));
                boolean direct = event.has("message");
                while (event != null || (!Http.ended(state, sent, faults) && System.nanoTime() < deadline)) {
                    if (event != null) {
                        send(event);
                        state = Http.state(event) == null ? state : String.valueOf(Http.state(event));
                    }
                    if (direct || call.isCancelled()) {
                        break;
                    }
                    event = opened.rest().poll(Http.ended(state, sent, faults) ? 0 : 200, TimeUnit.MILLISECONDS);
                }
                call.close(Status.OK, new Metadata());
            } finally {
                operations.close(opened);
            }
        }

        private void refuse(Refusal refusal) {
            boolean other = faults.has("errors.grpc-status") && refusal.reason.equals("TASK_NOT_FOUND");
            Status status = Status.fromCode(Status.Code.valueOf(other ? "ABORTED" : refusal.status))
                    .withDescription(refusal.reason);
            int code = faults.has("grpc.details-code") ? 2 : status.getCode().value();
            Metadata trailers = new Metadata();
            gate.challenge(this, refusal, faults);
            trailers.put(DETAILS, RpcStatus.toBytes(code, refusal.reason, refusal.details("a2a-protocol.org")));
            call.close(status, trailers);
        }

        @Override
        public @Nullable String header(String name) {
            return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        }

        @Override
        public @Nullable String query(String name) {
            return null;
        }

        @Override
        public String path() {
            return method.name().equals("GetExtendedAgentCard") ? "extendedAgentCard" : method.name();
        }

        @Override
        public void set(String name, String value) {
            // this binding has no header for it
        }
    }
}
