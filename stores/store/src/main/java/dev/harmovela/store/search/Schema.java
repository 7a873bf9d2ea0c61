package dev.harmovela.store.search;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The numbered scripts of the archive; the number of the last one run stands in the file. */
final class Schema {

    private static final List<String> SCRIPTS = List.of("0001-ended-tasks.sql", "0002-in-order-of-submission.sql");

    private Schema() {}

    /**
     * Runs the scripts that are missing, each in its own transaction.
     *
     * @throws SQLException when the file is newer than this code or cannot be used
     */
    static void bringUpToDate(Connection connection) throws SQLException, IOException {
        int version = version(connection);
        if (version > SCRIPTS.size()) {
            throw new SQLException("schema " + version + " is newer than " + SCRIPTS.size());
        }
        for (int number = version + 1; number <= SCRIPTS.size(); number++) {
            run(connection, number, script(SCRIPTS.get(number - 1)));
        }
    }

    private static int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("pragma user_version")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void run(Connection connection, int number, String script) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (String command : script.split(";\\s*\\n")) {
                if (!command.isBlank()) {
                    statement.execute(command);
                }
            }
            statement.execute("pragma user_version = " + number);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static String script(String name) throws IOException {
        try (InputStream stream = Schema.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException("script " + name + " is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
