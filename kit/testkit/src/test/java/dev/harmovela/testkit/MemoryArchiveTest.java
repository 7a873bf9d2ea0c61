package dev.harmovela.testkit;

import dev.harmovela.spi.TaskArchive;
import dev.harmovela.store.search.SqliteTaskArchive;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

class MemoryArchiveTest extends TaskArchiveContract {

    private @Nullable TaskArchive archive;

    @Override
    protected TaskArchive archive() throws IOException {
        if (archive == null) {
            archive = SqliteTaskArchive.inMemory();
        }
        return archive;
    }
}
