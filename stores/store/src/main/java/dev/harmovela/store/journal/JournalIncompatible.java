package dev.harmovela.store.journal;

import java.io.IOException;

/** A file of the log was written by a version, a shard or a data directory that this opening must not continue. */
public final class JournalIncompatible extends IOException {

    private static final long serialVersionUID = 1;

    private final String file;
    private final String reason;

    JournalIncompatible(String file, String reason) {
        super("journal file " + file + " cannot be used: " + reason);
        this.file = file;
        this.reason = reason;
    }

    /** Name of the refused file within the data directory. */
    public String file() {
        return file;
    }

    /** What is wrong, without the file. */
    String reason() {
        return reason;
    }
}
