package dev.harmovela.spi;

import java.nio.ByteBuffer;

/** Receives frames in log order. */
@FunctionalInterface
public interface FrameVisitor {

    /**
     * @param body the frame's bytes, valid only during the call
     * @return whether to go on
     */
    boolean frame(long firstLsn, int lsnCount, ByteBuffer body);
}
