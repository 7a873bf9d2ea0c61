package dev.harmovela.proto;

import com.google.protobuf.Descriptors.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The .proto files that belong to the product. Read when they are first asked for; immutable. */
public final class Protos {

    private Protos() {}

    /** {@code harmovela/v1/transport.proto}: events over one stream. */
    public static FileDescriptor harmovela() {
        return Harmovela.FILE;
    }

    /** {@code lf/a2a/v1/a2a.proto}: the service of A2A 1.0. */
    public static FileDescriptor a2a() {
        return A2a.FILE;
    }

    private static final class Harmovela {
        static final FileDescriptor FILE = read("harmovela/v1/transport.proto");
    }

    private static final class A2a {
        static final FileDescriptor FILE = read("lf/a2a/v1/a2a.proto");
    }

    private static FileDescriptor read(String name) {
        try (InputStream in = Protos.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the class path");
            }
            return ProtoFile.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
