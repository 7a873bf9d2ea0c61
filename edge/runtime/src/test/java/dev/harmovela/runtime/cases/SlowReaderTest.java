package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.json.Json;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TRN-03: one reader that stopped costs the others nothing and the hub next to nothing. */
@Tag("faults")
class SlowReaderTest {

    private static final String FILLER = "x".repeat(4096);
    private static final long DIRECT = 48L << 20;

    @Test
    void trn03TheOthersGetEverythingAndTheStoppedOneIsToldHowToGoOn() throws Exception {
        broadcast(8, 1_500, 64);
    }

    /** In the full number of readers, with no more on its way than a machine of two cores keeps up with. */
    @Test
    @Tag("long")
    void trn03AHundredReadersOfWhichOneStopped() throws Exception {
        long[] latencies = broadcast(100, Integer.getInteger("harmovela.trn03.events", 5_000), 4);
        Arrays.sort(latencies);
        assertThat(latencies[(int) (latencies.length * 0.99)] / 1_000_000).isLessThan(100);
    }

    /**
     * Publishes to readers of which the first has stopped; nanoseconds from publish to delivery at one of the
     * others.
     */
    private static long[] broadcast(int readers, int events, int outstanding) throws Exception {
        try (Running hub = Running.inMemory("http.stall_ms", "1000", "journal.memory_bytes", "1073741824")) {
            Bytes stopped = new Bytes(hub.daemon().port()).webSocket();
            String session = subscribed(stopped);

            LongAdder delivered = new LongAdder();
            List<CompletableFuture<Json.Obj>> answers = new ArrayList<>();
            long[] sent = new long[events];
            long[] latencies = new long[events];
            List<HarmovelaClient> others = new ArrayList<>();
            for (int i = 1; i < readers; i++) {
                boolean measuring = i == 1;
                HarmovelaClient reader = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:r" + i));
                others.add(reader);
                reader.subscribe((Json.Obj) Json.parse("{\"types\":[\"context.updated\"]}"), delivery -> {
                            delivered.increment();
                            if (measuring) {
                                int n = Math.toIntExact(delivery.payload().integer("n"));
                                latencies[n] = System.nanoTime() - sent[n];
                            }
                        })
                        .join();
            }
            long before = direct();
            long most = 0;
            long all = (long) events * (readers - 1);
            try (HarmovelaClient publisher = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:publisher"))) {
                for (int n = 0; n < events; n++) {
                    long due = (long) (n - outstanding) * (readers - 1);
                    while (delivered.sum() < due) {
                        LockSupport.parkNanos(100_000);
                    }
                    sent[n] = System.nanoTime();
                    answers.add(publisher.send("context.updated", payload(n)));
                    most = Math.max(most, direct());
                }
                for (CompletableFuture<Json.Obj> answer : answers) {
                    assertThat(answer.join().string("type")).isEqualTo("event.acknowledged");
                }
            }
            await().atMost(Duration.ofMinutes(5)).until(() -> delivered.sum() == all);
            assertThat(most - before).as("bytes outside the heap").isLessThan(DIRECT);
            others.forEach(HarmovelaClient::close);

            await().until(() -> !attached(hub, session));
            stopped.close();
            try (Agent again = Agent.resume(hub.url(), "agent:stopped", session)) {
                Json.Obj first = again.await(one -> one.has("delivery")
                        && Long.valueOf(0).equals(one.object("payload").integer("n")));
                assertThat(first.object("delivery").integer("sequence")).isEqualTo(1);
            }
            return latencies;
        }
    }

    /** Opens and confirms a session that never reads again after its subscription is there; its id. */
    private static String subscribed(Bytes stopped) throws Exception {
        stopped.text(Events.of("session.open", "agent:stopped", "").toString());
        String session = ((Json.Obj) Json.parse(stopped.frame())).string("session_id");
        stopped.text(Events.of("session.ready", "agent:stopped", "").toString());
        stopped.text(Events.of(
                        "subscription.requested",
                        "agent:stopped",
                        "\"payload\":{\"types\":[\"context.updated\"],\"max_in_flight\":1000}")
                .toString());
        assertThat(stopped.frame()).contains("subscription.created");
        return session;
    }

    private static Json.Obj payload(int n) {
        return Json.Obj.builder().put("n", n).put("filler", FILLER).build();
    }

    private static boolean attached(Running hub, String session) throws Exception {
        return Boolean.TRUE.equals(hub.get("sessions/" + session).object().bool("attached"));
    }

    private static long direct() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }
}
