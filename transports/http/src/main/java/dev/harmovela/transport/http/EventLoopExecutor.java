package dev.harmovela.transport.http;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The port's one event loop as an executor: the hub is owned by it, so that reading, deciding and writing need no
 * hand-over. Tasks run in the order they were given; a task given on the loop itself runs at once, inside the call.
 */
public final class EventLoopExecutor implements Executor {

    private final EventLoop loop;

    EventLoopExecutor(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    /** Runs {@code task} on the loop after what it is doing now, even when called on the loop. Any thread. */
    public void later(Runnable task) {
        loop.execute(task);
    }

    /** Runs {@code task} on the loop in {@code millis} milliseconds. Any thread. */
    public Scheduled schedule(long millis, Runnable task) {
        Future<?> future = loop.schedule(task, millis, TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
    }

    /** Whether the calling thread is the loop. */
    public boolean isLoopThread() {
        return loop.inEventLoop();
    }

    EventLoop loop() {
        return loop;
    }

    /** Something that will run later. */
    @FunctionalInterface
    public interface Scheduled {

        /** Makes sure that it does not run any more; nothing when it already did. */
        void cancel();
    }
}
