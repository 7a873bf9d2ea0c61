package dev.harmovela.store.journal;

import java.util.concurrent.Executor;

/**
 * Where a journal runs its work. {@link #writer()} and {@link #background()} each run one task at a time, in order;
 * inline executors make a journal deterministic.
 */
public interface JournalThreads extends AutoCloseable {

    /** Writes and forces batches. */
    Executor writer();

    /** Allocates segments ahead and tells the listener about space. */
    Executor background();

    /** Builds key indexes; may be slow. */
    Executor indexer();

    /** Runs {@code task} on {@link #background()} after {@code millis}, unless closed before. */
    void after(long millis, Runnable task);

    /** Drops what has not begun and returns when what runs has ended. */
    @Override
    void close();

    /** Three daemon threads whose names begin with {@code name}. */
    static JournalThreads start(String name) {
        return new PooledThreads(name);
    }
}
