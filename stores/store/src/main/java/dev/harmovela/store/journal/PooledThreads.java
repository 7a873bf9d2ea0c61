package dev.harmovela.store.journal;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** One thread for the writer, one for background steps and timers, one of low priority for indexes. */
final class PooledThreads implements JournalThreads {

    private final ExecutorService writer;
    private final ScheduledThreadPoolExecutor background;
    private final ExecutorService indexer;

    PooledThreads(String name) {
        writer = Executors.newSingleThreadExecutor(daemon(name + "-writer", Thread.NORM_PRIORITY));
        background = new ScheduledThreadPoolExecutor(1, daemon(name + "-space", Thread.NORM_PRIORITY));
        background.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        background.setRemoveOnCancelPolicy(true);
        indexer = Executors.newSingleThreadExecutor(daemon(name + "-index", Thread.MIN_PRIORITY));
    }

    private static ThreadFactory daemon(String name, int priority) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            thread.setPriority(priority);
            return thread;
        };
    }

    @Override
    public Executor writer() {
        return task -> submit(writer, task);
    }

    @Override
    public Executor background() {
        return task -> submit(background, task);
    }

    @Override
    public Executor indexer() {
        return task -> submit(indexer, task);
    }

    /** A journal that is being closed may still ask for a step that nobody needs any more. */
    private static void submit(ExecutorService executor, Runnable task) {
        if (!executor.isShutdown()) {
            try {
                executor.execute(task);
            } catch (RejectedExecutionException e) {
                // shut down between the two lines above: the step is dropped like any other that has not begun
            }
        }
    }

    @Override
    public void after(long millis, Runnable task) {
        try {
            var _ = background.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // closed: timers end with the journal
        }
    }

    @Override
    public void close() {
        List<ExecutorService> all = List.of(writer, background, indexer);
        all.forEach(ExecutorService::shutdown);
        boolean interrupted = false;
        for (ExecutorService executor : all) {
            while (!executor.isTerminated()) {
                try {
                    var _ = executor.awaitTermination(1, TimeUnit.DAYS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
