package dev.harmovela.transport.grpc;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoServiceDescriptorSupplier;
import java.util.List;

/** What reflection tells of a service. */
record Schema(ServiceDescriptor service) implements ProtoServiceDescriptorSupplier {

    static io.grpc.ServiceDescriptor of(ServiceDescriptor service, List<? extends MethodDescriptor<?, ?>> methods) {
        io.grpc.ServiceDescriptor.Builder told = io.grpc.ServiceDescriptor.newBuilder(service.getFullName());
        methods.forEach(told::addMethod);
        return told.setSchemaDescriptor(new Schema(service)).build();
    }

    @Override
    public ServiceDescriptor getServiceDescriptor() {
        return service;
    }

    @Override
    public FileDescriptor getFileDescriptor() {
        return service.getFile();
    }
}
