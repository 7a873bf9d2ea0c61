package dev.harmovela.spi;

import java.io.IOException;
import java.util.List;

/**
 * The part of a file system that a journal relies on: one directory of files with explicit forcing.
 *
 * <p>Nothing written is promised to survive a power cut until {@link DiskFile#force()} returned, and no create,
 * rename or delete is promised until {@link #forceDirectory()} returned. Implementations need not be thread-safe
 * for writing; reads may run beside one writer.
 */
public interface Disk {

    /** Names of the files in the directory, sorted. */
    List<String> list() throws IOException;

    /** Creates an empty file; fails when it exists. */
    DiskFile create(String name) throws IOException;

    /** Opens an existing file for reading and writing. */
    DiskFile open(String name) throws IOException;

    /** Moves {@code from} over {@code to} atomically; durable after {@link #forceDirectory()}. */
    void rename(String from, String to) throws IOException;

    /** Deletes a file; durable after {@link #forceDirectory()}. */
    void delete(String name) throws IOException;

    /** Makes earlier creates, renames and deletes durable. */
    void forceDirectory() throws IOException;
}
