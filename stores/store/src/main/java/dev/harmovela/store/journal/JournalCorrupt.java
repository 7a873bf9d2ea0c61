package dev.harmovela.store.journal;

import java.io.IOException;

/** Bytes that had been promised are damaged: the log is not opened until somebody decides what to give up. */
public final class JournalCorrupt extends IOException {

    private static final long serialVersionUID = 1;

    private final String file;
    private final long offset;
    private final String reason;

    JournalCorrupt(String file, long offset, String reason) {
        super("journal file " + file + " is damaged at offset " + offset + ": " + reason);
        this.file = file;
        this.offset = offset;
        this.reason = reason;
    }

    /** Name of the damaged file within the data directory. */
    public String file() {
        return file;
    }

    /** Offset of the first byte that cannot be trusted. */
    public long offset() {
        return offset;
    }

    /** What is wrong, without the place. */
    String reason() {
        return reason;
    }
}
