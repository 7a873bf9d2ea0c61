package dev.harmovela.testkit;

import dev.harmovela.spi.JournalListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Remembers what a journal told its owner and lets a test wait for it. Thread-safe. */
public final class JournalWatch implements JournalListener {

    private static final long PATIENCE_SECONDS = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private final List<Long> durables = new ArrayList<>();
    private final List<Throwable> losses = new ArrayList<>();
    private final List<Boolean> spaces = new ArrayList<>();

    @Override
    public void durable(long lsn) {
        note(() -> durables.add(lsn));
    }

    @Override
    public void lost(Throwable cause) {
        note(() -> losses.add(cause));
    }

    @Override
    public void spaceChanged(boolean acceptsPublishes) {
        note(() -> spaces.add(acceptsPublishes));
    }

    private void note(Runnable what) {
        lock.lock();
        try {
            what.run();
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything up to {@code lsn} was reported durable. */
    public void awaitDurable(long lsn) {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (highest() < lsn) {
                if (!losses.isEmpty()) {
                    throw new AssertionError("the log was lost", losses.getFirst());
                }
                if (left <= 0) {
                    throw new AssertionError("durable up to " + highest() + ", waited for " + lsn);
                }
                left = told.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }

    private long highest() {
        return durables.isEmpty() ? 0 : durables.getLast();
    }

    /** Every reported position, in order. */
    public List<Long> durables() {
        return copy(durables);
    }

    /** Highest reported position, 0 when none was. */
    public long durable() {
        List<Long> all = durables();
        return all.isEmpty() ? 0 : all.getLast();
    }

    /** Every reported end; more than one is a fault of the journal. */
    public List<Throwable> losses() {
        return copy(losses);
    }

    /** Why the log ended, or null. */
    public @Nullable Throwable loss() {
        List<Throwable> all = losses();
        return all.isEmpty() ? null : all.getFirst();
    }

    /** Every reported change of {@code acceptsPublishes}, in order. */
    public List<Boolean> spaces() {
        return copy(spaces);
    }

    private <T> List<T> copy(List<T> list) {
        lock.lock();
        try {
            return List.copyOf(list);
        } finally {
            lock.unlock();
        }
    }
}
