package dev.harmovela.spi;

import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** Names the 64-bit keys (event id, task id, correlation id) under which a frame can be found; pure and thread-safe. */
@FunctionalInterface
public interface FrameKeys {

    /** No keys: the log cannot be searched. */
    FrameKeys NONE = (body, sink) -> {};

    void keys(ByteBuffer body, LongConsumer sink);

    /** What the audit keeps of a frame when its segment leaves the log; a frame again, with the same positions. */
    default byte[] withoutBodies(ByteBuffer body) {
        byte[] whole = new byte[body.remaining()];
        body.duplicate().get(whole);
        return whole;
    }
}
