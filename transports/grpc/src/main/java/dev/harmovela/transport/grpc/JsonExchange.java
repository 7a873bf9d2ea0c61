package dev.harmovela.transport.grpc;

import dev.harmovela.contract.json.Json;
import dev.harmovela.proto.ProtoJson;
import dev.harmovela.proto.ProtoMismatch;
import dev.harmovela.proto.ProtoService;
import dev.harmovela.proto.RpcStatus;
import dev.harmovela.spi.Caller;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One call of a {@link JsonService}. gRPC is heard on its own loop, all else is on the hub's executor. */
final class JsonExchange implements JsonCall {

    private static final System.Logger LOGGER = System.getLogger("dev.harmovela.transport.grpc");

    private final ProtoService.Method method;
    private final ServerCall<Incoming, byte[]> call;
    private final Metadata headers;
    private final Caller caller;
    private final Doorway door;
    private final Outflow out;
    private Json.@Nullable Obj request;
    private @Nullable Runnable whenLeft;
    private boolean over;

    JsonExchange(
            ProtoService.Method method,
            ServerCall<Incoming, byte[]> call,
            Metadata headers,
            Caller caller,
            Doorway door) {
        this.method = method;
        this.call = call;
        this.headers = headers;
        this.caller = caller;
        this.door = door;
        this.out = new Outflow(call, door.config().limits().queueBytes());
    }

    /** Hears the one request and hands it over. */
    ServerCall.Listener<Incoming> listen(Handler handler) {
        Executor hub = door.hub().executor();
        // a second message would be a fault of the client, which is told of it only if it is asked for
        call.request(2);
        SizeWatch.listen(atLeast -> hub.execute(this::tooLarge));
        return new Ears(handler, hub);
    }

    /** What gRPC says, on its loop. */
    private final class Ears extends ServerCall.Listener<Incoming> {

        private final Handler handler;
        private final Executor hub;
        private final AtomicBoolean left = new AtomicBoolean();
        private @Nullable Incoming message;
        private boolean several;

        Ears(Handler handler, Executor hub) {
            this.handler = handler;
            this.hub = hub;
        }

        @Override
        public void onMessage(Incoming incoming) {
            several = message != null;
            message = incoming;
        }

        @Override
        public void onHalfClose() {
            Incoming incoming = message;
            if (incoming != null && incoming.tooLarge()) {
                hub.execute(JsonExchange.this::tooLarge);
                return;
            }
            if (incoming == null || several) {
                hub.execute(() -> refuse("one message is expected"));
                return;
            }
            try {
                Json.Obj json = method.request().toJson(new ByteArrayInputStream(incoming.bytes()));
                hub.execute(() -> run(handler, json));
            } catch (ProtoMismatch wrong) {
                hub.execute(() -> refuse(wrong.text()));
            }
        }

        @Override
        public void onReady() {
            hub.execute(out::ready);
        }

        @Override
        public void onCancel() {
            end();
        }

        @Override
        public void onComplete() {
            end();
        }

        private void end() {
            if (left.compareAndSet(false, true)) {
                door.left();
                hub.execute(JsonExchange.this::gone);
            }
        }
    }

    private void refuse(String text) {
        fail(Status.Code.INVALID_ARGUMENT.name(), text, new Json.Arr(List.of()));
    }

    private void tooLarge() {
        fail(
                Status.Code.RESOURCE_EXHAUSTED.name(),
                "a message may have " + door.largest() + " bytes",
                new Json.Arr(List.of()));
    }

    private void run(Handler handler, Json.Obj json) {
        request = json;
        try {
            handler.handle(this);
        } catch (RuntimeException fault) {
            LOGGER.log(System.Logger.Level.ERROR, "a call of " + method.name() + " failed", fault);
            fail(Status.Code.INTERNAL.name(), "internal error", new Json.Arr(List.of()));
        }
    }

    private void gone() {
        out.gone();
        Runnable task = whenLeft;
        whenLeft = null;
        if (!over && task != null) {
            over = true;
            task.run();
        }
    }

    @Override
    public String method() {
        return method.name();
    }

    @Override
    public Json.Obj request() {
        return Objects.requireNonNull(request);
    }

    @Override
    public @Nullable String header(String name) {
        return Keys.value(headers, Keys.ascii(name));
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public void with(String name, String value) {
        Keys.put(out.headers(), Keys.ascii(name), value);
    }

    @Override
    public void answer(Json.Obj response) {
        event(response);
        end();
    }

    @Override
    public void event(Json.Obj response) {
        if (over) {
            return;
        }
        byte[] bytes;
        try {
            ProtoJson shape = method.response();
            bytes = shape.toBytes(response);
        } catch (ProtoMismatch wrong) {
            LOGGER.log(
                    System.Logger.Level.ERROR, "an answer of {0} has not its shape: {1}", method.name(), wrong.text());
            fail(Status.Code.INTERNAL.name(), "internal error", new Json.Arr(List.of()));
            return;
        }
        if (out.overflowsWith(bytes.length)) {
            Runnable task = whenLeft;
            finish(Status.RESOURCE_EXHAUSTED.withDescription("too much waits for this reader"), new Metadata());
            if (task != null) {
                task.run();
            }
            return;
        }
        out.send(bytes, Outflow.Place.NONE);
    }

    @Override
    public void end() {
        if (!over) {
            over = true;
            whenLeft = null;
            out.begin();
            out.afterAll(() -> out.end(Status.OK, new Metadata()));
        }
    }

    @Override
    public void fail(String status, String text, Json.Arr details) {
        Status told = Status.fromCode(Status.Code.valueOf(status)).withDescription(text);
        Metadata trailers = new Metadata();
        trailers.merge(out.headers());
        trailers.put(Keys.DETAILS, RpcStatus.toBytes(told.getCode().value(), text, details));
        finish(told, trailers);
    }

    private void finish(Status status, Metadata trailers) {
        if (!over) {
            over = true;
            whenLeft = null;
            out.discard();
            out.end(status, trailers);
        }
    }

    @Override
    public void whenLeft(Runnable task) {
        whenLeft = task;
    }
}
