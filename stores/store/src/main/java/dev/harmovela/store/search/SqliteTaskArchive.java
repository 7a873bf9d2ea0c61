package dev.harmovela.store.search;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.spi.TaskArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Ended tasks in an SQLite file, or in memory. Thread-safe: writing and reading have a connection each, and a reader
 * never waits for the writer of a file. A file that cannot be used is deleted and begun anew, with {@link
 * #appliedLsn()} 0.
 */
public final class SqliteTaskArchive implements TaskArchive {

    private static final int BUSY_MILLIS = 5_000;
    private static final int LARGEST_PAGE = 1_000;
    private static final String COLUMNS =
            "tenant, task_id, state, owner, submitter, parent_id, correlation_id, submitted_at, ended_at, lsn, detail";

    private final Connection writer;
    private final Connection reader;

    private SqliteTaskArchive(Connection writer, Connection reader) {
        this.writer = writer;
        this.reader = reader;
    }

    /** Opens the archive in a file, creating or replacing it where necessary. */
    public static SqliteTaskArchive open(Path file) throws IOException {
        try {
            return openExisting(file);
        } catch (SQLException e) {
            if (!cannotBeUsed(e)) {
                throw new IOException("archive " + file + " cannot be opened", e);
            }
            for (String suffix : List.of("", "-wal", "-shm")) {
                Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
            }
        }
        try {
            return openExisting(file);
        } catch (SQLException e) {
            throw new IOException("archive " + file + " cannot be opened", e);
        }
    }

    /** Whether the content is at fault, not the disk or another process. */
    private static boolean cannotBeUsed(SQLException e) {
        if (!(e instanceof SQLiteException known)) {
            return true;
        }
        int code = known.getResultCode().code & 0xff;
        return code == SQLiteErrorCode.SQLITE_CORRUPT.code
                || code == SQLiteErrorCode.SQLITE_NOTADB.code
                || code == SQLiteErrorCode.SQLITE_ERROR.code;
    }

    private static SqliteTaskArchive openExisting(Path file) throws SQLException, IOException {
        Connection writer = connect("jdbc:sqlite:" + file, true);
        try {
            Schema.bringUpToDate(writer);
            return new SqliteTaskArchive(writer, connect("jdbc:sqlite:" + file, true));
        } catch (SQLException | IOException e) {
            writer.close();
            throw e;
        }
    }

    /** An archive that ends with the process. */
    public static SqliteTaskArchive inMemory() throws IOException {
        try {
            Connection only = connect("jdbc:sqlite::memory:", false);
            Schema.bringUpToDate(only);
            return new SqliteTaskArchive(only, only);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private static Connection connect(String url, boolean file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        if (file) {
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
            config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
        }
        return config.createConnection(url);
    }

    @Override
    public long appliedLsn() throws IOException {
        synchronized (reader) {
            try (Statement statement = reader.createStatement();
                    ResultSet row = statement.executeQuery("select applied_lsn from progress")) {
                return row.next() ? row.getLong(1) : 0;
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    public void write(List<Ended> batch, long appliedLsn) throws IOException {
        inTransaction(() -> {
            String insert = "insert or replace into task (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
            try (PreparedStatement statement = writer.prepareStatement(insert)) {
                for (Ended task : batch) {
                    bind(statement, task);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            applied(appliedLsn);
        });
    }

    private static void bind(PreparedStatement statement, Ended task) throws SQLException {
        statement.setString(1, task.tenant());
        statement.setString(2, task.taskId());
        statement.setString(3, task.state());
        statement.setString(4, task.owner());
        statement.setString(5, task.submitter());
        statement.setString(6, task.parentId());
        statement.setString(7, task.correlationId());
        statement.setLong(8, task.submittedAt());
        statement.setLong(9, task.endedAt());
        statement.setLong(10, task.lsn());
        statement.setString(11, task.detail().toString());
    }

    private void applied(long lsn) throws SQLException {
        try (PreparedStatement statement = writer.prepareStatement("update progress set applied_lsn = ?")) {
            statement.setLong(1, lsn);
            statement.executeUpdate();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when {@code before} is not a key of this archive
     */
    @Override
    public List<Ended> list(Query query) throws IOException {
        StringBuilder sql = new StringBuilder("select " + COLUMNS + " from task where tenant = ?");
        List<Object> values = new ArrayList<>();
        values.add(query.tenant());
        filter(sql, values, "state", query.state());
        filter(sql, values, "owner", query.owner());
        filter(sql, values, "parent_id", query.parentId());
        filter(sql, values, "correlation_id", query.correlationId());
        if (query.before() != null) {
            Key before = Key.parse(query.before());
            sql.append(" and (ended_at, task_id) < (?, ?)");
            values.add(before.endedAt);
            values.add(before.taskId);
        }
        sql.append(" order by ended_at desc, task_id desc limit ?");
        values.add(Math.clamp(query.limit(), 1, LARGEST_PAGE));
        return select(sql.toString(), values);
    }

    private static void filter(StringBuilder sql, List<Object> values, String column, @Nullable String value) {
        if (value != null) {
            sql.append(" and ").append(column).append(" = ?");
            values.add(value);
        }
    }

    private record Key(long endedAt, String taskId) {

        static Key parse(String text) {
            int slash = text.indexOf('/');
            if (slash < 1 || !text.substring(0, slash).matches("-?[0-9]{1,18}")) {
                throw new IllegalArgumentException("not the key of a page: " + text);
            }
            return new Key(Long.parseLong(text.substring(0, slash)), text.substring(slash + 1));
        }
    }

    @Override
    public @Nullable Ended find(String tenant, String taskId) throws IOException {
        List<Ended> found =
                select("select " + COLUMNS + " from task where tenant = ? and task_id = ?", List.of(tenant, taskId));
        return found.isEmpty() ? null : found.getFirst();
    }

    private List<Ended> select(String sql, List<?> values) throws IOException {
        synchronized (reader) {
            try (PreparedStatement statement = reader.prepareStatement(sql)) {
                for (int i = 0; i < values.size(); i++) {
                    statement.setObject(i + 1, values.get(i));
                }
                List<Ended> found = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(row(rows));
                    }
                }
                return found;
            } catch (SQLException | JsonException e) {
                throw new IOException(e);
            }
        }
    }

    private static Ended row(ResultSet row) throws SQLException {
        if (!(Json.parse(row.getString(11)) instanceof Json.Obj detail)) {
            throw new SQLException("the detail of task " + row.getString(2) + " is not an object");
        }
        return new Ended(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getLong(8),
                row.getLong(9),
                row.getLong(10),
                detail);
    }

    @Override
    public void expire(long millis) throws IOException {
        inTransaction(() -> {
            try (PreparedStatement statement = writer.prepareStatement("delete from task where ended_at < ?")) {
                statement.setLong(1, millis);
                statement.executeUpdate();
            }
        });
    }

    @Override
    public void clear() throws IOException {
        inTransaction(() -> {
            try (Statement statement = writer.createStatement()) {
                statement.executeUpdate("delete from task");
            }
            applied(0);
        });
    }

    /** Changes that belong together. */
    private interface Changes {
        void make() throws SQLException;
    }

    private void inTransaction(Changes changes) throws IOException {
        synchronized (writer) {
            try {
                writer.setAutoCommit(false);
                try {
                    changes.make();
                    writer.commit();
                } catch (SQLException e) {
                    writer.rollback();
                    throw e;
                } finally {
                    writer.setAutoCommit(true);
                }
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (writer;
                reader) {
            // closing twice is allowed: in memory both are the same connection
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
