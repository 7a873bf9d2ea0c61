package dev.harmovela.runtime;

import dev.harmovela.spi.TaskArchive;
import dev.harmovela.store.search.SqliteTaskArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search of a data directory. It is opened only after the journal has locked that directory; while it cannot be
 * opened every call says why, and the next one tries again, since a broken search stops no hub. Thread-safe.
 */
final class SearchIfWhole implements TaskArchive {

    private enum Life {
        NOT_YET,
        OPEN,
        OVER
    }

    private final Path file;
    private Life life = Life.NOT_YET;
    private @Nullable TaskArchive whole;

    SearchIfWhole(Path file) {
        this.file = file;
    }

    /** The directory is ours: from now on the search is opened when it is wanted. */
    synchronized void open() {
        if (life == Life.NOT_YET) {
            life = Life.OPEN;
        }
    }

    private synchronized TaskArchive search() throws IOException {
        if (life != Life.OPEN) {
            throw new IOException("the search is closed");
        }
        if (whole == null) {
            whole = SqliteTaskArchive.open(file);
        }
        return whole;
    }

    @Override
    public long appliedLsn() throws IOException {
        return search().appliedLsn();
    }

    @Override
    public void write(List<Ended> batch, long appliedLsn) throws IOException {
        search().write(batch, appliedLsn);
    }

    @Override
    public List<Ended> list(Query query) throws IOException {
        return search().list(query);
    }

    @Override
    public @Nullable Ended find(String tenant, String taskId) throws IOException {
        return search().find(tenant, taskId);
    }

    @Override
    public void expire(long millis) throws IOException {
        search().expire(millis);
    }

    @Override
    public void clear() throws IOException {
        search().clear();
    }

    @Override
    public synchronized void close() throws IOException {
        life = Life.OVER;
        TaskArchive now = whole;
        whole = null;
        if (now != null) {
            now.close();
        }
    }
}
