package dev.harmovela.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.spi.SnapshotStore.Snapshot;
import dev.harmovela.store.journal.JournalCorrupt;
import dev.harmovela.store.journal.JournalDoctor;
import dev.harmovela.store.journal.JournalDoctor.Finding;
import dev.harmovela.store.journal.JournalDoctor.Kind;
import dev.harmovela.store.journal.JournalDoctor.Repair;
import dev.harmovela.store.journal.JournalIncompatible;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class JournalDoctorTest {

    private static final int FRAME = SimJournal.FRAME_HEADER + 1_000;

    /** Three segments of eleven, eleven and eight frames, with snapshots at 5 and 25. */
    private static SimDisk closed() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(30);
        sim.journal.snapshots().store(new Snapshot(5, new byte[3]));
        sim.journal.snapshots().store(new Snapshot(25, new byte[3]));
        sim.journal.close();
        return sim.disk.kill();
    }

    @Test
    void aHealthyLogIsDescribedAndLeftAlone() throws IOException {
        SimDisk disk = closed();
        int steps = disk.steps();
        assertThat(JournalDoctor.inspect(disk))
                .extracting(Finding::kind, Finding::frames, Finding::firstLsn, Finding::lastLsn)
                .containsExactly(
                        tuple(Kind.SEGMENT, 11, 1, 11),
                        tuple(Kind.SEGMENT, 11, 12, 22),
                        tuple(Kind.SEGMENT, 8, 23, 30),
                        tuple(Kind.SNAPSHOT, 0, 0, 5),
                        tuple(Kind.SNAPSHOT, 0, 0, 25));
        assertThat(JournalDoctor.repair(disk)).isEqualTo(new Repair(List.of(), 30));
        assertThat(disk.steps()).isEqualTo(steps);
    }

    private static Tuple tuple(Kind kind, long frames, long first, long last) {
        return Tuple.tuple(kind, frames, first, last);
    }

    @Test
    void aTornTailNeedsNoRepair() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(3);
        SimDisk disk = sim.disk.kill();
        disk.flip(SimJournal.segment(1), SimJournal.HEADER + 2L * FRAME + 50, 0);
        Finding finding = JournalDoctor.inspect(disk).getFirst();
        assertThat(finding.kind()).isEqualTo(Kind.TORN_TAIL);
        assertThat(finding.offset()).isEqualTo(SimJournal.HEADER + 2L * FRAME);
        assertThat(finding.text()).contains(FRAME + " bytes");
        assertThat(JournalDoctor.repair(disk).aside()).isEmpty();
        assertThat(SimJournal.open(disk).values()).hasSize(2);
    }

    @Test
    void repairCutsAtTheFirstDamageAndKeepsTheRestAside() throws IOException {
        SimDisk disk = closed();
        long damage = SimJournal.HEADER + 4L * FRAME;
        disk.flip(SimJournal.segment(12), damage + 60, 0);
        byte[] damaged = SimJournal.bytes(disk, SimJournal.segment(12));
        assertThatThrownBy(() -> SimJournal.open(disk.copy())).isInstanceOf(JournalCorrupt.class);
        Finding finding = JournalDoctor.inspect(disk).get(1);
        assertThat(finding.kind()).isEqualTo(Kind.DAMAGED);
        assertThat(finding.frames()).isEqualTo(4);
        assertThat(finding.lastLsn()).isEqualTo(15);
        assertThat(finding.offset()).isEqualTo(damage);
        assertThat(finding.text()).contains("go on at offset " + (damage + FRAME));

        Repair repair = JournalDoctor.repair(disk);
        assertThat(repair.lastLsn()).isEqualTo(15);
        assertThat(repair.aside())
                .containsExactly(
                        SimJournal.segment(23) + ".aside-1",
                        SimJournal.segment(12) + ".aside-1",
                        "00000000000000000025.snap.aside-1");
        assertThat(SimJournal.bytes(disk, SimJournal.segment(12) + ".aside-1")).isEqualTo(damaged);
        SimJournal next = SimJournal.open(disk.crash());
        assertThat(next.values()).hasSize(15);
        assertThat(Objects.requireNonNull(next.journal.snapshots().newest()).lsn())
                .isEqualTo(5);
        next.fill(20);
        assertThat(next.journal.find(3, 16, 10)).containsExactly(19);
    }

    @Test
    void aSegmentWithoutAReadableHeaderGoesAsAWhole() throws IOException {
        SimDisk disk = closed();
        disk.flip(SimJournal.segment(12), 3, 0);
        assertThat(JournalDoctor.inspect(disk).get(1).kind()).isEqualTo(Kind.DAMAGED);
        assertThat(JournalDoctor.repair(disk).lastLsn()).isEqualTo(11);
        assertThat(SimJournal.open(disk).values()).hasSize(11);
    }

    @Test
    void aMissingSegmentCutsBeforeTheGap() throws IOException {
        SimDisk disk = closed();
        disk.delete(SimJournal.segment(12));
        assertThat(JournalDoctor.inspect(disk).getFirst().kind()).isEqualTo(Kind.DAMAGED);
        assertThat(JournalDoctor.repair(disk).lastLsn()).isEqualTo(11);
        assertThat(SimJournal.open(disk).values()).hasSize(11);
    }

    @Test
    void nothingLeftMeansANewLogWithoutOldSnapshots() throws IOException {
        SimDisk disk = closed();
        disk.flip(SimJournal.segment(1), 3, 0);
        assertThat(JournalDoctor.repair(disk).lastLsn()).isZero();
        assertThat(disk.list()).hasSize(10).noneMatch(name -> name.endsWith(".snap") || name.endsWith(".seg"));
        assertThat(SimJournal.open(disk).journal.lastLsn()).isZero();
    }

    @Test
    void anotherVersionIsNotForTheDoctor() throws IOException {
        SimDisk disk = closed();
        SimJournal.patch(disk, SimJournal.segment(12), 8, (byte) 9, (byte) 0, (byte) 0, (byte) 0, (byte) 9);
        assertThat(JournalDoctor.inspect(disk).get(1).kind()).isEqualTo(Kind.INCOMPATIBLE);
        assertThatThrownBy(() -> JournalDoctor.repair(disk)).isInstanceOf(JournalIncompatible.class);
        assertThat(disk.list()).noneMatch(name -> name.contains("aside"));
    }

    @Test
    void aDamagedSnapshotIsNamed() throws IOException {
        SimDisk disk = closed();
        disk.flip("00000000000000000025.snap", 64, 0);
        assertThat(JournalDoctor.inspect(disk))
                .filteredOn(finding -> finding.kind() == Kind.UNUSABLE_SNAPSHOT)
                .extracting(Finding::file)
                .containsExactly("00000000000000000025.snap");
    }

    @Test
    void aRepairInterruptedAnywhereCanBeRepeated() throws IOException {
        for (int step = 1; step < 40; step++) {
            SimDisk disk = closed();
            disk.flip(SimJournal.segment(12), SimJournal.HEADER + 4L * FRAME + 60, 0);
            disk.crashAtStep(step);
            try {
                JournalDoctor.repair(disk);
                assertThat(step).isGreaterThan(8);
                return;
            } catch (SimCrash e) {
                SimDisk after = disk.crash();
                JournalDoctor.repair(after);
                assertThat(SimJournal.open(after).values())
                        .as("crash at " + step)
                        .hasSize(15);
            }
        }
        throw new AssertionError("the repair never ended");
    }
}
