package dev.harmovela.store.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.TaskArchive;
import dev.harmovela.spi.TaskArchive.Ended;
import dev.harmovela.spi.TaskArchive.Query;
import dev.harmovela.spi.TaskArchive.Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteTaskArchiveTest {

    private static final Query ALL =
            new Query("t", List.of(), Map.of(), Span.ALWAYS, Span.ALWAYS, TaskArchive.Key.FIRST, 100);

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("tasks.sqlite");
    }

    private static Ended task(String id, long at) {
        return new Ended("t", id, "COMPLETED", at, 1, at, 10 + at, Json.Obj.of());
    }

    private static List<String> ids(List<Ended> tasks) {
        return tasks.stream().map(Ended::taskId).toList();
    }

    @Test
    void whatWasWrittenIsThereAfterAnotherStart() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            archive.write(List.of(task("a", 1), task("b", 2)), 42);
        }
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            assertThat(archive.appliedLsn()).isEqualTo(42);
            assertThat(ids(archive.list(ALL))).containsExactly("b", "a");
        }
        assertThat(SqliteTaskArchive.inspect(file())).isEqualTo(42);
    }

    @Test
    void aFileThatIsNoArchiveIsReplaced() throws IOException {
        Files.writeString(file(), "this is not a database, but it is long enough to be looked at".repeat(100));
        assertThatThrownBy(() -> SqliteTaskArchive.inspect(file())).isInstanceOf(IOException.class);
        assertThat(file()).content().startsWith("this is not");
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
    void damageThatShowsLaterBeginsTheArchiveAnewAndIsToldOnce() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            List<Ended> many =
                    IntStream.range(0, 2_000).mapToObj(i -> task("t" + i, i)).toList();
            archive.write(many, 2_000);
        }
        byte[] bytes = Files.readAllBytes(file());
        for (int at = 40 * 4096; at < bytes.length; at++) {
            bytes[at] = (byte) (at * 31);
        }
        Files.write(file(), bytes);
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 2_000; i++) {
                            archive.find("t", "t" + i);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("begun anew");
            assertThat(archive.appliedLsn()).isZero();
            archive.write(List.of(task("a", 1)), 1);
            assertThat(ids(archive.list(ALL))).containsExactly("a");
        }
    }

    @Test
    void aFileThatIsTakenAwayIsBegunAnew() throws IOException {
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            archive.write(List.of(task("a", 1)), 1);
            Files.delete(file());
            assertThatThrownBy(() -> archive.write(List.of(task("b", 2)), 2)).isInstanceOf(IOException.class);
            assertThat(archive.appliedLsn()).isZero();
            archive.write(List.of(task("a", 1), task("b", 2)), 2);
        }
        assertThat(SqliteTaskArchive.inspect(file())).isEqualTo(2);
    }

    /** What the first schema wrote is found by the fields that the second one added. */
    @Test
    void anArchiveOfTheFirstSchemaIsBroughtUpToDate() throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement();
                InputStream script = Schema.class.getResourceAsStream("0001-ended-tasks.sql")) {
            for (String command : new String(script.readAllBytes(), StandardCharsets.UTF_8).split(";\\s*\\n")) {
                statement.execute(command);
            }
            statement.execute("insert into task values ('t', 'old', 'FAILED', null, null, null, null, 1, 5, 9,"
                    + " '{\"submitted_lsn\":7,\"ended_by\":\"hub\",\"reason\":\"worker_lost\"}')");
            statement.execute("update progress set applied_lsn = 9");
            statement.execute("pragma user_version = 1");
        }
        try (SqliteTaskArchive archive = SqliteTaskArchive.open(file())) {
            assertThat(archive.appliedLsn()).isEqualTo(9);
            assertThat(archive.list(ALL))
                    .singleElement()
                    .satisfies(old -> assertThat(old.submittedLsn()).isEqualTo(7));
            Map<String, List<String>> lost = Map.of("reason", List.of("worker_lost"), "ended_by", List.of("hub"));
            assertThat(archive.list(
                            new Query("t", List.of(), lost, Span.ALWAYS, Span.ALWAYS, TaskArchive.Key.FIRST, 9)))
                    .hasSize(1);
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
