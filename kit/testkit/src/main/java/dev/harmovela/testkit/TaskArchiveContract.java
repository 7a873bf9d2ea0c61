package dev.harmovela.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.TaskArchive;
import dev.harmovela.spi.TaskArchive.Ended;
import dev.harmovela.spi.TaskArchive.Key;
import dev.harmovela.spi.TaskArchive.Query;
import dev.harmovela.spi.TaskArchive.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every search over ended tasks must do. */
public abstract class TaskArchiveContract {

    /** The empty archive of this test; the same for the whole test. */
    protected abstract TaskArchive archive() throws IOException;

    private static Ended task(String tenant, String id, String state, long lsn, String detail) {
        return new Ended(tenant, id, state, lsn, 100 + lsn, 200 + lsn, 50 + lsn, (Json.Obj) Json.parse(detail));
    }

    private static Ended task(String id, long lsn) {
        return task("t", id, "COMPLETED", lsn, "{\"owner\":\"o\",\"number\":12345678901234567}");
    }

    private static Query all(Key after, int limit) {
        return new Query("t", List.of(), Map.of(), Span.ALWAYS, Span.ALWAYS, after, limit);
    }

    private List<String> ids(Query query) throws IOException {
        return archive().list(query).stream().map(Ended::taskId).toList();
    }

    private List<String> where(String field, String... values) throws IOException {
        return ids(new Query("t", List.of(), Map.of(field, List.of(values)), Span.ALWAYS, Span.ALWAYS, Key.FIRST, 100));
    }

    @Test
    void what_is_written_is_found_whole_with_the_position_up_to_which_it_was_written() throws IOException {
        assertThat(archive().appliedLsn()).isZero();
        Ended full = task("a", 5);
        Ended bare = task("t", "b", "FAILED", 0, "{}");
        archive().write(List.of(full, bare), 42);
        assertThat(archive().find("t", "a")).isEqualTo(full);
        assertThat(archive().find("t", "b")).isEqualTo(bare);
        assertThat(archive().find("other", "a")).isNull();
        assertThat(archive().list(all(Key.FIRST, 10))).containsExactly(full, bare);
        assertThat(archive().appliedLsn()).isEqualTo(42);
        archive().write(List.of(), 43);
        assertThat(archive().appliedLsn()).isEqualTo(43);
    }

    @Test
    void a_task_written_again_is_replaced() throws IOException {
        archive().write(List.of(task("a", 5)), 1);
        Ended again = task("t", "a", "FAILED", 9, "{\"owner\":\"p\"}");
        archive().write(List.of(again), 2);
        assertThat(archive().list(all(Key.FIRST, 10))).containsExactly(again);
        assertThat(where("owner", "o")).isEmpty();
    }

    @Test
    void every_field_narrows_and_tenants_are_apart() throws IOException {
        List<Ended> batch = new ArrayList<>();
        for (String field : TaskArchive.FIELDS) {
            if (!field.equals("task_id")) {
                batch.add(task("t", field, "FAILED", batch.size() + 1, "{\"" + field + "\":\"x\"}"));
            }
        }
        batch.add(task("u", "other", "FAILED", 1, "{\"owner\":\"x\"}"));
        archive().write(batch, 99);
        for (String field : TaskArchive.FIELDS) {
            String value = field.equals("task_id") ? "owner" : "x";
            assertThat(where(field, value, "y")).containsExactly(field.equals("task_id") ? "owner" : field);
            assertThat(where(field, "' or 1=1 --")).isEmpty();
        }
        assertThatThrownBy(() -> where("tenant", "u")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void states_and_times_narrow() throws IOException {
        archive()
                .write(
                        List.of(
                                task("t", "1", "FAILED", 1, "{}"),
                                task("t", "2", "COMPLETED", 2, "{}"),
                                task("t", "3", "TIMED_OUT", 3, "{}")),
                        9);
        List<String> some = List.of("FAILED", "TIMED_OUT");
        assertThat(ids(new Query("t", some, Map.of(), Span.ALWAYS, Span.ALWAYS, Key.FIRST, 9)))
                .containsExactly("3", "1");
        assertThat(ids(new Query("t", some, Map.of(), new Span(102, 200), Span.ALWAYS, Key.FIRST, 9)))
                .containsExactly("3");
        assertThat(ids(new Query("t", List.of(), Map.of(), Span.ALWAYS, new Span(201, 202), Key.FIRST, 9)))
                .containsExactly("2", "1");
    }

    @Test
    void pages_follow_the_order_of_submission_without_gap_or_overlap() throws IOException {
        archive()
                .write(
                        IntStream.range(0, 95)
                                .mapToObj(i -> task("task/" + i, i / 10))
                                .toList(),
                        1);
        List<String> seen = new ArrayList<>();
        Key after = Key.FIRST;
        for (List<Ended> page = archive().list(all(after, 10));
                !page.isEmpty();
                page = archive().list(all(after, 10))) {
            for (Ended one : page) {
                assertThat(after.compareTo(one.key())).isNegative();
                after = one.key();
                seen.add(one.taskId());
            }
            archive().write(List.of(task("late" + seen.size(), 1_000 + seen.size())), 2);
        }
        assertThat(seen).hasSize(95).doesNotHaveDuplicates();
        assertThat(archive().list(all(Key.FIRST, 0))).hasSize(1);
    }

    @Test
    void old_tasks_expire_and_everything_can_be_dropped() throws IOException {
        archive().write(List.of(task("a", 5), task("b", 6), task("c", 7)), 9);
        archive().expire(206);
        assertThat(ids(all(Key.FIRST, 9))).containsExactly("c", "b");
        assertThat(archive().appliedLsn()).isEqualTo(9);
        archive().clear();
        assertThat(ids(all(Key.FIRST, 9))).isEmpty();
        assertThat(archive().appliedLsn()).isZero();
    }
}
