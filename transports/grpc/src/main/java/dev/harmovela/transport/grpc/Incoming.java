package dev.harmovela.transport.grpc;

import java.io.IOException;
import java.io.InputStream;

/**
 * One message as it came in.
 *
 * @param bytes what it holds; nothing when it is too large
 * @param tooLarge whether it has more bytes than it may have, once it is decompressed
 */
record Incoming(byte[] bytes, boolean tooLarge) {

    static final Incoming TOO_LARGE = new Incoming(new byte[0], true);

    static Incoming of(byte[] bytes) {
        return new Incoming(bytes, false);
    }

    /** Reads so many bytes at the most. */
    static Incoming read(InputStream stream, int limit) throws IOException {
        byte[] bytes = stream.readNBytes(limit + 1);
        return bytes.length > limit ? TOO_LARGE : of(bytes);
    }
}
