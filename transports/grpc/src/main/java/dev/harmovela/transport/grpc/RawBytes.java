package dev.harmovela.transport.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Messages as the bytes that they are. */
final class RawBytes implements MethodDescriptor.Marshaller<byte[]> {

    static final RawBytes MARSHALLER = new RawBytes();

    private RawBytes() {}

    @Override
    public InputStream stream(byte[] bytes) {
        return new Known(bytes);
    }

    @Override
    public byte[] parse(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Bytes whose number gRPC may ask for. */
    static final class Known extends ByteArrayInputStream implements KnownLength {
        Known(byte[] bytes) {
            super(bytes);
        }
    }
}
