package dev.harmovela.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyIndexTest {

    private static final Segment SEGMENT = new Segment(new SegmentHeader(1, 2, 0, 100, 1), 1 << 20);

    @TempDir
    private Path directory;

    @Test
    void theFileAnswersLikeTheTable() throws IOException {
        try (FileDisk disk = FileDisk.open(directory)) {
            for (int size : new int[] {0, 1, 255, 256, 257, 10_000}) {
                KeyTable table = new KeyTable();
                SplittableRandom random = new SplittableRandom(size);
                for (int i = 0; i < size; i++) {
                    table.add(random.nextInt(8) == 0 ? 77 : KeyTable.mix(random.nextInt(3_000)), 100 + i);
                }
                compare(disk, table, KeyIndex.write(disk, SEGMENT, table));
                compare(disk, table, Objects.requireNonNull(KeyIndex.load(disk, SEGMENT)));
            }
        }
    }

    private static void compare(FileDisk disk, KeyTable table, KeyIndex index) throws IOException {
        for (int i = 0; i < 4_000; i += 7) {
            long key = KeyTable.mix(i);
            assertThat(index.find(disk, key, 0)).isEqualTo(table.find(key, 0));
            assertThat(index.find(disk, key, 2_000)).isEqualTo(table.find(key, 2_000));
        }
        assertThat(index.find(disk, 77, 300)).isEqualTo(table.find(77, 300));
    }

    @Test
    void theIndexOfAnotherSegmentIsNotUsed() throws IOException {
        try (FileDisk disk = FileDisk.open(directory)) {
            assertThat(KeyIndex.load(disk, SEGMENT)).isNull();
            KeyIndex.write(disk, SEGMENT, new KeyTable());
            assertThat(KeyIndex.load(disk, new Segment(new SegmentHeader(1, 3, 0, 100, 1), 1 << 20)))
                    .isNull();
            assertThat(KeyIndex.load(disk, new Segment(new SegmentHeader(2, 2, 0, 100, 1), 1 << 20)))
                    .isNull();
        }
    }
}
