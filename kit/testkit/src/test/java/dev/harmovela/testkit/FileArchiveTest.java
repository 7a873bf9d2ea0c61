package dev.harmovela.testkit;

import dev.harmovela.spi.TaskArchive;
import dev.harmovela.store.search.SqliteTaskArchive;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class FileArchiveTest extends TaskArchiveContract {

    @TempDir
    private Path directory;

    private @Nullable TaskArchive archive;

    @Override
    protected TaskArchive archive() throws IOException {
        if (archive == null) {
            archive = SqliteTaskArchive.open(directory.resolve("search.sqlite"));
        }
        return archive;
    }

    @AfterEach
    void close() throws IOException {
        archive().close();
    }
}
