package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.spi.Authenticator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop as the hub's owner. */
class EventLoopExecutorTest {

    private HttpServer server;
    private EventLoopExecutor loop;

    @BeforeEach
    void start() {
        server = HttpServer.create(HttpConfig.DEFAULT, Authenticator.open());
        loop = server.executor();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void tasksRunOnOneThreadInOrderAndInsideTheCallWhenGivenThere() {
        List<String> order = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> done = new CompletableFuture<>();

        loop.execute(() -> {
            order.add("outer");
            loop.later(() -> {
                order.add("later");
                done.complete(null);
            });
            loop.execute(() -> order.add("inline"));
            order.add("outer ends " + loop.isLoopThread());
        });
        done.join();

        assertThat(order).containsExactly("outer", "inline", "outer ends true", "later");
        assertThat(loop.isLoopThread()).isFalse();
    }

    @Test
    void whatIsCancelledDoesNotRun() {
        List<String> ran = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> done = new CompletableFuture<>();

        loop.execute(() -> loop.schedule(0, () -> ran.add("cancelled")).cancel());
        loop.schedule(20, () -> {
            ran.add("kept");
            done.complete(null);
        });
        done.join();

        assertThat(ran).containsExactly("kept");
    }

    @Test
    void aDeadlineMovesWithoutFiringEarly() {
        CompletableFuture<Long> fired = new CompletableFuture<>();
        long start = System.nanoTime();

        loop.execute(() -> {
            Deadline[] deadline = new Deadline[1];
            deadline[0] = new Deadline(loop.loop(), () -> fired.complete(System.nanoTime() - start));
            deadline[0].in(10);
            deadline[0].in(60);
            deadline[0].in(40);
        });

        assertThat(fired.join()).isGreaterThanOrEqualTo(40_000_000L);
    }
}
