package dev.harmovela.store.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.TaskArchive.Ended;
import dev.harmovela.spi.TaskArchive.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteTaskArchiveTest {

    private static final Query ALL = new Query("t", null, null, null, null, null, 100);

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("tasks.sqlite");
    }

    private static Ended task(String id, long endedAt) {
        return new Ended("t", id, "completed", "o", "s", "p", "c", 1, endedAt, 10 + endedAt, detail("x"));
    }

    private static Json.Obj detail(String text) {
        return Json.Obj.builder()
                .put("text", text)
                .put("number", 12345678901234567L)
                .build();
    }

    private static List<String> ids(List<Ended> tasks) {
        return tasks.stream().map(Ended::taskId).toList();
    }

    @Test
    void whatIsWrittenIsFoundWithAllItsFields() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            assertThat(archive.appliedLsn()).isZero();
            Ended full = task("a", 5);
            Ended bare = new Ended("t", "b", "failed", null, null, null, null, 2, 6, 7, Json.Obj.of());
            archive.write(List.of(full, bare), 42);
            assertThat(archive.find("t", "a")).isEqualTo(full);
            assertThat(archive.find("t", "b")).isEqualTo(bare);
            assertThat(archive.find("other", "a")).isNull();
            assertThat(archive.appliedLsn()).isEqualTo(42);
        }
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            assertThat(archive.appliedLsn()).isEqualTo(42);
            assertThat(ids(archive.list(ALL))).containsExactly("b", "a");
        }
    }

    @Test
    void aTaskWrittenAgainIsReplaced() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.inMemory()) {
            archive.write(List.of(task("a", 5)), 1);
            Ended again = new Ended("t", "a", "failed", null, null, null, null, 1, 9, 9, detail("again"));
            archive.write(List.of(again), 2);
            assertThat(archive.list(ALL)).containsExactly(again);
            archive.write(List.of(), 3);
            assertThat(archive.appliedLsn()).isEqualTo(3);
        }
    }

    @Test
    void filtersNarrowAndTenantsAreApart() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.inMemory()) {
            archive.write(
                    List.of(
                            new Ended("t", "1", "failed", "o1", null, "p1", "c1", 1, 1, 1, Json.Obj.of()),
                            new Ended("t", "2", "failed", "o2", null, "p1", "c2", 1, 2, 2, Json.Obj.of()),
                            new Ended("t", "3", "completed", "o1", null, "p2", "c1", 1, 3, 3, Json.Obj.of()),
                            new Ended("u", "1", "failed", "o1", null, "p1", "c1", 1, 4, 4, Json.Obj.of())),
                    4);
            assertThat(ids(archive.list(ALL))).containsExactly("3", "2", "1");
            assertThat(ids(archive.list(new Query("t", "failed", null, null, null, null, 9))))
                    .containsExactly("2", "1");
            assertThat(ids(archive.list(new Query("t", null, "o1", null, null, null, 9))))
                    .containsExactly("3", "1");
            assertThat(ids(archive.list(new Query("t", null, null, "p1", null, null, 9))))
                    .containsExactly("2", "1");
            assertThat(ids(archive.list(new Query("t", "failed", "o1", "p1", "c1", null, 9))))
                    .containsExactly("1");
            assertThat(archive.list(new Query("v", null, null, null, null, null, 9)))
                    .isEmpty();
            assertThat(archive.list(new Query("t", "' or 1=1 --", null, null, null, null, 9)))
                    .isEmpty();
        }
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrOverlap() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.inMemory()) {
            archive.write(
                    IntStream.range(0, 95)
                            .mapToObj(i -> task("task/" + i, i / 10))
                            .toList(),
                    1);
            List<String> seen = new ArrayList<>();
            String before = null;
            List<Ended> page;
            do {
                page = archive.list(new Query("t", null, null, null, null, before, 10));
                seen.addAll(ids(page));
                before = page.isEmpty()
                        ? null
                        : page.getLast().endedAt() + "/" + page.getLast().taskId();
            } while (before != null);
            assertThat(seen).hasSize(95).doesNotHaveDuplicates().isEqualTo(ids(archive.list(ALL)));
            assertThat(archive.list(new Query("t", null, null, null, null, null, 0)))
                    .hasSize(1);
            for (String wrong : List.of("", "/", "x/1", "5", "99999999999999999999/a")) {
                assertThatThrownBy(() -> archive.list(new Query("t", null, null, null, null, wrong, 5)))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void oldTasksExpireAndEverythingCanBeDropped() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.inMemory()) {
            archive.write(List.of(task("a", 5), task("b", 6), task("c", 7)), 9);
            archive.expire(6);
            assertThat(ids(archive.list(ALL))).containsExactly("c", "b");
            assertThat(archive.appliedLsn()).isEqualTo(9);
            archive.clear();
            assertThat(archive.list(ALL)).isEmpty();
            assertThat(archive.appliedLsn()).isZero();
        }
    }

    @Test
    void aFailedBatchChangesNothing() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            archive.write(List.of(task("a", 1)), 1);
            Ended broken = new Ended("t", "c", null, null, null, null, null, 1, 1, 1, Json.Obj.of());
            assertThatThrownBy(() -> archive.write(List.of(task("b", 2), broken), 5))
                    .isInstanceOf(IOException.class);
            assertThat(ids(archive.list(ALL))).containsExactly("a");
            assertThat(archive.appliedLsn()).isEqualTo(1);
            archive.write(List.of(task("b", 2)), 6);
            assertThat(archive.appliedLsn()).isEqualTo(6);
        }
    }

    @Test
    void aFileThatIsNoArchiveIsReplaced() throws IOException {
        Files.writeString(file(), "this is not a database, but it is long enough to be looked at".repeat(100));
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            assertThat(archive.appliedLsn()).isZero();
            archive.write(List.of(task("a", 1)), 1);
        }
        Files.delete(file());
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            assertThat(archive.list(ALL)).isEmpty();
        }
    }

    @Test
    void anArchiveOfANewerVersionIsBuiltAgain() throws IOException, SQLException {
        SqliteTaskArchive.open(file()).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute("update progress set applied_lsn = 7");
            statement.execute("pragma user_version = 99");
        }
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            assertThat(archive.appliedLsn()).isZero();
        }
    }

    @Test
    void aDirectoryInItsPlaceIsAnErrorNotAReasonToDelete() throws IOException {
        Files.createDirectories(file().resolve("kept"));
        assertThatThrownBy(() -> SqliteTaskArchive.open(file())).isInstanceOf(IOException.class);
        assertThat(file().resolve("kept")).exists();
    }

    @Test
    void readersDoNotWaitForAWriter() throws IOException, SQLException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file());
                Connection writer = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = writer.createStatement()) {
            archive.write(List.of(task("a", 1)), 1);
            statement.execute("begin immediate");
            statement.execute("update progress set applied_lsn = 99");
            assertThat(archive.appliedLsn()).isEqualTo(1);
            assertThat(ids(archive.list(ALL))).containsExactly("a");
            statement.execute("rollback");
        }
    }
}
