package dev.harmovela.store.journal;

import java.io.IOException;
import java.nio.file.Path;

/** Another process, or another part of this one, has the data directory open. */
public final class DirectoryLocked extends IOException {

    private static final long serialVersionUID = 1;

    private final transient Path directory;
    private final long pid;

    DirectoryLocked(Path directory, long pid) {
        super("data directory " + directory + " is in use" + (pid > 0 ? " by process " + pid : " by another process"));
        this.directory = directory;
        this.pid = pid;
    }

    public Path directory() {
        return directory;
    }

    /** Process id of the holder, 0 when it could not be read. */
    public long pid() {
        return pid;
    }
}
