package dev.harmovela.runtime;

import dev.harmovela.spi.TaskArchive;
import dev.harmovela.store.search.SqliteTaskArchive;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search of a data directory. It is opened only after the journal has locked that directory, and when it cannot
 * be opened it holds nothing and wants nothing, since a broken search stops no hub.
 */
final class SearchIfWhole implements TaskArchive {

    private static final Logger LOGGER = System.getLogger("dev.harmovela.runtime");

    private final Path file;
    private volatile @Nullable TaskArchive whole;

    SearchIfWhole(Path file) {
        this.file = file;
    }

    /** Opens it; the directory is ours. */
    void open() {
        try {
            whole = SqliteTaskArchive.open(file);
        } catch (IOException broken) {
            LOGGER.log(
                    Level.WARNING,
                    "the search over ended tasks is off ({0}); stop the hub and run harmovela rebuild",
                    broken.getMessage());
        }
    }

    @Override
    public long appliedLsn() throws IOException {
        TaskArchive now = whole;
        return now == null ? Long.MAX_VALUE : now.appliedLsn();
    }

    @Override
    public void write(List<Ended> batch, long appliedLsn) throws IOException {
        TaskArchive now = whole;
        if (now != null) {
            now.write(batch, appliedLsn);
        }
    }

    @Override
    public List<Ended> list(Query query) throws IOException {
        TaskArchive now = whole;
        return now == null ? List.of() : now.list(query);
    }

    @Override
    public @Nullable Ended find(String tenant, String taskId) throws IOException {
        TaskArchive now = whole;
        return now == null ? null : now.find(tenant, taskId);
    }

    @Override
    public void expire(long millis) throws IOException {
        TaskArchive now = whole;
        if (now != null) {
            now.expire(millis);
        }
    }

    @Override
    public void clear() throws IOException {
        TaskArchive now = whole;
        if (now != null) {
            now.clear();
        }
    }

    @Override
    public void close() throws IOException {
        TaskArchive now = whole;
        if (now != null) {
            whole = null;
            now.close();
        }
    }
}
