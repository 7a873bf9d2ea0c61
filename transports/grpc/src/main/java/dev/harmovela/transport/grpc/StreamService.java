package dev.harmovela.transport.grpc;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.proto.Protos;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Hub;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** {@code harmovela.v1.HarmovelaTransport} (§13). */
final class StreamService implements ServerCallHandler<Incoming, byte[]> {

    private static final String VERSION = "0.2";

    private final Doorway door;
    private final ScheduledExecutorService loop;

    StreamService(Doorway door, ScheduledExecutorService loop) {
        this.door = door;
        this.loop = loop;
    }

    ServerServiceDefinition definition() {
        FileDescriptor file = Protos.harmovela();
        ServiceDescriptor service = file.findServiceByName("HarmovelaTransport");
        MethodDescriptor<Incoming, byte[]> method = MethodDescriptor.<Incoming, byte[]>newBuilder(
                        RawBytes.in(door.largest()), RawBytes.out())
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service.getFullName(), "Stream"))
                .build();
        return ServerServiceDefinition.builder(Schema.of(service, List.of(method)))
                .addMethod(method, this)
                .build();
    }

    @Override
    public ServerCall.Listener<Incoming> startCall(ServerCall<Incoming, byte[]> call, Metadata headers) {
        Doorway.Entry entry = door.arrived(call, headers);
        Caller caller = entry.caller();
        if (caller == null) {
            return refuse(call, entry.refused());
        }
        ProtocolError wrong = problem(caller, headers);
        if (wrong != null) {
            door.left();
            return refuse(call, wrong);
        }
        Hub hub = door.hub();
        StreamWire wire = new StreamWire(hub, call, door.config(), loop);
        Inflow inflow = new Inflow(call, wire, hub.executor(), door);
        SizeWatch.listen(inflow::tooLarge);
        hub.executor().execute(() -> wire.open(caller, headers, inflow));
        return inflow;
    }

    /** What is wrong with the metadata, or null. */
    private static @Nullable ProtocolError problem(Caller caller, Metadata headers) {
        String version = Keys.value(headers, Keys.VERSION);
        if (version != null && !version.equals(VERSION)) {
            return ProtocolError.unsupportedVersion(Keys.printable(version), List.of(VERSION));
        }
        String agent = Keys.value(headers, Keys.AGENT);
        boolean own = agent == null || caller.trust() != Caller.Trust.VERIFIED || agent.equals(caller.identity());
        return own || !caller.speaksFor().isEmpty()
                ? null
                : ProtocolError.unauthorized("forged_source", "harmovela-agent-id is not the authenticated identity");
    }

    static <T> ServerCall.Listener<T> refuse(ServerCall<T, ?> call, @Nullable ProtocolError error) {
        ProtocolError told = error == null ? ProtocolError.of(ErrorCode.INTERNAL_ERROR) : error;
        call.close(Statuses.of(told), Statuses.trailers(told));
        return new ServerCall.Listener<>() {};
    }
}
