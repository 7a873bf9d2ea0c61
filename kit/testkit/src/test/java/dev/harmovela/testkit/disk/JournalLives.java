package dev.harmovela.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.spi.SnapshotStore.Snapshot;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The lives of one journal on a simulated disk: random work, a crash at a chosen step, opening again, more work,
 * another crash. What was reported durable, stored and trimmed is written down outside the journal and compared after
 * each opening.
 */
final class JournalLives {

    private static final int SEGMENT = 16 << 10;
    private static final int ACTIONS = 16;

    /** A frame can be found by its first eight bytes. */
    private static final FrameKeys KEYS = (body, sink) -> {
        if (body.remaining() >= Long.BYTES) {
            sink.accept(body.getLong(body.position()));
        }
    };

    private record Frame(long firstLsn, int lsnCount, byte[] body) {

        boolean sameAs(Frame other) {
            return firstLsn == other.firstLsn && lsnCount == other.lsnCount && Arrays.equals(body, other.body);
        }
    }

    private final SplittableRandom random;
    private final UnaryOperator<SimDisk> sabotage;
    private final long seed;
    private final TreeMap<Long, Frame> appended = new TreeMap<>();
    private final TreeMap<Long, byte[]> snapshots = new TreeMap<>();
    private long durable;
    private long trimmed = 1;
    private long snapshotStored;
    private long epoch;
    private String id = "";

    JournalLives(long seed, UnaryOperator<SimDisk> sabotage) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.sabotage = sabotage;
    }

    /**
     * Crashes at every step of the first life of the seed, one run per step.
     *
     * @return number of runs
     */
    static int crashEverywhere(long seed, UnaryOperator<SimDisk> sabotage) {
        int step = 1;
        while (new JournalLives(seed, sabotage).run(step)) {
            step++;
        }
        return step;
    }

    /** Returns whether the crash happened, false when the first life ended before that step. */
    private boolean run(int crashAtStep) {
        SimDisk disk = sabotage.apply(new SimDisk(seed)).crashAtStep(crashAtStep);
        try {
            live(disk, ACTIONS);
            if (!disk.isDown()) {
                return false;
            }
            disk = after(disk).crashAtStep(random.nextInt(1, 60));
            live(disk, ACTIONS / 2);
            live(after(disk), 3);
            return true;
        } catch (AssertionError | IOException e) {
            throw new AssertionError(
                    "seed " + seed + ", crash at step " + crashAtStep + ": " + e + "\nlast steps: "
                            + disk.trace()
                                    .subList(
                                            Math.max(0, disk.trace().size() - 12),
                                            disk.trace().size()),
                    e);
        }
    }

    private SimDisk after(SimDisk disk) {
        return random.nextInt(4) == 0 ? disk.kill() : disk.crash();
    }

    private void live(SimDisk disk, int actions) throws IOException {
        InlineThreads threads = new InlineThreads();
        if (random.nextBoolean()) {
            threads.hold();
        }
        try {
            Journal journal = open(disk, threads);
            check(journal);
            checkServedIsForced(journal, disk);
            for (int i = 0; i < actions && !disk.isDown(); i++) {
                act(journal, threads);
            }
            if (!disk.isDown()) {
                threads.release();
                journal.close();
            }
        } catch (SimCrash e) {
            assertThat(disk.isDown()).isTrue();
        }
    }

    private Journal open(SimDisk disk, InlineThreads threads) throws IOException {
        SplittableRandom salts = random.split();
        JournalOptions options =
                JournalOptions.DEFAULT.withSegmentBytes(SEGMENT).withRandom(salts::nextLong);
        return SegmentJournal.open(disk, options, threads, KEYS, new JournalListener() {
            @Override
            public void durable(long lsn) {
                assertThat(lsn).isGreaterThan(durable);
                durable = lsn;
            }

            @Override
            public void lost(Throwable cause) {
                if (!disk.isDown()) {
                    throw new AssertionError("lost without a crash", cause);
                }
            }
        });
    }

    private void act(Journal journal, InlineThreads threads) throws IOException {
        switch (random.nextInt(12)) {
            case 0 -> threads.passTime();
            case 1 -> snapshot(journal);
            case 2 -> trim(journal);
            case 3 -> checkFound(journal);
            case 4 -> threads.hold();
            case 5 -> threads.release();
            default -> append(journal);
        }
    }

    private void append(Journal journal) {
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            byte[] body = new byte[length()];
            random.nextBytes(body);
            Frame frame = new Frame(journal.lastLsn() + 1, random.nextInt(1, 4), body);
            appended.put(frame.firstLsn, frame);
            journal.append(frame.firstLsn, frame.lsnCount, body, 0, body.length);
        }
        journal.commit();
    }

    private int length() {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(12_000);
            case 1, 2 -> random.nextInt(3_000);
            default -> random.nextInt(200);
        };
    }

    private void snapshot(Journal journal) throws IOException {
        byte[] bytes = new byte[random.nextInt(9_000)];
        random.nextBytes(bytes);
        long lsn = journal.durableLsn();
        if (!snapshots.containsKey(lsn)) {
            snapshots.put(lsn, bytes);
            journal.snapshots().store(new Snapshot(lsn, bytes));
            snapshotStored = lsn;
        }
    }

    private void trim(Journal journal) throws IOException {
        long lsn = random.nextLong(journal.durableLsn() + 1) + 1;
        trimmed = Math.max(trimmed, lsn);
        journal.trim(lsn);
    }

    private void checkFound(Journal journal) throws IOException {
        for (Frame frame : appended.tailMap(journal.firstLsn()).values()) {
            if (frame.firstLsn <= journal.durableLsn() && frame.body.length >= Long.BYTES) {
                long key = ByteBuffer.wrap(frame.body).getLong();
                assertThat(journal.find(key, 1, 10))
                        .as("frames with the key of " + frame.firstLsn)
                        .containsExactly(frame.firstLsn);
            }
        }
    }

    /**
     * The promises: nothing durable is missing, nothing is invented, there is no hole, and the past cannot be given
     * up.
     */
    private void check(Journal journal) throws IOException {
        assertThat(journal.lastLsn()).as("durable frames are there").isGreaterThanOrEqualTo(durable);
        assertThat(journal.durableLsn()).isEqualTo(journal.lastLsn());
        assertThat(journal.firstLsn()).as("nothing is trimmed unasked").isLessThanOrEqualTo(trimmed);
        long next = journal.firstLsn();
        for (Frame frame : read(journal)) {
            assertThat(frame.firstLsn).as("no hole").isEqualTo(next);
            Frame original = appended.get(frame.firstLsn);
            assertThat(original != null && original.sameAs(frame))
                    .as("frame " + next + " is not invented")
                    .isTrue();
            next += frame.lsnCount;
        }
        assertThat(next).as("everything can be read").isEqualTo(journal.lastLsn() + 1);
        if (durable > 0) {
            assertThat(journal.id()).isEqualTo(id);
            assertThat(journal.epoch()).isGreaterThan(epoch);
        }
        checkSnapshots(journal);
        checkFound(journal);
        id = journal.id();
        epoch = journal.epoch();
        durable = journal.lastLsn();
        appended.tailMap(durable, false).clear();
    }

    private void checkSnapshots(Journal journal) throws IOException {
        Snapshot newest = journal.snapshots().newest();
        if (newest != null) {
            assertThat(newest.bytes()).isEqualTo(snapshots.get(newest.lsn()));
            assertThat(newest.lsn()).isGreaterThanOrEqualTo(snapshotStored);
            snapshotStored = newest.lsn();
        } else {
            assertThat(snapshotStored).as("the stored snapshot is there").isZero();
        }
        snapshots.tailMap(durable, false).clear();
    }

    /** What an opening serves must survive a crash right after it, and opening twice must change nothing. */
    private void checkServedIsForced(Journal journal, SimDisk disk) throws IOException {
        List<Frame> served = read(journal);
        Journal again = open(disk.copy().crash(), new InlineThreads());
        List<Frame> kept = read(again);
        assertThat(kept).hasSameSizeAs(served);
        for (int i = 0; i < served.size(); i++) {
            assertThat(kept.get(i).sameAs(served.get(i)))
                    .as("frame " + i + " after opening twice")
                    .isTrue();
        }
    }

    private static List<Frame> read(Journal journal) throws IOException {
        List<Frame> frames = new ArrayList<>();
        journal.read(1, (lsn, count, body) -> {
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            return frames.add(new Frame(lsn, count, bytes));
        });
        return Objects.requireNonNull(frames);
    }
}
