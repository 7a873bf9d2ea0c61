package dev.harmovela.transport.http;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A point in time that may be moved often: at most one task waits in the loop's queue, and it looks again when it
 * wakes too early. On the loop only.
 */
final class Deadline {

    private final EventLoop loop;
    private final Runnable expired;
    private boolean armed;
    private long at;
    private long wakesAt;
    private @Nullable Future<?> task;

    Deadline(EventLoop loop, Runnable expired) {
        this.loop = loop;
        this.expired = expired;
    }

    /** Sets the point to {@code millis} from now. */
    void in(long millis) {
        armed = true;
        at = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        if (task != null && wakesAt - at <= 0) {
            return;
        }
        if (task != null) {
            task.cancel(false);
        }
        wake();
    }

    /** Takes the point away; the task dies out by itself. */
    void off() {
        armed = false;
    }

    /** Takes the point and the task away. */
    void cancel() {
        armed = false;
        if (task != null) {
            task.cancel(false);
            task = null;
        }
    }

    private void wake() {
        wakesAt = at;
        task = loop.schedule(this::check, Math.max(0, at - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private void check() {
        task = null;
        if (!armed) {
            return;
        }
        if (at - System.nanoTime() > 0) {
            wake();
            return;
        }
        armed = false;
        expired.run();
    }
}
