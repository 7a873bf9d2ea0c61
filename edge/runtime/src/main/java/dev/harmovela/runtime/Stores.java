package dev.harmovela.runtime;

import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Journal;
import dev.harmovela.store.journal.DirectoryLocked;
import dev.harmovela.store.journal.JournalCorrupt;
import dev.harmovela.store.journal.JournalIncompatible;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.store.memory.MemoryJournal;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a hub keeps what it knows. */
final class Stores {

    /** Below the data directory: the journal, and the search over ended tasks. */
    static final String JOURNAL = "journal";

    static final String SEARCH = "harmovela.sqlite";

    private static final long SPACE_BYTES = 16L << 20;

    private Stores() {}

    /** Opens the journal, and behind its lock the search. */
    static HarmovelaHub.JournalFactory journal(DaemonConfig config, @Nullable SearchIfWhole search) {
        Path data = config.data();
        if (data == null) {
            return (keys, listener) ->
                    new MemoryJournal("memory", config.journal().memoryBytes(), keys, listener);
        }
        return (keys, listener) -> {
            Journal journal = SegmentJournal.open(data.resolve(JOURNAL), HubSettings.journal(config), keys, listener);
            if (search != null) {
                search.open();
            }
            return journal;
        };
    }

    /** Journals of conformance sessions, which are thrown away with them. */
    static HarmovelaHub.SpaceJournals spaces() {
        return listener -> new MemoryJournal("space", SPACE_BYTES, FrameKeys.NONE, listener);
    }

    /** The search of a data directory, still closed; null without one. */
    static @Nullable SearchIfWhole search(@Nullable Path data) {
        return data == null ? null : new SearchIfWhole(data.resolve(SEARCH));
    }

    static void prepare(@Nullable Path data) throws StartFailed {
        if (data == null) {
            return;
        }
        try {
            Files.createDirectories(data);
            if (!Files.isWritable(data)) {
                throw new IOException("it is not writable");
            }
        } catch (IOException unusable) {
            throw new StartFailed(
                    StartFailed.Reason.DATA_UNUSABLE,
                    "The data directory " + data + " cannot be used: " + reason(unusable) + ".",
                    "Name another one with --data, HARMOVELA_DATA or data in the configuration.",
                    unusable);
        }
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException denied -> "permission denied";
            case FileAlreadyExistsException file -> file.getMessage() + " is not a directory";
            case FileSystemException named when named.getReason() != null -> named.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }

    /** Says in one sentence why the journal did not open. */
    static StartFailed explain(@Nullable Path data, IOException failure) {
        return switch (failure) {
            case DirectoryLocked locked -> {
                RunFile other = data == null ? null : RunFile.find(data);
                String where = other == null ? "" : ", reached at " + other.url();
                String who = locked.pid() > 0 ? "process " + locked.pid() : "another process";
                yield new StartFailed(
                        StartFailed.Reason.DATA_LOCKED,
                        "The data directory " + data + " is used by " + who + where + ".",
                        "Use that hub, stop it, or name another directory with --data.",
                        locked);
            }
            case JournalCorrupt damaged ->
                new StartFailed(
                        StartFailed.Reason.DATA_DAMAGED,
                        "The data directory " + data + " is damaged: " + damaged.getMessage() + ".",
                        "harmovela doctor says what is left; harmovela doctor --repair gives up what is not.",
                        damaged);
            case JournalIncompatible other ->
                new StartFailed(
                        StartFailed.Reason.DATA_DAMAGED,
                        "The data directory " + data + " cannot be continued: " + other.getMessage() + ".",
                        "Start the version that wrote it, or name another directory with --data.",
                        other);
            default ->
                new StartFailed(
                        StartFailed.Reason.DATA_UNUSABLE,
                        "The data directory " + data + " cannot be used: " + reason(failure) + ".",
                        "harmovela doctor looks at disk space, permissions and the journal.",
                        failure);
        };
    }
}
