package dev.harmovela.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.JournalThreads;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.JournalWatch;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Writes and forces that fail, disks that fill up, and a disk that does not keep up. */
class JournalFaultTest {

    @Test
    void aFailedForceEndsTheLogOnceAndForEver() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(2);
        sim.disk.failForce(1);
        sim.put(9, 100);
        assertThat(sim.watch.losses())
                .singleElement()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("force");
        int steps = sim.disk.steps();
        sim.put(9, 100);
        sim.threads.passTime();
        assertThat(sim.journal.lastLsn()).isEqualTo(4);
        assertThat(sim.journal.durableLsn()).isEqualTo(2);
        assertThat(sim.values()).containsExactly(0, 1);
        assertThat(sim.watch.losses()).hasSize(1);
        assertThat(sim.watch.durables()).containsExactly(1L, 2L);
        assertThat(sim.disk.steps()).isEqualTo(steps);
        sim.journal.close();
        assertThat(sim.watch.losses()).hasSize(1);
    }

    @Test
    void whatAFailedForceLeftInTheCacheIsServedOnlyOnceItIsForced() throws IOException {
        for (long seed = 0; seed < 30; seed++) {
            SimJournal sim = SimJournal.open(new SimDisk(seed)).fill(2);
            sim.disk.failForce(1);
            sim.put(9, 100);
            SimJournal next = SimJournal.open(sim.disk.kill());
            List<Integer> served = next.values();
            assertThat(served).startsWith(0, 1);
            assertThat(SimJournal.open(next.disk.crash()).values()).isEqualTo(served);
        }
    }

    @Test
    void aFailedWriteEndsTheLog() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(2);
        sim.disk.failWrite(1);
        sim.put(9, 5_000);
        assertThat(sim.watch.loss()).hasMessageContaining("short write");
        assertThat(sim.journal.durableLsn()).isEqualTo(2);
        assertThat(SimJournal.open(sim.disk.kill()).values()).containsExactly(0, 1);
    }

    @Test
    void theMarkIsABatchLikeAnyOther() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(1);
        sim.threads.passTime();
        sim.disk.failForce(1);
        sim.threads.passTime();
        assertThat(sim.watch.losses()).hasSize(1);
    }

    @Test
    void anIdlePauseIsMarkedOnce() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(2);
        int before = sim.disk.steps();
        sim.put(3, 10);
        int batch = sim.disk.steps() - before;
        sim.threads.passTime();
        assertThat(sim.disk.steps()).as("the last batch is too young").isEqualTo(before + batch);
        sim.threads.passTime();
        assertThat(sim.disk.steps()).isEqualTo(before + 2 * batch);
        sim.threads.passTime();
        sim.journal.close();
        assertThat(sim.disk.trace().subList(before + 2 * batch, sim.disk.steps()))
                .as("neither a second mark nor one at the end")
                .noneMatch(step -> step.startsWith("write"));
        assertThat(sim.values()).containsExactly(0, 1, 3);
    }

    @Test
    void aFullDiskRefusesPublishesAndTakesSettlements() throws IOException {
        SimDisk disk = new SimDisk(1).capacity(2L * SimJournal.SEGMENT + 1_000);
        SimJournal sim = SimJournal.open(disk).fill(11);
        assertThat(sim.journal.acceptsPublishes()).isTrue();
        sim.put(50, 1_000);
        assertThat(sim.journal.acceptsPublishes())
                .as("the third segment did not fit")
                .isFalse();
        assertThat(sim.watch.spaces()).containsExactly(false);
        for (int i = 0; i < 100; i++) {
            sim.put(51, 30);
        }
        assertThat(sim.journal.durableLsn()).isEqualTo(112);
        sim.threads.passTime();
        assertThat(sim.journal.acceptsPublishes()).isFalse();
        disk.capacity(Long.MAX_VALUE);
        sim.threads.passTime();
        assertThat(sim.journal.acceptsPublishes()).isTrue();
        assertThat(sim.watch.spaces()).containsExactly(false, true);
        assertThat(sim.watch.losses()).isEmpty();
    }

    @Test
    void trimmingMakesRoomAtOnce() throws IOException {
        SimDisk disk = new SimDisk(1).capacity(2L * SimJournal.SEGMENT + 1_000);
        SimJournal sim = SimJournal.open(disk).fill(13);
        assertThat(sim.journal.acceptsPublishes()).isFalse();
        sim.journal.trim(12);
        assertThat(sim.journal.acceptsPublishes()).isTrue();
        assertThat(sim.journal.firstLsn()).isEqualTo(12);
    }

    @Test
    void aBatchWithoutRoomWaitsAndIsNotLost() throws IOException {
        SimDisk disk = new SimDisk(1).capacity(2L * SimJournal.SEGMENT + 1_000);
        SimJournal sim = SimJournal.open(disk).fill(22);
        assertThat(sim.journal.durableLsn()).isEqualTo(22);
        sim.put(60, 1_000);
        sim.put(61, 1_000);
        assertThat(sim.journal.durableLsn()).isEqualTo(22);
        assertThat(sim.values()).hasSize(22);
        disk.capacity(Long.MAX_VALUE);
        sim.threads.passTime();
        assertThat(sim.journal.durableLsn()).isEqualTo(24);
        assertThat(sim.values()).endsWith(21, 60, 61);
    }

    @Test
    void closingWithoutRoomSaysSo() throws IOException {
        SimDisk disk = new SimDisk(1).capacity(2L * SimJournal.SEGMENT + 1_000);
        SimJournal sim = SimJournal.open(disk).fill(22);
        sim.put(60, 1_000);
        assertThatThrownBy(sim.journal::close).isInstanceOf(IOException.class).hasMessageContaining("full");
        assertThat(SimJournal.open(disk.kill()).values()).hasSize(22);
    }

    @Test
    void aFullDiskDoesNotKeepTheLogFromOpening() throws IOException {
        for (long seed = 0; seed < 20; seed++) {
            SimDisk disk = new SimDisk(seed).capacity(2L * SimJournal.SEGMENT + 1_000);
            SimJournal sim = SimJournal.open(disk).fill(13);
            SimJournal next = SimJournal.open(sim.disk.kill());
            assertThat(next.journal.acceptsPublishes()).isFalse();
            assertThat(next.values()).hasSize(13);
            next.put(70, 10);
            assertThat(next.journal.durableLsn()).isEqualTo(14);
            SimJournal last = SimJournal.open(next.disk.crash());
            assertThat(last.values()).hasSize(14).endsWith(70);
            last.journal.trim(12);
            assertThat(last.journal.acceptsPublishes()).isTrue();
        }
    }

    @Test
    void theReserveIsLeftAloneWhileTheNextSegmentIsOnItsWay() throws IOException {
        SimJournal sim = SimJournal.open(new SimDisk(1)).fill(10);
        sim.threads.hold();
        sim.fill(11);
        sim.put(80, 100);
        assertThat(sim.journal.durableLsn())
                .as("ten in the first, the rest before the reserve")
                .isEqualTo(20);
        sim.threads.release();
        assertThat(sim.journal.durableLsn()).isEqualTo(22);
        assertThat(sim.watch.spaces()).isEmpty();
    }

    /** A writer that works when the test says so. */
    private static final class HeldWriter implements JournalThreads {
        private final InlineThreads others = new InlineThreads();
        private final ArrayDeque<Runnable> work = new ArrayDeque<>();

        void run() {
            while (!work.isEmpty()) {
                work.poll().run();
            }
        }

        @Override
        public Executor writer() {
            return work::add;
        }

        @Override
        public Executor background() {
            return others.background();
        }

        @Override
        public Executor indexer() {
            return others.indexer();
        }

        @Override
        public void after(long millis, Runnable task) {
            others.after(millis, task);
        }

        @Override
        public void close() {
            others.close();
        }
    }

    private static void put(SegmentJournal journal, int size) {
        journal.append(journal.lastLsn() + 1, 1, new byte[size], 0, size);
        journal.commit();
    }

    @Test
    void whatArrivesDuringAForceIsOneBatch() throws IOException {
        SimDisk disk = new SimDisk(1);
        HeldWriter threads = new HeldWriter();
        JournalWatch watch = new JournalWatch();
        SegmentJournal journal = SegmentJournal.open(disk, SimJournal.options(), threads, SimJournal.FIRST_BYTE, watch);
        int before = disk.steps();
        for (int i = 0; i < 50; i++) {
            put(journal, 10);
        }
        assertThat(journal.durableLsn()).isZero();
        threads.run();
        assertThat(watch.durables()).containsExactly(50L);
        assertThat(disk.trace().subList(before, disk.steps()))
                .containsExactly("write first.tmp 4096+2800", "force first.tmp");
    }

    @Test
    void aDiskThatDoesNotKeepUpRefusesPublishesAndThenEnds() throws IOException {
        HeldWriter threads = new HeldWriter();
        JournalWatch watch = new JournalWatch();
        JournalOptions options = SimJournal.options().withBacklogBytes(10_000);
        SegmentJournal journal = SegmentJournal.open(new SimDisk(1), options, threads, SimJournal.FIRST_BYTE, watch);
        put(journal, 9_000);
        assertThat(journal.acceptsPublishes()).isTrue();
        put(journal, 1_000);
        assertThat(journal.acceptsPublishes()).isFalse();
        threads.run();
        assertThat(journal.acceptsPublishes()).isTrue();
        assertThat(watch.spaces()).containsExactly(false, true);
        for (int i = 0; i < 5; i++) {
            put(journal, 9_000);
        }
        assertThat(watch.loss()).hasMessageContaining("does not keep up");
        threads.run();
        assertThat(journal.durableLsn()).isEqualTo(2);
    }
}
