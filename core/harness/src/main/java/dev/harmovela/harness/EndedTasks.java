package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.SnapshotStore;
import dev.harmovela.spi.TaskArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fills the search from the log: a fold of the facts about tasks beside the traffic, which finds every end behind the
 * position that the search has. It begins at the newest snapshot before that position, or with the log; what lies
 * before the log is known of those tasks that were carried. Blocks; for one call on one thread.
 */
final class EndedTasks {

    private static final int BATCH = 500;

    private final HubConfig config;
    private final Journal journal;
    private final TaskArchive archive;
    private final FrameCodec codec;
    private final List<TaskArchive.Ended> batch = new ArrayList<>();

    EndedTasks(HubConfig config, Journal journal, TaskArchive archive) {
        this.config = config;
        this.journal = journal;
        this.archive = archive;
        this.codec = new FrameCodec(config.registry());
    }

    /**
     * Writes every task that ended up to {@code until}, which is durable.
     *
     * @param stopped asked for each frame: nobody wants the rest any more
     * @throws IOException when log or search fail; what was written stays, with its position
     */
    void fill(long until, BooleanSupplier stopped) throws IOException {
        long applied = archive.appliedLsn();
        if (applied > until) {
            // the search of a longer log: this one was cut or replaced
            archive.clear();
            applied = 0;
        }
        if (applied < until && read(applied, until, stopped)) {
            archive.write(batch, until);
        }
    }

    /** Whether all was read. */
    private boolean read(long applied, long until, BooleanSupplier stopped) throws IOException {
        ShardState base = base(applied);
        Tasks tasks = base.tasks;
        long begun = base.lastLsn();
        boolean[] all = {true};
        try {
            journal.read(begun + 1, (first, count, body) -> {
                if (first > until || stopped.getAsBoolean()) {
                    all[0] = first > until;
                    return false;
                }
                if (first > begun) {
                    frame(tasks, applied, first, body);
                }
                return true;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return all[0];
    }

    private ShardState base(long applied) throws IOException {
        ShardState state = new ShardState(config.tasks());
        SnapshotStore.@Nullable Snapshot newest = journal.snapshots().newest();
        if (newest != null && newest.lsn() <= applied) {
            state.restore(newest.bytes());
        }
        return state;
    }

    private void frame(Tasks tasks, long applied, long first, ByteBuffer body) {
        for (Fact fact : codec.readFacts(body.duplicate())) {
            tasks.follow(fact);
            Tasks.EndedTask ended = Tasks.ended(fact);
            if (ended != null && ended.lsn() > applied) {
                Json.Obj detail = tasks.described(fact);
                batch.add(row(ended, detail.has("submitted_at") ? detail : withEvent(detail, ended, first, body)));
            }
        }
        if (batch.size() >= BATCH) {
            try {
                archive.write(batch, batch.getLast().lsn());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            batch.clear();
        }
    }

    /** What the last event of a task says of it when nothing else is left. */
    private Json.Obj withEvent(Json.Obj detail, Tasks.EndedTask ended, long first, ByteBuffer body) {
        Frame frame = codec.read(first, body.duplicate());
        int index = (int) (ended.lsn() - first);
        Event event =
                index >= 0 && index < frame.events().size() ? frame.events().get(index) : null;
        if (event == null) {
            return detail;
        }
        Json.Builder more = Json.Obj.builder();
        detail.forEach(more::put);
        return more.put("parent_task_id", event.parentTaskId())
                .put("correlation_id", event.correlationId())
                .build();
    }

    /** A task as the search keeps it. */
    static TaskArchive.Ended row(Tasks.EndedTask task, Json.Obj detail) {
        Long submitted = detail.integer("submitted_lsn");
        return new TaskArchive.Ended(
                task.tenant(),
                task.taskId(),
                task.state().name(),
                submitted == null ? 0 : submitted,
                time(detail.string("submitted_at")),
                time(detail.string("ended_at")),
                task.lsn(),
                detail);
    }

    private static long time(@Nullable String text) {
        return text == null ? 0 : Math.max(0, Timestamps.parse(text));
    }
}
