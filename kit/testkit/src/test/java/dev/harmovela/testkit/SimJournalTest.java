package dev.harmovela.testkit;

import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import java.io.IOException;

class SimJournalTest extends JournalContract {

    private final SimDisk disk = new SimDisk(1);

    @Override
    protected Journal open(FrameKeys keys, JournalListener listener) throws IOException {
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(32 << 10);
        return SegmentJournal.open(disk, options, new InlineThreads(), keys, listener);
    }

    @Override
    protected int largestBody() {
        return (32 << 10) - 4096 - 80;
    }
}
