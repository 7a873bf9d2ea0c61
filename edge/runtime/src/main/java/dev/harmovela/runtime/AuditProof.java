package dev.harmovela.runtime;

import dev.harmovela.store.journal.JournalAudit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the journal of a data directory is what the hub wrote; beside a hub that runs or without one. */
public final class AuditProof {

    /** The first thing in a file that is not as it was. */
    public record Difference(String file, long offset, String text) {}

    /**
     * What was found.
     *
     * @param differences empty when everything holds
     * @param notes what was let go, and what cannot be known
     * @param compared finished segments and archives that were compared
     * @param firstLsn oldest position that was compared, 0 without any
     * @param sealedLsn newest position that was compared
     * @param lastLsn newest position of the journal
     * @param head what to keep outside
     */
    public record Result(
            List<Difference> differences,
            List<String> notes,
            int compared,
            long firstLsn,
            long sealedLsn,
            long lastLsn,
            String head) {}

    private AuditProof() {}

    /**
     * Compares everything finished with its hash. Blocks.
     *
     * @param anchor a head that was kept outside and has to be a beginning of this journal, or null
     * @throws StartFailed when there is no journal, or it cannot be read
     */
    public static Result verify(@Nullable Path data, @Nullable String anchor) throws StartFailed {
        Path journal = journal(data);
        try {
            JournalAudit.Report report = JournalAudit.verify(journal, anchor);
            return new Result(
                    report.differences().stream()
                            .map(one -> new Difference(one.file(), one.offset(), one.text()))
                            .toList(),
                    report.notes(),
                    report.segments() + report.archives(),
                    report.firstLsn(),
                    report.sealedLsn(),
                    report.lastLsn(),
                    report.head());
        } catch (IOException failure) {
            throw Stores.explain(data, failure);
        }
    }

    /**
     * Everything the journal holds now in one word, to be kept outside. Blocks.
     *
     * @throws StartFailed when there is no journal, or it cannot be read
     */
    public static String head(@Nullable Path data) throws StartFailed {
        Path journal = journal(data);
        try {
            return JournalAudit.head(journal);
        } catch (IOException failure) {
            throw Stores.explain(data, failure);
        }
    }

    private static Path journal(@Nullable Path data) throws StartFailed {
        Path journal = data == null ? null : data.resolve(Stores.JOURNAL);
        if (journal == null || !Files.isDirectory(journal)) {
            throw new StartFailed(
                    StartFailed.Reason.DATA_UNUSABLE,
                    "There is no journal in " + data + ".",
                    "Name the data directory of a hub with --data.",
                    null);
        }
        return journal;
    }
}
