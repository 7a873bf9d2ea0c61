package dev.harmovela.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.store.journal.JournalAudit;
import dev.harmovela.store.journal.JournalAudit.Difference;
import dev.harmovela.store.journal.JournalAudit.Report;
import dev.harmovela.store.journal.JournalDoctor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Whoever changes what a finished segment says is found out (§7, OBS-06). */
class AuditChainTest {

    private static final String CHAIN = "chain.sha256";
    private static final int CHAIN_LINE = 187;
    private static final int FRAME = SimJournal.FRAME_HEADER + 1_000;

    /** Four segments of eleven frames and an open one of six. */
    private static SimDisk closed() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(50);
        sim.journal.close();
        return sim.disk.kill();
    }

    private static String archive(long firstLsn) {
        return "%020d.aud".formatted(firstLsn);
    }

    private static Difference onlyDifference(SimDisk disk) throws IOException {
        List<Difference> differences = JournalAudit.verify(disk, null).differences();
        assertThat(differences).isNotEmpty();
        return differences.getFirst();
    }

    @Test
    void whatNobodyTouchedHolds() throws IOException {
        SimDisk disk = closed();
        int steps = disk.steps();
        Report report = JournalAudit.verify(disk, null);
        assertThat(report.differences()).isEmpty();
        assertThat(report.segments()).isEqualTo(4);
        assertThat(report.firstLsn()).isEqualTo(1);
        assertThat(report.sealedLsn()).isEqualTo(44);
        assertThat(report.lastLsn()).isEqualTo(50);
        assertThat(disk.steps()).as("verifying changes nothing").isEqualTo(steps);
    }

    @Test
    void eachByteOfAFinishedSegmentCounts() throws IOException {
        SimDisk healthy = closed();
        String name = SimJournal.segment(12);
        for (int offset = 0; offset < SimJournal.SEGMENT; offset += 61) {
            SimDisk disk = healthy.copy();
            disk.flip(name, offset, offset % 8);
            Difference found = onlyDifference(disk);
            assertThat(found.file()).as("flipped byte %d", offset).isEqualTo(name);
            assertThat(found.offset()).as("flipped byte %d", offset).isLessThanOrEqualTo(offset);
        }
    }

    @Test
    void theFrameThatWasChangedIsNamed() throws IOException {
        SimDisk disk = closed();
        long frame = SimJournal.HEADER + 3L * FRAME;
        disk.flip(SimJournal.segment(12), frame + 500, 2);
        assertThat(onlyDifference(disk).offset()).isEqualTo(frame);
    }

    @Test
    void aSegmentThatIsRemovedOrSwappedIsMissed() throws IOException {
        SimDisk healthy = closed();
        for (long first : new long[] {1, 12, 23, 34}) {
            SimDisk disk = healthy.copy();
            disk.delete(SimJournal.segment(first));
            Difference found = onlyDifference(disk);
            assertThat(found.file()).isEqualTo(SimJournal.segment(first));
            assertThat(found.text()).contains("missing");
        }
        SimDisk noEnd = healthy.copy();
        noEnd.delete(SimJournal.segment(45));
        assertThat(onlyDifference(noEnd).file()).isEqualTo(SimJournal.segment(45));

        SimDisk swapped = healthy.copy();
        swapped.rename(SimJournal.segment(12), "a");
        swapped.rename(SimJournal.segment(23), SimJournal.segment(12));
        swapped.rename("a", SimJournal.segment(23));
        assertThat(JournalAudit.verify(swapped, null).differences())
                .extracting(Difference::file)
                .containsExactly(SimJournal.segment(12), SimJournal.segment(23));
    }

    @Test
    void eachByteOfTheChainCounts() throws IOException {
        SimDisk healthy = closed();
        for (int offset = 0; offset < 4 * CHAIN_LINE; offset += 3) {
            SimDisk disk = healthy.copy();
            disk.flip(CHAIN, offset, offset % 7);
            assertThat(JournalAudit.verify(disk, null).holds())
                    .as("flipped byte %d of the chain", offset)
                    .isFalse();
        }
    }

    @Test
    void aHubThatGoesOnDoesNotHealAChainThatWasChanged() throws IOException {
        SimDisk disk = closed();
        disk.flip(CHAIN, 3 * CHAIN_LINE + 100, 1);
        SimJournal next = SimJournal.open(disk).fill(30);
        next.journal.close();
        assertThat(onlyDifference(disk).file()).isEqualTo(CHAIN);
        assertThat(onlyDifference(disk).offset()).isEqualTo(3L * CHAIN_LINE);
    }

    @Test
    void anAnchorIsABeginningOfTheSameLogAndOfNoOther() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(25);
        String anchor = JournalAudit.head(sim.disk);
        sim.fill(40);
        assertThat(JournalAudit.verify(sim.disk, anchor).differences()).isEmpty();
        sim.journal.close();
        SimDisk later = sim.disk.kill();
        assertThat(JournalAudit.verify(later, anchor).differences()).isEmpty();

        SimJournal other = SimJournal.open(new SimDisk(1));
        other.put(99, 1_000);
        other.fill(64).journal.close();
        assertThat(JournalAudit.verify(other.disk, null).holds()).isTrue();
        assertThat(JournalAudit.verify(other.disk, anchor).holds())
                .as("a log that was written anew")
                .isFalse();
        assertThat(JournalAudit.verify(later, "no head").holds()).isFalse();
    }

    @Test
    void anAnchorCoversWhatWasNotFinishedYet() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(6);
        String anchor = JournalAudit.head(sim.disk);
        sim.journal.close();
        SimDisk disk = sim.disk.kill();
        assertThat(JournalAudit.verify(disk, anchor).holds()).isTrue();
        disk.flip(SimJournal.segment(1), SimJournal.HEADER + 2L * FRAME + 100, 0);
        assertThat(JournalAudit.verify(disk, null).holds())
                .as("an open segment is not chained")
                .isTrue();
        assertThat(JournalAudit.verify(disk, anchor).holds()).isFalse();
    }

    @Test
    void whatLeftTheLogIsKeptAndStaysVerifiable() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(50);
        String anchor = JournalAudit.head(sim.disk);
        sim.journal.trim(34);
        assertThat(sim.values()).hasSize(17);
        assertThat(audited(sim)).hasSize(50).startsWith(0, 1, 2);
        assertThat(sim.journal.firstAuditLsn()).isEqualTo(1);
        Report report = JournalAudit.verify(sim.disk, anchor);
        assertThat(report.differences()).isEmpty();
        assertThat(report.archives()).isEqualTo(3);
        assertThat(report.segments()).isEqualTo(1);
        assertThat(report.firstLsn()).isEqualTo(1);
        sim.journal.close();

        SimDisk disk = sim.disk.kill();
        SimJournal next = SimJournal.open(disk);
        assertThat(audited(next)).hasSize(50);
        next.journal.close();
        disk.flip(archive(12), 5_000, 1);
        assertThat(onlyDifference(disk).file()).isEqualTo(archive(12));
        disk.delete(archive(1));
        assertThat(onlyDifference(disk).file()).isEqualTo(archive(1));
    }

    @Test
    void theArchiveHasBoundsOfItsOwn() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(50);
        sim.journal.trim(45);
        sim.journal.trimAudit(12, Long.MAX_VALUE);
        assertThat(sim.journal.firstAuditLsn()).isEqualTo(12);
        sim.journal.trimAudit(1, 20_000);
        assertThat(sim.journal.firstAuditLsn()).isEqualTo(34);
        Report report = JournalAudit.verify(sim.disk, null);
        assertThat(report.differences()).isEmpty();
        assertThat(report.archives()).isEqualTo(1);
        assertThat(report.notes()).anyMatch(note -> note.contains("1 to 11 were let go"));
        assertThat(audited(sim)).hasSize(17);
    }

    @Test
    void aRepairedLogSaysSo() throws IOException {
        SimDisk disk = closed();
        disk.flip(SimJournal.segment(23), SimJournal.HEADER + 2L * FRAME + 20, 0);
        assertThat(onlyDifference(disk).file()).isEqualTo(SimJournal.segment(23));
        JournalDoctor.repair(disk);
        SimJournal.open(disk).fill(30).journal.close();
        Report report = JournalAudit.verify(disk, null);
        assertThat(report.differences()).isEmpty();
        assertThat(report.notes()).anyMatch(note -> note.contains("cut in front of position 25"));
    }

    /** Sealing, archiving and dropping, with a crash at every call of the disk. */
    @Test
    void aCrashAtAnyStepLeavesAChainThatHolds() throws IOException {
        int crashes = 0;
        for (long seed = 1; seed <= 2; seed++) {
            int step = 1;
            while (crash(seed, step)) {
                step++;
            }
            crashes += step;
        }
        assertThat(crashes).isGreaterThan(150);
    }

    private static boolean crash(long seed, int step) throws IOException {
        SimDisk disk = new SimDisk(seed);
        List<String> anchors = new ArrayList<>();
        try {
            disk.crashAtStep(step);
            SimJournal sim = SimJournal.open(disk);
            for (int round = 0; round < 4; round++) {
                sim.fill(14);
                anchors.add(JournalAudit.head(disk));
                sim.journal.trim(sim.journal.durableLsn() - 15);
                sim.journal.trimAudit(sim.journal.durableLsn() - 30, Long.MAX_VALUE);
            }
            sim.journal.close();
            return false;
        } catch (SimCrash expected) {
            LongFunction<String> what = at -> "seed " + seed + ", crash at step " + at;
            SimDisk after = step % 3 == 0 ? disk.kill() : disk.crash();
            assertHolds(after, anchors, what.apply(step) + ", as found");
            SimJournal next = SimJournal.open(after).fill(20);
            assertHolds(after, anchors, what.apply(step) + ", after opening");
            next.journal.trim(next.journal.durableLsn() - 3);
            assertHolds(after, anchors, what.apply(step) + ", after trimming");
            next.journal.close();
            return true;
        }
    }

    private static void assertHolds(SimDisk disk, List<String> anchors, String when) throws IOException {
        assertThat(JournalAudit.verify(disk, null).differences()).as(when).isEmpty();
        for (String anchor : anchors) {
            assertThat(JournalAudit.verify(disk, anchor).differences())
                    .as(when + ", with the anchor " + anchor)
                    .isEmpty();
        }
    }

    private static List<Integer> audited(SimJournal sim) throws IOException {
        List<Integer> values = new ArrayList<>();
        sim.journal.readAudit(1, (_, _, body) -> values.add((int) body.get(body.position())));
        return values;
    }
}
