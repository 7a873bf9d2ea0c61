package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events for a consumer that is away wait in the log, not in memory, and reach it in order (§6). */
@Tag("faults")
class BacklogTest {

    private static final long MOST_MEMORY = 30L << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    @Test
    void aBacklogOfTwentyThousand() throws Exception {
        backlog(20_000);
    }

    @Test
    @Tag("long")
    void aBacklogOfAMillion() throws Exception {
        backlog(Integer.getInteger("harmovela.backlog", 1_000_000));
    }

    private void backlog(int events) throws Exception {
        try (Running hub = Running.in(folder, "journal.segment_bytes", "16777216", "memory.ring_bytes", "4194304")) {
            Agent away = hub.agent("agent:c");
            String sub = away.subscribe("{\"types\":[\"context.updated\"],\"max_in_flight\":1000}");
            away.cut();
            publish(hub, events / 10);
            long before = used();
            publish(hub, events - events / 10);
            assertThat(used() - before).as("memory that waits with them").isLessThan(MOST_MEMORY);
            assertThat(pending(hub, sub)).isEqualTo(events);
            read(hub, away.sessionId(), events);
            assertThat(pending(hub, sub)).isZero();
        }
    }

    private static void publish(Running hub, int events) throws Exception {
        try (HarmovelaClient publisher = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:p"))) {
            AtomicLong taken = new AtomicLong();
            CountDownLatch done = new CountDownLatch(events);
            Json.Obj payload = Json.Obj.builder().put("text", "x".repeat(100)).build();
            for (int n = 0; n < events; n++) {
                CompletableFuture<Json.Obj> answer = publisher.send("context.updated", payload);
                answer.whenComplete((told, failure) -> {
                    taken.addAndGet(failure == null && "event.acknowledged".equals(told.string("type")) ? 1 : 0);
                    done.countDown();
                });
            }
            assertThat(done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(taken).hasValue(events);
        }
    }

    private static void read(Running hub, String session, int events) throws Exception {
        try (Agent back = Agent.resume(hub.url(), "agent:c", session)) {
            for (long sequence = 1; sequence <= events; sequence++) {
                Json.Obj delivery = back.delivery();
                assertThat(delivery.object("delivery").integer("sequence")).isEqualTo(sequence);
                back.ack(delivery);
            }
            back.fence();
        }
    }

    private static long pending(Running hub, String subscription) throws Exception {
        return hub.get("subscriptions/" + subscription)
                .object()
                .object("deliveries")
                .integer("pending");
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
