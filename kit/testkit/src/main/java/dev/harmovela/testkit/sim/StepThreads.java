package dev.harmovela.testkit.sim;

import dev.harmovela.store.journal.JournalThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a journal as queues: each task runs when the scheduler says so, so that memory runs ahead of the
 * disk.
 */
final class StepThreads implements JournalThreads {

    private record Timer(long at, Runnable task) {}

    private final LongSupplier clock;
    private final ArrayDeque<Runnable> writer = new ArrayDeque<>();
    private final ArrayDeque<Runnable> background = new ArrayDeque<>();
    private final ArrayDeque<Runnable> indexer = new ArrayDeque<>();
    private final List<Timer> timers = new ArrayList<>();
    private boolean inline;
    private boolean closed;

    StepThreads(LongSupplier clock) {
        this.clock = clock;
    }

    @Override
    public Executor writer() {
        return task -> take(writer, task);
    }

    @Override
    public Executor background() {
        return task -> take(background, task);
    }

    @Override
    public Executor indexer() {
        return task -> take(indexer, task);
    }

    private void take(ArrayDeque<Runnable> queue, Runnable task) {
        if (inline) {
            task.run();
        } else if (!closed) {
            queue.add(task);
        }
    }

    @Override
    public void after(long millis, Runnable task) {
        if (!closed) {
            timers.add(new Timer(clock.getAsLong() + millis, task));
        }
    }

    boolean writes() {
        return !writer.isEmpty();
    }

    boolean worksBehind() {
        return !background.isEmpty() || !indexer.isEmpty() || due() != null;
    }

    /** Runs the next task of the writer, if there is one. */
    boolean stepWriter() {
        return step(writer);
    }

    /** Runs one task of those behind the scenes, if there is one. */
    boolean stepBehind() {
        Timer timer = due();
        if (timer != null) {
            timers.remove(timer);
            timer.task().run();
            return true;
        }
        return step(background) || step(indexer);
    }

    private static boolean step(ArrayDeque<Runnable> queue) {
        Runnable task = queue.poll();
        if (task != null) {
            task.run();
        }
        return task != null;
    }

    private @Nullable Timer due() {
        for (Timer timer : timers) {
            if (timer.at() <= clock.getAsLong()) {
                return timer;
            }
        }
        return null;
    }

    /** Runs what waits, and from now on everything at once, as an orderly end needs it. */
    void runInline() {
        while (step(writer) || step(background) || step(indexer)) {
            // until nothing waits
        }
        inline = true;
    }

    @Override
    public void close() {
        closed = true;
        writer.clear();
        background.clear();
        indexer.clear();
        timers.clear();
    }
}
