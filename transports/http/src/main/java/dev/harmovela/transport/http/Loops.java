package dev.harmovela.transport.http;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorChooserFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The threads of the port: one loop that does everything, and one beside it that accepts connections and, while the
 * first one stands still, serves those that come meanwhile.
 */
final class Loops {

    private final Chooser chooser = new Chooser();
    private final MultiThreadIoEventLoopGroup group;

    Loops() {
        group = new MultiThreadIoEventLoopGroup(
                2,
                new ThreadPerTaskExecutor(new DefaultThreadFactory("harmovela-loop")),
                chooser,
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** Names the loop of a new connection. */
    private static final class Chooser
            implements EventExecutorChooserFactory, EventExecutorChooserFactory.EventExecutorChooser {

        private EventExecutor @Nullable [] loops;
        private volatile boolean beside;

        @Override
        public EventExecutorChooser newChooser(EventExecutor[] executors) {
            loops = executors;
            return this;
        }

        @Override
        public EventExecutor next() {
            return loop(beside ? 1 : 0);
        }

        EventExecutor loop(int index) {
            return Objects.requireNonNull(loops)[index];
        }
    }

    /** Both of them; new connections go to the loop, or beside it. */
    MultiThreadIoEventLoopGroup group() {
        return group;
    }

    /** The loop that does everything. */
    EventLoop main() {
        return (EventLoop) chooser.loop(0);
    }

    /** The loop that accepts. */
    EventLoop beside() {
        return (EventLoop) chooser.loop(1);
    }

    /** Says where connections go that come from now on. Any thread. */
    void serveBeside(boolean now) {
        chooser.beside = now;
    }
}
