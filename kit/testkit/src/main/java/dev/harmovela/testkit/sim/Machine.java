package dev.harmovela.testkit.sim;

import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.harness.StateProbe;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.store.memory.MemoryJournal;
import dev.harmovela.testkit.disk.SimCrash;
import dev.harmovela.testkit.disk.SimDisk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The computer a hub runs on: its disk, its clock, its threads as queues. It can lose its power at any call to the
 * disk.
 */
final class Machine {

    /** Where time begins: 2026-07-10T10:00:00Z. */
    static final long START = 1_783_677_600_000L;

    private static final int SEGMENT = 32 << 10;

    private final SplittableRandom random;
    private final HubConfig config;
    private final Sabotage sabotage;
    private final Tape tape;
    private final ArrayDeque<Runnable> owner = new ArrayDeque<>();
    private final ArrayDeque<Runnable> reading = new ArrayDeque<>();
    private SimDisk disk;
    private StepThreads threads;
    private @Nullable HarmovelaHub hub;
    private @Nullable StateProbe probe;
    private @Nullable Journal journal;
    private boolean lost;
    private long now = START;
    private long skew;
    private long ahead;
    private long latest = START;
    private int starts;

    Machine(long seed, SplittableRandom random, HubConfig config, Sabotage sabotage) {
        this.random = random;
        this.config = config;
        this.sabotage = sabotage;
        this.tape = new Tape(config);
        this.disk = new SimDisk(seed);
        this.threads = new StepThreads(this::now);
        if (sabotage == Sabotage.NO_FORCE) {
            disk.ignoreForce();
        } else if (sabotage == Sabotage.NO_FORCE_DIRECTORY) {
            disk.ignoreForceDirectory();
        }
    }

    // --- clock

    long now() {
        return now;
    }

    void advance(long millis) {
        now += millis;
        follow();
    }

    private void follow() {
        latest = Math.max(latest, now + skew + ahead);
    }

    /** The latest time that any hub may have read from its clock; its time never falls below that. */
    long latest() {
        return latest;
    }

    /** Somebody sets the hub's wall clock; the hub's time must not fall. */
    void setClock(long aheadMillis) {
        skew = aheadMillis;
        follow();
    }

    // --- life

    HarmovelaHub hub() {
        return Objects.requireNonNull(hub);
    }

    StateProbe probe() {
        return Objects.requireNonNull(probe);
    }

    SimDisk disk() {
        return disk;
    }

    int starts() {
        return starts;
    }

    /** Whether a hub runs that may still be believed. */
    boolean isUp() {
        return hub != null && !disk.isDown() && !lost;
    }

    long durableLsn() {
        return journal == null ? 0 : journal.durableLsn();
    }

    /**
     * Opens the log and starts a hub on it; false when the power failed meanwhile.
     *
     * @param shownLsn highest position that any client has seen
     */
    boolean start(long shownLsn) throws IOException {
        threads = new StepThreads(this::now);
        lost = false;
        starts++;
        ahead = Math.max(0, latest - now - skew);
        try {
            HarmovelaHub started = HarmovelaHub.start(new HarmovelaHub.Setup(
                    config,
                    owner::add,
                    () -> now + skew,
                    _ -> {},
                    reading::add,
                    random.nextLong(),
                    (keys, listener) -> open(keys, listener, shownLsn),
                    listener -> new MemoryJournal(FrameKeys.NONE, listener),
                    null,
                    HarmovelaHub.Conformance.REFUSED));
            started.health().onFatal(_ -> lost = true);
            hub = started;
            probe = new StateProbe(started);
            if (sabotage == Sabotage.NO_BARRIER) {
                probe().dropBarrier();
            }
            return !disk.isDown();
        } catch (SimCrash _) {
            return false;
        } catch (IOException e) {
            if (disk.isDown()) {
                return false;
            }
            throw e;
        }
    }

    private Journal open(FrameKeys keys, JournalListener listener, long shownLsn) throws IOException {
        SplittableRandom salts = random.split();
        JournalOptions options =
                JournalOptions.DEFAULT.withSegmentBytes(SEGMENT).withRandom(salts::nextLong);
        Journal opened = SegmentJournal.open(disk, options, threads, keys, listener);
        require(opened, shownLsn, "after the restart");
        tape.cut(opened.lastLsn());
        journal = tape.over(opened);
        return journal;
    }

    /** A log found after a crash holds everything that clients have seen, and nothing that was never appended. */
    private void require(Journal found, long shownLsn, String when) throws IOException {
        if (found.lastLsn() < shownLsn) {
            throw new Violation("position " + shownLsn + " was shown to a client, but " + when + " the log ends at "
                    + found.lastLsn());
        }
        String difference = tape.difference(found);
        if (!difference.isEmpty()) {
            throw new Violation(when + ": " + difference);
        }
    }

    /** Looks at what a power cut at this moment would leave behind, and goes on as if nothing had happened. */
    void probePowerCut(long shownLsn) throws IOException {
        SimDisk copy = disk.copy().crash();
        StepThreads still = new StepThreads(this::now);
        SplittableRandom salts = new SplittableRandom(shownLsn);
        JournalOptions options =
                JournalOptions.DEFAULT.withSegmentBytes(SEGMENT).withRandom(salts::nextLong);
        Journal found = SegmentJournal.open(copy, options, still, FrameKeys.NONE, new JournalListener() {
            @Override
            public void durable(long lsn) {}

            @Override
            public void lost(Throwable cause) {}
        });
        require(found, shownLsn, "after a power cut now");
    }

    /** The power fails: unforced blocks and names may be lost. */
    void cutPower() {
        down();
        disk = disk.crash();
    }

    /** The process dies; what it wrote stays readable. */
    void kill() {
        down();
        disk = disk.kill();
    }

    /** The hub ends in good order; what cannot be written to a full disk is lost like in a crash. */
    void stop() {
        try {
            threads.runInline();
            hub().close();
        } catch (IOException _) {
            // the last batch did not fit: nobody was told of it
        }
        kill();
    }

    private void down() {
        hub = null;
        probe = null;
        journal = null;
        owner.clear();
        reading.clear();
    }

    // --- work

    boolean hasOwnerWork() {
        return !owner.isEmpty();
    }

    boolean hasReads() {
        return !reading.isEmpty();
    }

    boolean writes() {
        return threads.writes();
    }

    boolean worksBehind() {
        return threads.worksBehind();
    }

    boolean stepOwner() {
        return step(owner);
    }

    boolean stepRead() {
        return step(reading);
    }

    boolean stepWriter() {
        return threads.stepWriter();
    }

    boolean stepBehind() {
        return threads.stepBehind();
    }

    private static boolean step(ArrayDeque<Runnable> queue) {
        Runnable task = queue.poll();
        if (task != null) {
            task.run();
        }
        return task != null;
    }

    /** Runs everything that waits, in one order. */
    void settle() {
        while (stepOwner() || stepWriter() || stepRead() || stepBehind()) {
            // until nothing waits
        }
    }

    /** What the hub knows is what its log says. */
    void checkState() {
        if (isUp() && probe().isSettled() && !Arrays.equals(probe().stateBytes(), tape.stateBytes())) {
            throw new Violation("the state at " + probe().lastLsn() + " is not the fold of the log up to there");
        }
    }
}
