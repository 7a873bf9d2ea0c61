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
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Ended tasks in an SQLite file, or in memory. Thread-safe: writing and reading have a connection each, and a reader
 * never waits for the writer of a file. A file that cannot be used, when it is opened or later, is deleted and begun
 * anew, with {@link #appliedLsn()} 0; so is one that somebody took away.
 */
public final class SqliteTaskArchive implements TaskArchive {

    private static final int LARGEST_PAGE = 1_001;
    private static final String COLUMNS = "tenant, task_id, state, submitted_lsn, submitted_at, ended_at, lsn, detail";
    private static final Map<String, List<String>> COLUMNS_OF = Map.of(
            "task_id", List.of("task_id"),
            "owner", List.of("owner"),
            "submitter", List.of("submitter"),
            "target", List.of("target"),
            "party", List.of("owner", "submitter", "target"),
            "parent_task_id", List.of("parent_id"),
            "correlation_id", List.of("correlation_id"),
            "ended_by", List.of("ended_by"),
            "reason", List.of("reason"));

    private final @Nullable Path file;
    private final Object writing = new Object();
    private final Object reading = new Object();
    private volatile Connections connections;
    private volatile boolean over;

    private SqliteTaskArchive(@Nullable Path file, Connections connections) {
        this.file = file;
        this.connections = connections;
    }

    /** Opens the archive in a file, creating or replacing it where necessary. */
    public static SqliteTaskArchive open(Path file) throws IOException {
        try {
            return new SqliteTaskArchive(file, Connections.open(file));
        } catch (SQLException e) {
            if (!cannotBeUsed(e)) {
                throw cannotOpen(file, e);
            }
        }
        return new SqliteTaskArchive(file, anew(file));
    }

    /**
     * How far the archive in a file follows the journal; looks and changes nothing.
     *
     * @throws IOException when there is no archive that can be used
     */
    public static long inspect(Path file) throws IOException {
        try {
            return Connections.inspect(file);
        } catch (SQLException e) {
            throw cannotOpen(file, e);
        }
    }

    /** An archive that ends with the process. */
    public static SqliteTaskArchive inMemory() throws IOException {
        try {
            return new SqliteTaskArchive(null, Connections.inMemory());
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private static Connections anew(Path file) throws IOException {
        for (String suffix : List.of("", "-wal", "-shm", "-journal")) {
            Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
        }
        try {
            return Connections.open(file);
        } catch (SQLException e) {
            throw cannotOpen(file, e);
        }
    }

    private static IOException cannotOpen(Path file, SQLException cause) {
        return new IOException("archive " + file + " cannot be opened: " + cause.getMessage(), cause);
    }

    /** Whether the content is at fault, not the disk or another process. */
    private static boolean cannotBeUsed(SQLException e) {
        return !(e instanceof SQLiteException known)
                || isDamaged(known)
                || code(known) == SQLiteErrorCode.SQLITE_ERROR.code;
    }

    private static boolean isDamaged(SQLException e) {
        return e instanceof SQLiteException known
                && (code(known) == SQLiteErrorCode.SQLITE_CORRUPT.code
                        || code(known) == SQLiteErrorCode.SQLITE_NOTADB.code);
    }

    private static int code(SQLiteException e) {
        return e.getResultCode().code & 0xff;
    }

    // --- damage while it is open

    /** Begins anew when the content turned out to be damaged; the caller's work has failed in any case. */
    private IOException failed(Exception e) throws IOException {
        if (file != null && e instanceof SQLException sql && isDamaged(sql)) {
            beginAnew(file);
            return new IOException("the archive was damaged and is begun anew: " + e.getMessage(), e);
        }
        return new IOException("the archive cannot be used: " + e.getMessage(), e);
    }

    private void beginAnew(Path place) throws IOException {
        synchronized (writing) {
            synchronized (reading) {
                if (over) {
                    throw new IOException("the archive is closed");
                }
                connections.close();
                connections = anew(place);
            }
        }
    }

    /** Nobody took the file away, and an earlier attempt to begin anew did not fail halfway. */
    private void requireFile() throws IOException {
        if (over) {
            throw new IOException("the archive is closed");
        }
        if (file != null && (!Files.exists(file) || connections.areClosed())) {
            beginAnew(file);
            throw new IOException("the archive was taken away and is begun anew");
        }
    }

    // --- what is written

    @Override
    public void write(List<Ended> batch, long appliedLsn) throws IOException {
        requireFile();
        inTransaction(writer -> {
            String insert = "insert or replace into task (" + COLUMNS
                    + ", owner, submitter, target, parent_id, correlation_id, ended_by, reason)"
                    + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
            try (PreparedStatement statement = writer.prepareStatement(insert)) {
                for (Ended task : batch) {
                    bind(statement, task);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            applied(writer, appliedLsn);
        });
    }

    private static void bind(PreparedStatement statement, Ended task) throws SQLException {
        statement.setString(1, task.tenant());
        statement.setString(2, task.taskId());
        statement.setString(3, task.state());
        statement.setLong(4, task.submittedLsn());
        statement.setLong(5, task.submittedAt());
        statement.setLong(6, task.endedAt());
        statement.setLong(7, task.lsn());
        statement.setString(8, task.detail().toString());
        int at = 9;
        for (String field :
                List.of("owner", "submitter", "target", "parent_task_id", "correlation_id", "ended_by", "reason")) {
            statement.setString(at++, task.detail().string(field));
        }
    }

    private static void applied(Connection writer, long lsn) throws SQLException {
        try (PreparedStatement statement = writer.prepareStatement("update progress set applied_lsn = ?")) {
            statement.setLong(1, lsn);
            statement.executeUpdate();
        }
    }

    @Override
    public void expire(long millis) throws IOException {
        inTransaction(writer -> {
            try (PreparedStatement statement = writer.prepareStatement("delete from task where ended_at < ?")) {
                statement.setLong(1, millis);
                statement.executeUpdate();
            }
        });
    }

    @Override
    public void clear() throws IOException {
        inTransaction(writer -> {
            try (Statement statement = writer.createStatement()) {
                statement.executeUpdate("delete from task");
            }
            applied(writer, 0);
        });
    }

    /** Changes that belong together. */
    private interface Changes {
        void make(Connection writer) throws SQLException;
    }

    private void inTransaction(Changes changes) throws IOException {
        synchronized (writing) {
            Connection writer = connections.writer();
            try {
                writer.setAutoCommit(false);
                try {
                    changes.make(writer);
                    writer.commit();
                } catch (SQLException e) {
                    writer.rollback();
                    throw e;
                } finally {
                    writer.setAutoCommit(true);
                }
            } catch (SQLException e) {
                throw failed(e);
            }
        }
    }

    // --- what is read

    @Override
    public long appliedLsn() throws IOException {
        requireFile();
        try {
            synchronized (reading) {
                return Connections.applied(connections.reader());
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when the query names a field that there is not
     */
    @Override
    public List<Ended> list(Query query) throws IOException {
        StringBuilder sql = new StringBuilder("select " + COLUMNS + " from task where tenant = ?");
        List<Object> values = new ArrayList<>();
        values.add(query.tenant());
        anyOf(sql, values, List.of("state"), query.states());
        query.equal().forEach((field, wanted) -> anyOf(sql, values, columns(field), wanted));
        within(sql, values, "submitted_at", query.submitted());
        within(sql, values, "ended_at", query.ended());
        sql.append(" and (submitted_lsn, task_id) < (?, ?)");
        values.add(query.after().submittedLsn());
        values.add(query.after().taskId());
        sql.append(" order by submitted_lsn desc, task_id desc limit ?");
        values.add(Math.clamp(query.limit(), 1, LARGEST_PAGE));
        return select(sql.toString(), values);
    }

    private static List<String> columns(String field) {
        List<String> columns = COLUMNS_OF.get(field);
        if (columns == null) {
            throw new IllegalArgumentException("no field " + field);
        }
        return columns;
    }

    private static void anyOf(StringBuilder sql, List<Object> values, List<String> columns, List<String> wanted) {
        if (wanted.isEmpty()) {
            return;
        }
        String marks = "?" + ", ?".repeat(wanted.size() - 1);
        sql.append(" and (");
        for (int i = 0; i < columns.size(); i++) {
            sql.append(i == 0 ? "" : " or ")
                    .append(columns.get(i))
                    .append(" in (")
                    .append(marks)
                    .append(')');
            values.addAll(wanted);
        }
        sql.append(')');
    }

    private static void within(StringBuilder sql, List<Object> values, String column, Span span) {
        if (!span.equals(Span.ALWAYS)) {
            sql.append(" and ").append(column).append(" between ? and ?");
            values.add(span.from());
            values.add(span.to());
        }
    }

    @Override
    public @Nullable Ended find(String tenant, String taskId) throws IOException {
        List<Ended> found =
                select("select " + COLUMNS + " from task where tenant = ? and task_id = ?", List.of(tenant, taskId));
        return found.isEmpty() ? null : found.getFirst();
    }

    private List<Ended> select(String sql, List<?> values) throws IOException {
        try {
            synchronized (reading) {
                return select(connections.reader(), sql, values);
            }
        } catch (SQLException | JsonException e) {
            throw failed(e);
        }
    }

    private static List<Ended> select(Connection reader, String sql, List<?> values) throws SQLException {
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
        }
    }

    private static Ended row(ResultSet row) throws SQLException {
        if (!(Json.parse(row.getString(8)) instanceof Json.Obj detail)) {
            throw new SQLException("the detail of task " + row.getString(2) + " is not an object");
        }
        return new Ended(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                detail);
    }

    @Override
    public void close() throws IOException {
        synchronized (writing) {
            synchronized (reading) {
                over = true;
                connections.close();
            }
        }
    }
}
