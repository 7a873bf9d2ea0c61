package dev.harmovela.spi;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One open file of a {@link Disk}. */
public interface DiskFile extends AutoCloseable {

    /** Size in bytes. */
    long size() throws IOException;

    /**
     * Reads up to {@code target.remaining()} bytes at {@code position}.
     *
     * @return bytes read, or -1 at or behind the end
     */
    int read(long position, ByteBuffer target) throws IOException;

    /** Writes all remaining bytes at {@code position}; a short write is an {@link IOException}. */
    void write(long position, ByteBuffer source) throws IOException;

    /** Cuts or grows the file to {@code size}; grown bytes read as zero. */
    void truncate(long size) throws IOException;

    /**
     * Returns after the content of the file is on stable storage. A failure is final for this file: it is never
     * tried again.
     */
    void force() throws IOException;

    @Override
    void close() throws IOException;
}
