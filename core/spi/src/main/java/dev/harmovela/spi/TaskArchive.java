package dev.harmovela.spi;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Search over ended tasks, written behind the journal and rebuildable from it. Blocking; one writer, several
 * readers; never on the owner's thread. A broken archive never stops the hub: what is wrong is an {@link IOException},
 * and a content that cannot be used any more is begun anew with {@link #appliedLsn()} 0, so that its writer fills it
 * again from the journal.
 */
public interface TaskArchive extends AutoCloseable {

    /** Members of {@link Ended#detail()} by which a {@link Query} may choose; each is a text or missing. */
    List<String> FIELDS = List.of(
            "task_id", "owner", "submitter", "target", "parent_task_id", "correlation_id", "ended_by", "reason");

    /**
     * One ended task.
     *
     * @param submittedLsn position at which it was submitted, 0 when that is not known any more
     * @param submittedAt epoch milliseconds, 0 when not known
     * @param endedAt epoch milliseconds
     * @param lsn position of the event with its result
     * @param detail the whole answer of the {@code task} question
     */
    record Ended(
            String tenant,
            String taskId,
            String state,
            long submittedLsn,
            long submittedAt,
            long endedAt,
            long lsn,
            Json.Obj detail) {

        /** Its place in every list. */
        public Key key() {
            return new Key(submittedLsn, taskId);
        }
    }

    /** A place in the order of lists: latest submission first, then ids from the last to the first. Never changes. */
    record Key(long submittedLsn, String taskId) implements Comparable<Key> {

        /** Before every task. */
        public static final Key FIRST = new Key(Long.MAX_VALUE, "");

        @Override
        public int compareTo(Key other) {
            int byLsn = Long.compare(other.submittedLsn, submittedLsn);
            return byLsn != 0 ? byLsn : other.taskId.compareTo(taskId);
        }
    }

    /** Position up to which tasks were written. */
    long appliedLsn() throws IOException;

    /** Writes the batch and the position in one transaction; a task already there is replaced. */
    void write(List<Ended> batch, long appliedLsn) throws IOException;

    /** Ended tasks in the order of their {@link Key}s. */
    List<Ended> list(Query query) throws IOException;

    /** One ended task or null. */
    @Nullable Ended find(String tenant, String taskId) throws IOException;

    /** Forgets tasks that ended before {@code millis}. */
    void expire(long millis) throws IOException;

    /** Drops everything, so that it can be built again from the journal. */
    void clear() throws IOException;

    @Override
    void close() throws IOException;

    /** Times, both ends included, epoch milliseconds. */
    record Span(long from, long to) {
        public static final Span ALWAYS = new Span(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /**
     * What to list; every condition must hold.
     *
     * @param states names of states, any of them; empty for all
     * @param equal wanted values, any of them, by the name of one of the {@link #FIELDS}, or by {@code
     *     party} for owner, submitter and target
     * @param after where the page before ended, {@link Key#FIRST} for the first page
     * @param limit most rows, 1 to 1001
     */
    record Query(
            String tenant,
            List<String> states,
            Map<String, List<String>> equal,
            Span submitted,
            Span ended,
            Key after,
            int limit) {}
}
