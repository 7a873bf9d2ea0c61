package dev.harmovela.runtime;

import dev.harmovela.harness.HarmovelaHub;
import java.util.concurrent.TimeUnit;

/** The time of this machine: milliseconds never fall, nanoseconds only measure. */
final class WallClock implements HarmovelaHub.Clock {

    private final long started = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    private final long ticker = System.nanoTime();

    @Override
    public long millis() {
        return SteadyClock.SYSTEM.getAsLong();
    }

    @Override
    public long nanos() {
        return started + System.nanoTime() - ticker;
    }
}
