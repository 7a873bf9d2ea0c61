package dev.harmovela.harness;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.spi.TaskArchive;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes ended tasks to the search store, behind the log and in its order; a failing store is reported and changes
 * nothing.
 */
final class Archiving {

    private static final int BATCH = 500;
    private static final int MOST_WAITING = 100_000;

    private final Shard shard;
    private final TaskArchive archive;
    private final ArrayDeque<Tasks.EndedTask> waiting = new ArrayDeque<>();
    private boolean writing;

    Archiving(Shard shard, TaskArchive archive) {
        this.shard = shard;
        this.archive = archive;
    }

    void ended(Tasks.EndedTask task) {
        if (waiting.size() < MOST_WAITING) {
            waiting.add(task);
        }
    }

    /** Tasks that ended before the last stop and did not reach the store. */
    void catchUp() {
        try {
            long applied = archive.appliedLsn();
            shard.state.tasks.endedSince(applied).forEach(this::ended);
        } catch (IOException e) {
            shard.hub.archiveFailed(e);
        }
        writeDurable();
    }

    /** Hands the next durable batch to the writer, one at a time. */
    void writeDurable() {
        if (writing || waiting.isEmpty()) {
            return;
        }
        List<TaskArchive.Ended> batch = new ArrayList<>();
        long durable = shard.journal.durableLsn();
        long applied = 0;
        while (batch.size() < BATCH && !waiting.isEmpty() && waiting.peek().lsn() <= durable) {
            Tasks.EndedTask task = waiting.poll();
            applied = task.lsn();
            TaskArchive.Ended row = row(task);
            if (row != null) {
                batch.add(row);
            }
        }
        if (batch.isEmpty()) {
            return;
        }
        writing = true;
        long upTo = applied;
        shard.hub.reading().execute(() -> write(batch, upTo));
    }

    private void write(List<TaskArchive.Ended> batch, long applied) {
        IOException failure = null;
        try {
            archive.write(batch, applied);
        } catch (IOException e) {
            failure = e;
        }
        IOException failed = failure;
        shard.hub.onOwner(shard, () -> {
            writing = false;
            if (failed == null) {
                shard.hub.archiveWorks();
                writeDurable();
            } else {
                shard.hub.archiveFailed(failed);
            }
        });
    }

    private TaskArchive.@Nullable Ended row(Tasks.EndedTask task) {
        Json.Obj detail = shard.state.tasks.describe(task.tenant(), task.taskId());
        return detail == null
                ? null
                : new TaskArchive.Ended(
                        task.tenant(),
                        task.taskId(),
                        task.state().name(),
                        detail.string("owner"),
                        detail.string("submitter"),
                        detail.string("parent_task_id"),
                        detail.string("correlation_id"),
                        time(detail.string("submitted_at")),
                        time(detail.string("ended_at")),
                        task.lsn(),
                        detail);
    }

    private static long time(@Nullable String text) {
        return text == null ? 0 : Math.max(0, Timestamps.parse(text));
    }
}
