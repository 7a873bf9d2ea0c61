package dev.harmovela.harness;

import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.spi.TaskArchive;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes ended tasks to the search, behind the log and in its order. Whatever it cannot be sure of, at a start, after a
 * failure or when too many wait, it reads again from the log ({@link EndedTasks}), so nothing that ended is missing.
 * What ended longer ago than the log keeps history leaves the search.
 * A failing search is reported and changes nothing else.
 */
final class Archiving {

    private static final int BATCH = 500;
    private static final int MOST_WAITING = 100_000;
    private static final int MOST_READERS = 10_000;
    /** How far the position of a search without news may fall back behind the log. */
    private static final long NEWS_EVERY = 50_000;
    /** How often tasks past retention leave. */
    private static final long EXPIRE_EVERY_MILLIS = 60_000;
    /** How long a reader waits until the search has caught up with its question. */
    private static final long PATIENCE_MILLIS = 1_000;

    /** Work for the search, away from the owner. */
    private interface Job {
        void run() throws IOException;
    }

    /** Somebody who wants to read what had ended by a position. */
    private static final class Reader {
        final long lsn;
        final Runnable go;

        Reader(long lsn, Runnable go) {
            this.lsn = lsn;
            this.go = go;
        }
    }

    private final Shard shard;
    private final TaskArchive archive;
    private final ArrayDeque<Tasks.EndedTask> waiting = new ArrayDeque<>();
    private final List<Reader> readers = new ArrayList<>();
    private boolean busy;
    private boolean behind = true;
    private long applied;
    private long expireAt;
    private volatile boolean stopped;

    Archiving(Shard shard, TaskArchive archive) {
        this.shard = shard;
        this.archive = archive;
    }

    TaskArchive archive() {
        return archive;
    }

    void ended(Tasks.EndedTask task) {
        if (waiting.size() < MOST_WAITING) {
            waiting.add(task);
        } else {
            waiting.clear();
            behind = true;
        }
    }

    /** Everything that ended up to here can be found. */
    long appliedLsn() {
        return !behind && !busy && waiting.isEmpty() ? shard.journal.durableLsn() : applied;
    }

    /**
     * Runs {@code go} on the owner once the search knows what had ended at {@code lsn}, which is durable, or after a
     * second, or at once when the search fails.
     */
    void await(long lsn, Runnable go) {
        if (appliedLsn() >= lsn || readers.size() >= MOST_READERS) {
            go.run();
            return;
        }
        Reader reader = new Reader(lsn, go);
        readers.add(reader);
        shard.timers.at(shard.now() + PATIENCE_MILLIS, () -> {
            if (readers.remove(reader)) {
                go.run();
            }
        });
        work();
    }

    /** Hands the next work to the writer, one at a time. */
    void work() {
        if (busy || stopped) {
            return;
        }
        long durable = shard.journal.durableLsn();
        if (behind) {
            behind = false;
            start(durable, () -> new EndedTasks(shard.config, shard.journal, archive).fill(durable, () -> stopped));
            return;
        }
        if (shard.now() >= expireAt) {
            expireAt = shard.now() + EXPIRE_EVERY_MILLIS;
            long oldest = shard.now() - shard.config.bounds().retention().millis();
            start(applied, () -> archive.expire(oldest));
            return;
        }
        List<TaskArchive.Ended> batch = nextBatch(durable);
        if (batch == null) {
            behind = true;
            work();
        } else if (!batch.isEmpty() || (waiting.isEmpty() && durable - applied >= NEWS_EVERY)) {
            long upTo = waiting.isEmpty() ? durable : batch.getLast().lsn();
            start(upTo, () -> archive.write(batch, upTo));
        }
    }

    /** What ended next and is durable; null when too little is known of a task any more. */
    private @Nullable List<TaskArchive.Ended> nextBatch(long durable) {
        List<TaskArchive.Ended> batch = new ArrayList<>();
        while (batch.size() < BATCH && !waiting.isEmpty() && waiting.peek().lsn() <= durable) {
            Tasks.EndedTask task = waiting.poll();
            Json.Obj detail = shard.state.tasks.describe(task.tenant(), task.taskId());
            if (detail == null || !detail.has("submitted_lsn")) {
                return null;
            }
            batch.add(EndedTasks.row(task, detail));
        }
        return batch;
    }

    private void start(long upTo, Job job) {
        busy = true;
        shard.hub.reading().execute(() -> {
            String problem = outcome(job);
            shard.hub.onOwner(shard, () -> done(upTo, problem));
        });
    }

    private static @Nullable String outcome(Job job) {
        try {
            job.run();
            return null;
        } catch (IOException | RuntimeException e) {
            return e.getMessage() == null ? e.toString() : e.getMessage();
        }
    }

    private void done(long upTo, @Nullable String problem) {
        busy = false;
        if (problem != null) {
            failed(problem);
            return;
        }
        applied = Math.max(applied, upTo);
        while (!waiting.isEmpty() && waiting.peek().lsn() <= upTo) {
            waiting.poll();
        }
        shard.hub.archiveWorks();
        work();
        release(appliedLsn());
    }

    /** The search does not work: its position is asked for again before anything else is written. */
    void failed(String problem) {
        behind = true;
        shard.hub.archiveFailed(problem);
        release(Long.MAX_VALUE);
    }

    private void release(long lsn) {
        for (Reader reader : List.copyOf(readers)) {
            if (reader.lsn <= lsn) {
                readers.remove(reader);
                reader.go.run();
            }
        }
    }

    /** The shard ends: what is under way may end early. */
    void stop() {
        stopped = true;
    }
}
