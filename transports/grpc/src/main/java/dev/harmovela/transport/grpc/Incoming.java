package dev.harmovela.transport.grpc;

import java.io.IOException;
import java.io.InputStream;

/** One message as it came in. The bytes are not copied. */
final class Incoming {

    private static final Incoming TOO_LARGE = new Incoming(new byte[0], true);

    private final byte[] bytes;
    private final boolean tooLarge;

    private Incoming(byte[] bytes, boolean tooLarge) {
        this.bytes = bytes;
        this.tooLarge = tooLarge;
    }

    /** Reads so many bytes at the most. */
    static Incoming read(InputStream stream, int limit) throws IOException {
        byte[] bytes = stream.readNBytes(limit + 1);
        return bytes.length > limit ? TOO_LARGE : new Incoming(bytes, false);
    }

    /** What it holds; nothing when it is too large. */
    byte[] bytes() {
        return bytes;
    }

    /** Whether it has more bytes than it may have, once it is decompressed. */
    boolean tooLarge() {
        return tooLarge;
    }
}
