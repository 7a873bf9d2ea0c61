package dev.harmovela.proto;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service and how its messages are read and written as JSON. Immutable.
 *
 * @param name with its package
 * @param methods in the order of the file
 */
public record ProtoService(String name, List<Method> methods) {

    public ProtoService {
        methods = List.copyOf(methods);
    }

    /**
     * A method of one request.
     *
     * @param name without its service
     * @param streams whether it answers with many responses
     */
    public record Method(String name, boolean streams, ProtoJson request, ProtoJson response) {}

    /** The service of A2A 1.0. */
    public static ProtoService a2a() {
        return of(Protos.a2a().findServiceByName("A2AService"));
    }

    /**
     * Of a service without streaming requests.
     *
     * @throws IllegalArgumentException when a method streams to the server
     */
    public static ProtoService of(ServiceDescriptor service) {
        List<Method> methods = new ArrayList<>();
        for (MethodDescriptor each : service.getMethods()) {
            if (each.isClientStreaming()) {
                throw new IllegalArgumentException(each.getFullName() + " streams to the server");
            }
            methods.add(new Method(
                    each.getName(),
                    each.isServerStreaming(),
                    new ProtoJson(each.getInputType()),
                    new ProtoJson(each.getOutputType())));
        }
        return new ProtoService(service.getFullName(), methods);
    }

    /** The method of that name, or null. */
    public @Nullable Method method(String wanted) {
        return methods.stream()
                .filter(one -> one.name().equals(wanted))
                .findFirst()
                .orElse(null);
    }
}
