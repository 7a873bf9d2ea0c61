package dev.harmovela.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.spi.SnapshotStore.Snapshot;
import dev.harmovela.store.journal.JournalCorrupt;
import dev.harmovela.store.journal.JournalIncompatible;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What opening does with the files it finds. */
class JournalRecoveryTest {

    private static final int SMALL_FRAME = SimJournal.FRAME_HEADER + 1_000;

    /** Eleven frames in the first segment, the rest in the second, closed in order. */
    private static SimDisk closed(int frames) throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(frames);
        sim.journal.close();
        return sim.disk.kill();
    }

    private static void mustBeCorrupt(SimDisk disk, String file, long offset) {
        assertThatThrownBy(() -> SimJournal.open(disk))
                .asInstanceOf(InstanceOfAssertFactories.type(JournalCorrupt.class))
                .satisfies(e -> {
                    assertThat(e.file()).isEqualTo(file);
                    assertThat(e.offset()).isEqualTo(offset);
                    assertThat(e).hasMessageContaining(file).hasMessageContaining("offset " + offset);
                });
    }

    @Test
    void aFlippedBitInASealedSegmentIsCorruption() throws IOException {
        for (int frame = 0; frame < 11; frame++) {
            for (int at : new int[] {0, 5, 8, 12, 20, 24, 33, 38, 500}) {
                SimDisk disk = closed(15);
                long start = SimJournal.HEADER + (long) frame * SMALL_FRAME;
                disk.flip(SimJournal.segment(1), start + at, 3);
                mustBeCorrupt(disk, SimJournal.segment(1), start);
            }
        }
    }

    @Test
    void aFlippedBitInTheOpenSegmentIsCorruptionWhenALaterBatchFollows() throws IOException {
        SimDisk disk = closed(15);
        long second = SimJournal.HEADER + SMALL_FRAME;
        disk.flip(SimJournal.segment(12), second + 700, 0);
        mustBeCorrupt(disk, SimJournal.segment(12), second);
    }

    @Test
    void theCleanStopProtectsTheLastBatch() throws IOException {
        SimDisk disk = closed(15);
        long last = SimJournal.HEADER + 3L * SMALL_FRAME;
        disk.flip(SimJournal.segment(12), last + 100, 0);
        mustBeCorrupt(disk, SimJournal.segment(12), last);
    }

    @Test
    void withoutAMarkADamagedLastBatchCannotBeToldFromATornOne() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(15);
        SimDisk disk = sim.disk.kill();
        disk.flip(SimJournal.segment(12), SimJournal.HEADER + 3L * SMALL_FRAME + 100, 0);
        SimJournal next = SimJournal.open(disk);
        assertThat(next.values()).hasSize(14);
        assertThat(next.journal.cutBytes()).isEqualTo(SMALL_FRAME);
        next.put(99, 10);
        assertThat(next.values()).hasSize(15).endsWith(99);
    }

    @Test
    void aBlockOfZerosIsDamageLikeAnyOther() throws IOException {
        SimDisk disk = closed(15);
        SimJournal.patch(disk, SimJournal.segment(1), 8192, new byte[4096]);
        mustBeCorrupt(disk, SimJournal.segment(1), SimJournal.HEADER + 3L * SMALL_FRAME);
        SimDisk open = closed(15);
        SimJournal.patch(open, SimJournal.segment(12), SimJournal.HEADER, new byte[SMALL_FRAME]);
        mustBeCorrupt(open, SimJournal.segment(12), SimJournal.HEADER);
    }

    @Test
    void aMissingSegmentIsCorruption() throws IOException {
        SimDisk disk = closed(30);
        disk.delete(SimJournal.segment(12));
        mustBeCorrupt(disk, SimJournal.segment(1), SimJournal.HEADER + 11L * SMALL_FRAME);
    }

    @Test
    void aDamagedHeaderIsCorruption() throws IOException {
        for (int at : new int[] {0, 16, 24, 32, 40, 48, 56}) {
            SimDisk disk = closed(15);
            disk.flip(SimJournal.segment(12), at, 2);
            mustBeCorrupt(disk, SimJournal.segment(12), 0);
        }
    }

    @Test
    void aNewerFormatIsRefused() throws IOException {
        SimDisk disk = closed(1);
        SimJournal.patch(disk, SimJournal.segment(1), 8, (byte) 2, (byte) 0, (byte) 0, (byte) 0, (byte) 2);
        assertThatThrownBy(() -> SimJournal.open(disk))
                .isInstanceOf(JournalIncompatible.class)
                .hasMessageContaining("format 2");
    }

    @Test
    void aNewerFormatThatOldReadersBearIsRead() throws IOException {
        SimDisk disk = closed(1);
        byte[] header = Arrays.copyOf(SimJournal.bytes(disk, SimJournal.segment(1)), 56);
        header[8] = 2;
        CRC32C crc = new CRC32C();
        crc.update(header);
        int sum = (int) crc.getValue();
        SimJournal.patch(disk, SimJournal.segment(1), 0, header);
        SimJournal.patch(disk, SimJournal.segment(1), 56, (byte) sum, (byte) (sum >>> 8), (byte) (sum >>> 16), (byte)
                (sum >>> 24));
        assertThat(SimJournal.open(disk).values()).containsExactly(0);
    }

    @Test
    void anotherShardsLogIsRefused() throws IOException {
        SimDisk disk = closed(1);
        assertThatThrownBy(() -> SimJournal.open(disk, SimJournal.options().withShard(3)))
                .isInstanceOf(JournalIncompatible.class)
                .hasMessageContaining("shard 0, not 3");
    }

    @Test
    void aSegmentOfAnotherPlaceIsRefused() throws IOException {
        SimDisk disk = closed(1);
        disk.rename(SimJournal.segment(1), SimJournal.segment(2));
        assertThatThrownBy(() -> SimJournal.open(disk)).isInstanceOf(JournalIncompatible.class);
    }

    @Test
    void snapshotsWithoutALogAreRefused() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(3);
        sim.journal.snapshots().store(new Snapshot(2, new byte[10]));
        sim.journal.close();
        SimDisk disk = sim.disk.kill();
        disk.delete(SimJournal.segment(1));
        assertThatThrownBy(() -> SimJournal.open(disk))
                .isInstanceOf(JournalIncompatible.class)
                .hasMessageContaining("segments are missing");
    }

    @Test
    void aDamagedSnapshotIsPassedOver() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(3);
        sim.journal.snapshots().store(new Snapshot(2, new byte[] {2}));
        sim.journal.snapshots().store(new Snapshot(3, new byte[] {3}));
        sim.journal.close();
        for (int at : new int[] {0, 9, 13, 17, 25, 37, 64}) {
            SimDisk disk = sim.disk.copy();
            disk.flip("00000000000000000003.snap", at, 0);
            SimJournal next = SimJournal.open(disk);
            assertThat(Objects.requireNonNull(next.journal.snapshots().newest()).lsn())
                    .isEqualTo(2);
            assertThat(next.journal.snapshots().oldestKeptLsn()).isZero();
            next.journal.snapshots().store(new Snapshot(3, new byte[] {4}));
            assertThat(next.journal.snapshots().oldestKeptLsn()).isEqualTo(2);
        }
    }

    @Test
    void aFrameInsideAPayloadIsNotTakenForOne() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1));
        sim.put(1, 8);
        sim.put(2, 8);
        sim.put(3, 8);
        byte[] stolen = Arrays.copyOfRange(
                SimJournal.bytes(sim.disk, SimJournal.segment(1)), SimJournal.HEADER, SimJournal.HEADER + 3 * 48);
        stolen[24 + 96] = 9;
        byte[] body = new byte[4_000];
        for (int at = 0; at + stolen.length < body.length; at += 48) {
            System.arraycopy(stolen, 0, body, at, stolen.length);
        }
        sim.journal.append(4, 1, body, 0, body.length);
        sim.journal.commit();
        SimDisk disk = sim.disk.kill();
        disk.flip(SimJournal.segment(1), SimJournal.HEADER + 3L * 48, 0);
        SimJournal next = SimJournal.open(disk);
        assertThat(next.values()).containsExactly(1, 2, 3);
    }

    @Test
    void leftoversOfInterruptedStepsAreRemoved() throws IOException {
        SimDisk disk = closed(3);
        disk.create("spare-4.tmp").close();
        disk.create("rewrite.tmp").close();
        disk.create(SimJournal.index(77)).close();
        disk.create("notes.txt").close();
        SimJournal next = SimJournal.open(disk);
        assertThat(next.values()).hasSize(3);
        assertThat(next.disk.list()).contains("notes.txt").doesNotContain("rewrite.tmp", SimJournal.index(77));
    }

    @Test
    void aMissingOrDamagedIndexIsBuiltAgain() throws IOException {
        for (int at : new int[] {0, 9, 20, 30, 37, 66, 300}) {
            SimDisk disk = closed(30);
            byte[] intact = SimJournal.bytes(disk, SimJournal.index(1));
            disk.flip(SimJournal.index(1), Math.min(at, intact.length - 1), 1);
            disk.delete(SimJournal.index(12));
            SimJournal next = SimJournal.open(disk);
            assertThat(next.journal.find(5, 1, 10)).containsExactly(6);
            assertThat(next.journal.find(15, 1, 10)).containsExactly(16);
            assertThat(next.journal.find(25, 1, 10)).containsExactly(26);
            assertThat(SimJournal.bytes(disk, SimJournal.index(1))).isEqualTo(intact);
            assertThat(disk.list()).contains(SimJournal.index(12));
        }
    }

    @Test
    void keysAreFoundBeforeAnIndexExists() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(5);
        assertThat(sim.journal.find(3, 1, 10)).containsExactly(4);
        sim.threads.hold();
        sim.fill(11);
        assertThat(sim.disk.list()).doesNotContain(SimJournal.index(1));
        assertThat(sim.journal.find(3, 1, 10)).containsExactly(4, 9);
        sim.threads.release();
        assertThat(sim.disk.list()).contains(SimJournal.index(1));
        assertThat(sim.journal.find(3, 1, 10)).containsExactly(4, 9);
    }

    @Test
    void trimmingRemovesSegmentsWithTheirIndexes() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(40);
        sim.journal.trim(24);
        assertThat(sim.disk.list())
                .filteredOn(name -> !name.endsWith(".tmp"))
                .containsExactly(
                        "00000000000000000001.aud",
                        "00000000000000000012.aud",
                        SimJournal.index(23),
                        SimJournal.segment(23),
                        "00000000000000000023.sha",
                        SimJournal.segment(34),
                        "chain.sha256");
        assertThat(sim.journal.sizeBytes()).isEqualTo(2L * SimJournal.HEADER + 18L * SMALL_FRAME);
        sim.journal.close();
        SimJournal next = SimJournal.open(sim.disk.kill());
        assertThat(next.journal.firstLsn()).isEqualTo(23);
        assertThat(next.values()).hasSize(18);
    }

    @Test
    void anEmptyOpenSegmentStillKnowsTheLastPosition() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(12);
        SimDisk disk = sim.disk.kill();
        SimJournal.patch(disk, SimJournal.segment(12), SimJournal.HEADER, new byte[SMALL_FRAME]);
        SimJournal next = SimJournal.open(disk);
        assertThat(next.journal.lastLsn()).isEqualTo(11);
        next.journal.trim(100);
        assertThat(next.journal.firstLsn()).isEqualTo(12);
        next.journal.close();
        assertThat(SimJournal.open(next.disk.kill()).journal.lastLsn()).isEqualTo(11);
    }

    @Test
    void largerAndSmallerSegmentsMayFollow() throws IOException {
        SimDisk disk = closed(15);
        SimJournal larger = SimJournal.open(disk, SimJournal.options().withSegmentBytes(64 << 10))
                .fill(100);
        larger.journal.close();
        SimJournal smaller = SimJournal.open(larger.disk.kill()).fill(30);
        assertThat(smaller.values()).hasSize(145);
    }

    /** The bytes of format 1: whoever changes them must raise the format and keep reading these. */
    @Test
    void theFormatDoesNotChangeUnnoticed() throws IOException {
        SimDisk disk = closed(15);
        CRC32C crc = new CRC32C();
        crc.update(SimJournal.bytes(disk, SimJournal.segment(1)));
        crc.update(SimJournal.bytes(disk, SimJournal.segment(12)));
        crc.update(SimJournal.bytes(disk, SimJournal.index(1)));
        assertThat(crc.getValue()).isEqualTo(1_870_005_378L);
    }
}
