package dev.harmovela.testkit;

import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest extends JournalContract {

    @TempDir
    private Path directory;

    @Override
    protected Journal open(FrameKeys keys, JournalListener listener) throws IOException {
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(64 << 10);
        return SegmentJournal.open(directory.resolve("a/b"), options, keys, listener);
    }

    @Override
    protected int largestBody() {
        return (64 << 10) - 4096 - 80;
    }
}
