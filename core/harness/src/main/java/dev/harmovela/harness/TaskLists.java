package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.dimension.task.TaskFilter;
import dev.harmovela.dimension.task.TaskState;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.TaskArchive;
import dev.harmovela.spi.TaskArchive.Key;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Questions about tasks, over those the shard knows in full and those only the search remembers: one list in the order
 * of submission. A task's place in it never changes, so that pages follow each other without showing one twice or
 * leaving one out that ended meanwhile. An answer that the search could not be waited for says {@code as_of}.
 */
final class TaskLists {

    private static final int RADIX = 36;
    private static final char BETWEEN = '.';

    private final Shard shard;
    private @Nullable Archiving archiving;

    TaskLists(Shard shard) {
        this.shard = shard;
    }

    /** What has ended can be looked for there. */
    void search(Archiving ended) {
        archiving = ended;
    }

    // --- lists

    /** What is wrong with a question for a list, or null. */
    @Nullable ProtocolError problem(String at, Ask ask) {
        ProtocolError wrong = TaskFilter.problem(at, ask.filter());
        return wrong == null && ask.cursor() != null && place(ask.cursor()) == null
                ? ProtocolError.because(
                        ErrorCode.INVALID_PAYLOAD, "cursor_out_of_range", "this page cursor is not one of ours")
                : wrong;
    }

    /** A page {@code {items[], next_cursor}}, latest submission first; the question has no {@link #problem}. */
    void list(Caller caller, Ask ask, Consumer<Answer> done) {
        Key after = ask.cursor() == null ? Key.FIRST : place(ask.cursor());
        if (after == null) {
            throw new IllegalArgumentException("not a place in a list of tasks");
        }
        TaskFilter filter = TaskFilter.of(ask.filter());
        int most = ask.limit() + 1;
        List<Tasks.Row> known = shard.state.tasks.list(caller.tenant(), filter, after.submittedLsn(), most);
        SortedMap<Key, Json.Obj> page = new TreeMap<>();
        known.forEach(row -> page.put(new Key(row.submittedLsn(), row.taskId()), row.brief()));
        Archiving ended = archiving;
        if (ended == null || filter.ends().isEmpty()) {
            shard.later(() -> done.accept(answer(page, ask.limit(), null, null)));
            return;
        }
        TaskArchive.Query query = query(caller.tenant(), filter, after, most);
        long asked = shard.tag();
        shard.later(() -> ended.await(
                asked,
                () -> find(ended, archive -> archive.list(query), (rows, problem) -> {
                    for (TaskArchive.Ended row : rows == null ? List.<TaskArchive.Ended>of() : rows) {
                        if (row.submittedLsn() > 0 || !isKnown(row)) {
                            page.putIfAbsent(row.key(), Tasks.brief(row.detail()));
                        }
                    }
                    done.accept(answer(page, ask.limit(), asOf(ended, asked), problem));
                })));
    }

    /** Whether the shard knows a task in full, whose beginning the search does not know. */
    private boolean isKnown(TaskArchive.Ended row) {
        return shard.state.tasks.submitter(row.tenant(), row.taskId()) != null;
    }

    private static TaskArchive.Query query(String tenant, TaskFilter filter, Key after, int most) {
        List<String> states = filter.ends().stream().map(TaskState::name).toList();
        return new TaskArchive.Query(
                tenant, states, filter.equal(), span(filter.submitted()), span(filter.ended()), after, most);
    }

    private static TaskArchive.Span span(TaskFilter.Span span) {
        return span.equals(TaskFilter.Span.ALWAYS)
                ? TaskArchive.Span.ALWAYS
                : new TaskArchive.Span(span.from(), span.to());
    }

    private static Answer answer(
            SortedMap<Key, Json.Obj> page, int limit, @Nullable String asOf, @Nullable String problem) {
        List<Json> items = new ArrayList<>();
        Key last = null;
        for (Map.Entry<Key, Json.Obj> row : page.entrySet()) {
            if (items.size() == limit) {
                break;
            }
            items.add(row.getValue());
            last = row.getKey();
        }
        boolean more = page.size() > items.size() && last != null;
        return new Answer.Found(Json.Obj.builder()
                .put("items", new Json.Arr(items))
                .put("next_cursor", more && last != null ? Json.of(cursor(last)) : Json.Null.NULL)
                .put("as_of", asOf)
                .put("incomplete", problem)
                .build());
    }

    private static String cursor(Key key) {
        return Long.toString(key.submittedLsn(), RADIX) + BETWEEN + key.taskId();
    }

    private static @Nullable Key place(String cursor) {
        int between = cursor.indexOf(BETWEEN);
        try {
            long lsn = between < 1 ? -1 : Long.parseLong(cursor.substring(0, between), RADIX);
            return lsn < 0 ? null : new Key(lsn, cursor.substring(between + 1));
        } catch (NumberFormatException _) {
            return null;
        }
    }

    // --- one task

    /** Everything known of a task, also of one that ended so long ago that only the search knows more than its end. */
    void show(Caller caller, Rights rights, String id, Consumer<Answer> done) {
        Json.Obj described = shard.state.tasks.describe(caller.tenant(), id);
        boolean whole = described != null && described.has("submitted_lsn");
        Json.Obj known = Sight.ofTask(caller, rights, described);
        Archiving ended = archiving;
        if (whole || ended == null) {
            shard.later(() -> done.accept(Questions.found(known, "task", id)));
            return;
        }
        long asked = shard.tag();
        shard.later(() -> ended.await(
                asked,
                () -> find(ended, archive -> archive.find(caller.tenant(), id), (row, _) -> {
                    String asOf = asOf(ended, asked);
                    Answer answer = Questions.found(
                            row == null ? known : Sight.ofTask(caller, rights, row.detail()), "task", id);
                    done.accept(
                            answer instanceof Answer.Failed(ProtocolError missing) && asOf != null
                                    ? new Answer.Failed(missing.with("as_of", asOf))
                                    : answer);
                })));
    }

    // --- the search

    /** Something to find in the search, away from the owner. */
    private interface Finding<T> {
        @Nullable T in(TaskArchive archive) throws IOException;
    }

    /** Takes what was found, on the owner, or why nothing could be. */
    private interface Taker<T> {
        void take(@Nullable T found, @Nullable String problem);
    }

    private <T> void find(Archiving ended, Finding<T> finding, Taker<T> taker) {
        shard.hub.reading().execute(() -> {
            T found = null;
            String problem = null;
            try {
                found = finding.in(ended.archive());
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
            }
            T result = found;
            String failure = problem;
            shard.hub.onOwner(shard, () -> {
                if (failure != null) {
                    ended.failed(failure);
                }
                taker.take(result, failure);
            });
        });
    }

    private @Nullable String asOf(Archiving ended, long asked) {
        return ended.appliedLsn() >= asked ? null : shard.replies.cursor(ended.appliedLsn());
    }
}
