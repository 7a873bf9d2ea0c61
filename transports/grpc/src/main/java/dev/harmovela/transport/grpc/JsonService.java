package dev.harmovela.transport.grpc;

import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.harmovela.proto.ProtoService;
import dev.harmovela.spi.Caller;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.List;

/** A service of unary and server-streaming methods whose messages are handed over as ProtoJSON. */
final class JsonService {

    private final Doorway door;
    private final ServiceDescriptor descriptor;
    private final ProtoService service;
    private final JsonCall.Handler handler;

    JsonService(Doorway door, ServiceDescriptor descriptor, JsonCall.Handler handler) {
        this.door = door;
        this.descriptor = descriptor;
        this.service = ProtoService.of(descriptor);
        this.handler = handler;
    }

    ServerServiceDefinition definition() {
        List<MethodDescriptor<Incoming, byte[]>> all = new ArrayList<>();
        for (ProtoService.Method each : service.methods()) {
            all.add(described(each));
        }
        ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(Schema.of(descriptor, all));
        for (int i = 0; i < all.size(); i++) {
            ProtoService.Method method = service.methods().get(i);
            definition.addMethod(all.get(i), (call, headers) -> start(method, call, headers));
        }
        return definition.build();
    }

    private MethodDescriptor<Incoming, byte[]> described(ProtoService.Method method) {
        return MethodDescriptor.<Incoming, byte[]>newBuilder(RawBytes.in(door.largest()), RawBytes.out())
                .setType(method.streams() ? MethodType.SERVER_STREAMING : MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service.name(), method.name()))
                .build();
    }

    private ServerCall.Listener<Incoming> start(
            ProtoService.Method method, ServerCall<Incoming, byte[]> call, Metadata headers) {
        Doorway.Entry entry = door.arrived(call, headers);
        Caller caller = entry.caller();
        if (caller == null) {
            return StreamService.refuse(call, entry.refused());
        }
        return new JsonExchange(method, call, headers, caller, door).listen(handler);
    }
}
