package dev.harmovela.testkit.sim;

import dev.harmovela.harness.Conformance;
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
    private static final int SMALL_SEGMENT = 16 << 10;
    private static final int CHECKED_EVERY = 8;

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
    private long tickTime;
    private long calmTime;
    private long forgotten;
    private long checkedLsn;
    private int unchecked;

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

    /** Lets the hub look at its clock. */
    void tick() {
        tickTime = Math.max(tickTime, now + skew);
        hub().tick();
    }

    /** Notes that nothing waits to leave the hub: whatever leaves later was decided later. */
    void calm() {
        if (isUp() && probe().waitingOutputs() == 0) {
            calmTime = tickTime;
        }
    }

    /** What leaves the hub now was decided at this time or later, by the hub's clock. */
    long calmTime() {
        return calmTime;
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

    /** Whether retention has taken a position, so that nobody can know any more what lay there. */
    boolean forgot(long lsn) {
        forgotten = journal == null ? forgotten : Math.max(forgotten, journal.firstLsn());
        return lsn < forgotten;
    }

    boolean forgets() {
        return config.bounds().retention().events() < 1_000;
    }

    private JournalOptions options(SplittableRandom salts) {
        return JournalOptions.DEFAULT
                .withSegmentBytes(forgets() ? SMALL_SEGMENT : SEGMENT)
                .withRandom(salts::nextLong);
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
                    random::nextLong,
                    (keys, listener) -> open(keys, listener, shownLsn),
                    listener -> new MemoryJournal(FrameKeys.NONE, listener),
                    null,
                    Conformance.REFUSED));
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
        Journal opened = SegmentJournal.open(disk, options(salts), threads, keys, listener);
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
        Journal found = SegmentJournal.open(copy, options(salts), still, FrameKeys.NONE, new JournalListener() {
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
        forgot(0);
        tickTime = 0;
        calmTime = 0;
        checkedLsn = 0;
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

    /** Reads every event of the log, also those that retention took, in order. */
    void readLog(StateProbe.Reader reader) {
        tape.read(reader);
    }

    /** Now and then: what the hub knows is what its log says. */
    void checkNowAndThen() {
        if (isUp() && probe().lastLsn() != checkedLsn && ++unchecked >= CHECKED_EVERY) {
            checkState();
        }
    }

    /** What the hub knows is what its log says. */
    void checkState() {
        unchecked = 0;
        checkedLsn = isUp() ? probe().lastLsn() : 0;
        if (isUp() && probe().isSettled() && !Arrays.equals(probe().stateBytes(), tape.stateBytes())) {
            throw new Violation("the state at " + probe().lastLsn() + " is not the fold of the log up to there");
        }
    }
}
