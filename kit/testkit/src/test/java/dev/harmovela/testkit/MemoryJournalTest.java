package dev.harmovela.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.store.memory.MemoryJournal;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MemoryJournalTest extends JournalContract {

    @Override
    protected Journal open(FrameKeys keys, JournalListener listener) {
        return new MemoryJournal("m1", 1 << 20, keys, listener);
    }

    @Override
    protected boolean supports(Behaviour behaviour) {
        return behaviour != Behaviour.SURVIVES_CLOSE;
    }

    @Test
    void theOldestFramesGoWhenTheCapIsReached() {
        JournalWatch watch = new JournalWatch();
        try (MemoryJournal journal = new MemoryJournal("m2", 16_000, LETTERS, watch)) {
            for (int lsn = 1; lsn <= 100; lsn++) {
                journal.append(lsn, 1, new byte[1000], 0, 1000);
                journal.commit();
            }
            assertThat(journal.sizeBytes()).isBetween(8_000L, 17_000L);
            assertThat(journal.firstLsn()).isBetween(80L, 99L);
            assertThat(LongStream.of(journal.find(0, 1, 1000))).allMatch(lsn -> lsn >= journal.firstLsn());
            assertThat(watch.durables()).hasSize(100);
        }
    }
}
