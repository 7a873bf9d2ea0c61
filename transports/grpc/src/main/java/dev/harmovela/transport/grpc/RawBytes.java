package dev.harmovela.transport.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Messages as the bytes that they are. */
final class RawBytes {

    private RawBytes() {}

    /** Reads messages of so many bytes at the most. */
    static Marshaller<Incoming> in(int limit) {
        return new Marshaller<>() {
            @Override
            public InputStream stream(Incoming value) {
                return new Known(value.bytes());
            }

            @Override
            public Incoming parse(InputStream stream) {
                try {
                    return Incoming.read(stream, limit);
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            }
        };
    }

    /** Writes messages. */
    static Marshaller<byte[]> out() {
        return new Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new Known(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                throw new UnsupportedOperationException("a server reads no responses");
            }
        };
    }

    /** Bytes whose number gRPC may ask for. */
    private static final class Known extends ByteArrayInputStream implements KnownLength {
        Known(byte[] bytes) {
            super(bytes);
        }
    }
}
