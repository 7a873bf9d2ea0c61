package dev.harmovela.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Epoch milliseconds that never fall and never stand still: the wall clock, except that a wall clock which is set back
 * is not followed and time goes on from where it was. Otherwise retries and timeouts would wait until the wall clock
 * has caught up. Thread-safe.
 */
final class SteadyClock implements LongSupplier {

    static final SteadyClock SYSTEM = new SteadyClock(System::currentTimeMillis, System::nanoTime);

    private final LongSupplier wall;
    private final LongSupplier nanos;
    /** The greatest distance seen from running to wall time. */
    private final AtomicLong offset = new AtomicLong(Long.MIN_VALUE);

    SteadyClock(LongSupplier wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
    }

    @Override
    public long getAsLong() {
        long running = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong());
        long distance = wall.getAsLong() - running;
        long greatest = offset.get();
        return running + (distance > greatest ? offset.accumulateAndGet(distance, Math::max) : greatest);
    }
}
