package dev.harmovela.testkit.disk;

import dev.harmovela.store.journal.JournalThreads;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * Runs everything a journal asks for on the caller's thread: at once, or, for timers and held background work, when
 * the test says so. Not thread-safe.
 */
public final class InlineThreads implements JournalThreads {

    private final ArrayDeque<Runnable> timers = new ArrayDeque<>();
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private boolean holding;
    private boolean closed;

    @Override
    public Executor writer() {
        return Runnable::run;
    }

    @Override
    public Executor background() {
        return task -> {
            if (holding) {
                held.add(task);
            } else {
                task.run();
            }
        };
    }

    @Override
    public Executor indexer() {
        return background();
    }

    @Override
    public void after(long millis, Runnable task) {
        if (!closed) {
            timers.add(task);
        }
    }

    /** Keeps background work, indexes included, until {@link #release()}. */
    public void hold() {
        holding = true;
    }

    /** Runs what was held; from then on background work runs at once. */
    public void release() {
        holding = false;
        while (!held.isEmpty()) {
            held.poll().run();
        }
    }

    /** Lets the pauses of all timers that are set now pass. */
    public void passTime() {
        for (int due = timers.size(); due > 0 && !timers.isEmpty(); due--) {
            timers.poll().run();
        }
    }

    /** Timers that are set. */
    public int timers() {
        return timers.size();
    }

    @Override
    public void close() {
        closed = true;
        timers.clear();
        held.clear();
    }
}
