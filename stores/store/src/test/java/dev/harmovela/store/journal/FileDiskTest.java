package dev.harmovela.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.spi.DiskFile;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.JournalListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDiskTest {

    private static final JournalListener SILENT = new JournalListener() {
        @Override
        public void durable(long lsn) {}

        @Override
        public void lost(Throwable cause) {}
    };

    @TempDir
    private Path directory;

    @Test
    void theSecondOpenerIsToldWhoHoldsTheDirectory() throws IOException {
        try (FileDisk first = FileDisk.open(directory)) {
            assertThat(first.directory()).isEqualTo(directory);
            assertThatThrownBy(() -> FileDisk.open(directory))
                    .asInstanceOf(InstanceOfAssertFactories.type(DirectoryLocked.class))
                    .satisfies(e -> {
                        assertThat(e.directory()).isEqualTo(directory);
                        assertThat(e.pid()).isEqualTo(ProcessHandle.current().pid());
                        assertThat(e).hasMessageContaining(directory.toString());
                    });
        }
        FileDisk.open(directory).close();
    }

    @Test
    void aJournalHoldsItsDirectoryUntilItIsClosed() throws IOException {
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(64 << 10);
        try (SegmentJournal journal = SegmentJournal.open(directory, options, FrameKeys.NONE, SILENT)) {
            assertThat(journal.epoch()).isEqualTo(1);
            assertThatThrownBy(() -> SegmentJournal.open(directory, options, FrameKeys.NONE, SILENT))
                    .isInstanceOf(DirectoryLocked.class);
            assertThatThrownBy(() -> JournalDoctor.repair(directory)).isInstanceOf(DirectoryLocked.class);
            assertThat(JournalDoctor.inspect(directory)).hasSize(1);
        }
        try (SegmentJournal journal = SegmentJournal.open(directory, options, FrameKeys.NONE, SILENT)) {
            assertThat(journal.epoch()).isEqualTo(2);
        }
    }

    @Test
    void aFailedOpeningGivesTheDirectoryFree() throws IOException {
        Files.write(directory.resolve(Segment.fileName(1)), new byte[10]);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> SegmentJournal.open(directory, JournalOptions.DEFAULT, FrameKeys.NONE, SILENT))
                    .isInstanceOf(JournalCorrupt.class);
        }
    }

    @Test
    void filesAreWrittenReadCutAndGrown() throws IOException {
        try (FileDisk disk = FileDisk.open(directory.resolve("new/deep"));
                DiskFile file = disk.create("b")) {
            file.write(3, ByteBuffer.wrap(new byte[] {1, 2, 3}));
            file.force();
            disk.forceDirectory();
            assertThat(file.size()).isEqualTo(6);
            ByteBuffer target = ByteBuffer.allocate(10);
            assertThat(file.read(2, target)).isEqualTo(4);
            assertThat(target.array()).startsWith(0, 1, 2, 3);
            assertThat(file.read(6, target)).isEqualTo(-1);
            file.truncate(4);
            assertThat(file.size()).isEqualTo(4);
            file.truncate(8);
            target.clear();
            assertThat(file.read(0, target)).isEqualTo(8);
            assertThat(target.array()).startsWith(0, 0, 0, 1, 0, 0, 0, 0);
        }
    }

    @Test
    void namesAreListedRenamedAndDeleted() throws IOException {
        try (FileDisk disk = FileDisk.open(directory)) {
            disk.create("b").close();
            disk.create("a").close();
            Files.createDirectory(directory.resolve("folder"));
            assertThat(disk.list()).containsExactly("a", "b");
            assertThatThrownBy(() -> disk.create("a")).isInstanceOf(FileAlreadyExistsException.class);
            try (DiskFile file = disk.open("b")) {
                file.write(0, ByteBuffer.wrap(new byte[] {7}));
            }
            disk.rename("b", "a");
            assertThat(disk.list()).containsExactly("a");
            try (DiskFile file = disk.open("a")) {
                assertThat(file.size()).isEqualTo(1);
            }
            disk.delete("a");
            assertThatThrownBy(() -> disk.open("a")).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> disk.delete("a")).isInstanceOf(NoSuchFileException.class);
        }
    }
}
