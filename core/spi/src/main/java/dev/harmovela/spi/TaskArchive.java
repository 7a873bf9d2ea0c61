package dev.harmovela.spi;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Search over ended tasks, written behind the journal and rebuildable from it. Blocking; one writer, several
 * readers; never on the owner's thread. A broken archive never stops the hub.
 */
public interface TaskArchive extends AutoCloseable {

    /** One ended task; {@code detail} is the whole answer of the {@code task} question. */
    record Ended(
            String tenant,
            String taskId,
            String state,
            @Nullable String owner,
            @Nullable String submitter,
            @Nullable String parentId,
            @Nullable String correlationId,
            long submittedAt,
            long endedAt,
            long lsn,
            Json.Obj detail) {}

    /** Position up to which tasks were written. */
    long appliedLsn() throws IOException;

    /** Writes the batch and the position in one transaction; a task already there is replaced. */
    void write(List<Ended> batch, long appliedLsn) throws IOException;

    /** Ended tasks, newest first; filters that are null are not applied. */
    List<Ended> list(Query query) throws IOException;

    /** One ended task or null. */
    @Nullable Ended find(String tenant, String taskId) throws IOException;

    /** Forgets tasks that ended before {@code millis}. */
    void expire(long millis) throws IOException;

    /** Drops everything, so that it can be built again from the journal. */
    void clear() throws IOException;

    @Override
    void close() throws IOException;

    /** What to list. {@code before} is the {@code endedAt/taskId} key of the last row of the previous page. */
    record Query(
            String tenant,
            @Nullable String state,
            @Nullable String owner,
            @Nullable String parentId,
            @Nullable String correlationId,
            @Nullable String before,
            int limit) {}
}
