package dev.harmovela.store.search;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/** The two connections to an archive: its one writer and its reader. */
record Connections(Connection writer, Connection reader) {

    private static final int BUSY_MILLIS = 5_000;

    private enum Place {
        FILE,
        MEMORY,
        FILE_READ_ONLY
    }

    /** Opens a file, creating it or bringing it up to date where necessary. */
    static Connections open(Path file) throws SQLException, IOException {
        Connection writer = connect("jdbc:sqlite:" + file, Place.FILE);
        try {
            Schema.bringUpToDate(writer);
            applied(writer);
            return new Connections(writer, connect("jdbc:sqlite:" + file, Place.FILE));
        } catch (SQLException | IOException e) {
            writer.close();
            throw e;
        }
    }

    static Connections inMemory() throws SQLException, IOException {
        Connection only = connect("jdbc:sqlite::memory:", Place.MEMORY);
        Schema.bringUpToDate(only);
        return new Connections(only, only);
    }

    /** Position in a file that nobody else has open; changes nothing. */
    static long inspect(Path file) throws SQLException {
        try (Connection reader = connect("jdbc:sqlite:" + file, Place.FILE_READ_ONLY)) {
            return applied(reader);
        }
    }

    private static Connection connect(String url, Place place) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        if (place == Place.FILE) {
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
            config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
        }
        config.setReadOnly(place == Place.FILE_READ_ONLY);
        return config.createConnection(url);
    }

    static long applied(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select applied_lsn from progress")) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    boolean areClosed() throws IOException {
        try {
            return writer.isClosed();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    void close() throws IOException {
        try (writer;
                reader) {
            // both are closed, whatever happens to the first
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
