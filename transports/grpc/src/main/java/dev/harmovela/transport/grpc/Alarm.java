package dev.harmovela.transport.grpc;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Something that happens later, unless it is called off. On the hub's executor only, where it also happens. */
final class Alarm {

    private final ScheduledExecutorService timer;
    private final Executor owner;
    private final Runnable task;
    private @Nullable ScheduledFuture<?> set;
    private int number;

    Alarm(ScheduledExecutorService timer, Executor owner, Runnable task) {
        this.timer = timer;
        this.owner = owner;
        this.task = task;
    }

    /** Sets it anew. */
    void in(long millis) {
        off();
        int mine = number;
        set = timer.schedule(() -> owner.execute(() -> ring(mine)), millis, TimeUnit.MILLISECONDS);
    }

    /** Sets it unless it is set. */
    void start(long millis) {
        if (set == null) {
            in(millis);
        }
    }

    void off() {
        number++;
        if (set != null) {
            set.cancel(false);
            set = null;
        }
    }

    private void ring(int mine) {
        if (mine == number) {
            set = null;
            task.run();
        }
    }
}
