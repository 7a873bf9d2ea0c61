package dev.harmovela.grpc;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Messages as the bytes that they are. */
final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    static final Bytes MARSHALLER = new Bytes();

    private Bytes() {}

    @Override
    public InputStream stream(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
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
