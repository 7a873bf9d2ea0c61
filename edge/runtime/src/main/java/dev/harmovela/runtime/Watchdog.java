package dev.harmovela.runtime;

import dev.harmovela.harness.HubHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices parts of the hub that stand still (OBS-01), from a thread that none of them can stop: the owner that does
 * not come to its work, deadlines that are not looked at, a force that does not end. Looked at by one thread,
 * regularly.
 */
final class Watchdog {

    /** How long a part may stand still before it counts as stuck. */
    static final long PATIENCE_MILLIS = 8_000;

    static final String DISPATCHER = "dispatcher";
    static final String TIMERS = "timers";
    static final String JOURNAL = "journal";

    /** Deadlines may be this late before somebody rings for them: the clock was set, or the alarm was lost. */
    private static final long LATE_MILLIS = 1_000;

    private static final long NOTHING = Long.MAX_VALUE;

    private final Executor owner;
    private final Runnable tick;
    private final HubHealth health;
    private final LongSupplier wall;
    private final LongSupplier nanos;
    private final Still dispatcher = new Still();
    private final Still timers = new Still();
    private final Still journal = new Still();
    private volatile boolean answered = true;
    private long asked;

    /**
     * @param owner runs what it is given behind everything that waits already, never inline
     * @param tick rings for deadlines, on the owner
     * @param wall epoch milliseconds
     * @param nanos a time that is never set
     */
    Watchdog(Executor owner, Runnable tick, HubHealth health, LongSupplier wall, LongSupplier nanos) {
        this.owner = owner;
        this.tick = tick;
        this.health = health;
        this.wall = wall;
        this.nanos = nanos;
    }

    /** How long a value has been the same. */
    private static final class Still {
        private long value = NOTHING;
        private long sinceNanos;

        long millis(long seen, long nowNanos) {
            if (seen == NOTHING || seen != value) {
                value = seen;
                sinceNanos = nowNanos;
            }
            return TimeUnit.NANOSECONDS.toMillis(nowNanos - sinceNanos);
        }
    }

    /** Looks at everything once; what is stuck, and since when. */
    List<HubHealth.Part> look() {
        long now = nanos.getAsLong();
        boolean late = health.tickDue() != NOTHING && wall.getAsLong() - health.tickDue() >= LATE_MILLIS;
        List<HubHealth.Part> stuck = new ArrayList<>();
        add(stuck, DISPATCHER, dispatcher.millis(answered ? NOTHING : asked, now), "does not come to its work");
        add(stuck, TIMERS, timers.millis(late ? health.tickDue() : NOTHING, now), "deadlines are not looked at");
        add(
                stuck,
                JOURNAL,
                journal.millis(health.forceWaitingSince(), now),
                "what was written does not become durable");
        if (answered) {
            answered = false;
            asked++;
            owner.execute(() -> {
                answered = true;
                if (late) {
                    tick.run();
                }
            });
        }
        return stuck;
    }

    private void add(List<HubHealth.Part> stuck, String part, long still, String what) {
        if (still >= PATIENCE_MILLIS) {
            stuck.add(new HubHealth.Part(part, what, wall.getAsLong() - still));
        }
    }
}
