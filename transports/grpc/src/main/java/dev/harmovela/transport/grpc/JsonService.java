package dev.harmovela.transport.grpc;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.harmovela.proto.ProtoJson;
import dev.harmovela.spi.Caller;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.List;

/** A service of unary and server-streaming methods whose messages are handed over as ProtoJSON. */
final class JsonService {

    private final Doorway door;
    private final ServiceDescriptor service;
    private final JsonCall.Handler handler;

    JsonService(Doorway door, ServiceDescriptor service, JsonCall.Handler handler) {
        this.door = door;
        this.service = service;
        this.handler = handler;
    }

    /** One method and how its messages are read and written. */
    record Method(String name, ProtoJson request, ProtoJson response) {}

    ServerServiceDefinition definition() {
        List<io.grpc.MethodDescriptor<Incoming, byte[]>> all = new ArrayList<>();
        for (MethodDescriptor each : service.getMethods()) {
            all.add(described(each));
        }
        ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(Schema.of(service, all));
        for (int i = 0; i < all.size(); i++) {
            MethodDescriptor each = service.getMethods().get(i);
            Method method = new Method(
                    each.getName(), new ProtoJson(each.getInputType()), new ProtoJson(each.getOutputType()));
            definition.addMethod(all.get(i), (call, headers) -> start(method, call, headers));
        }
        return definition.build();
    }

    private io.grpc.MethodDescriptor<Incoming, byte[]> described(MethodDescriptor method) {
        if (method.isClientStreaming()) {
            throw new IllegalArgumentException(method.getFullName() + " streams to the server");
        }
        return io.grpc.MethodDescriptor.<Incoming, byte[]>newBuilder(RawBytes.in(door.largest()), RawBytes.out())
                .setType(method.isServerStreaming() ? MethodType.SERVER_STREAMING : MethodType.UNARY)
                .setFullMethodName(
                        io.grpc.MethodDescriptor.generateFullMethodName(service.getFullName(), method.getName()))
                .build();
    }

    private ServerCall.Listener<Incoming> start(Method method, ServerCall<Incoming, byte[]> call, Metadata headers) {
        Doorway.Entry entry = door.arrived(call, headers);
        Caller caller = entry.caller();
        if (caller == null) {
            return StreamService.refuse(call, entry.refused());
        }
        JsonExchange exchange = new JsonExchange(method, call, headers, caller, door);
        return exchange.listen(handler);
    }
}
