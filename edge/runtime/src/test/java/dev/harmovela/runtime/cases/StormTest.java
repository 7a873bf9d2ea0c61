package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TRN-06 over real sockets: everybody is cut off and comes back in the same moment, without any politeness. */
@Tag("faults")
class StormTest {

    private static final int MISSED = 3;
    private static final Duration ALL_BACK = Duration.ofSeconds(60);

    @Test
    void trn06ClientsThatComeBackAtOnceGetWhatTheyMissed() throws Exception {
        storm(200);
    }

    @Test
    @Tag("long")
    void trn06TwoThousandClientsAreBackWithinAMinute() throws Exception {
        storm(2_000);
    }

    private static void storm(int clients) throws Exception {
        try (Running hub = Running.inMemory();
                ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> opening = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                String name = "agent:c" + i;
                opening.add(each.submit(() -> openAndVanish(hub.daemon().port(), name)));
            }
            List<String> sessions = new ArrayList<>();
            for (Future<String> one : opening) {
                sessions.add(one.get());
            }
            for (int n = 1; n <= MISSED; n++) {
                hub.publish("context.updated", "\"payload\":{\"n\":" + n + "}");
            }
            CountDownLatch start = new CountDownLatch(1);
            List<Future<List<Long>>> back = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                String name = "agent:c" + i;
                String session = sessions.get(i);
                back.add(each.submit(() -> {
                    start.await();
                    return comeBack(hub.daemon().port(), name, session);
                }));
            }
            long began = System.nanoTime();
            start.countDown();
            for (Future<List<Long>> one : back) {
                assertThat(one.get()).containsExactly(1L, 2L, 3L);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(ALL_BACK);
            await().atMost(ALL_BACK).untilAsserted(() -> {
                Json.Obj counts = hub.get("stats").object().object("deliveries");
                assertThat(counts.integer("acknowledged")).isEqualTo((long) clients * MISSED);
                assertThat(counts.integer("pending")).isZero();
            });
            assertThat(hub.get("/readyz").status()).isEqualTo(200);
        }
    }

    /** Opens a session with a subscription and leaves without a word; its id. */
    private static String openAndVanish(int port, String name) throws IOException {
        try (Bytes wire = new Bytes(port).webSocket()) {
            wire.text(Events.of("session.open", name, "").toString());
            String session =
                    Objects.requireNonNull(heard(wire, "session.opened").string("session_id"));
            wire.text(Events.of("session.ready", name, "").toString());
            wire.text(Events.of("subscription.requested", name, "\"payload\":{\"types\":[\"context.updated\"]}")
                    .toString());
            heard(wire, "subscription.created");
            return session;
        }
    }

    private static List<Long> comeBack(int port, String name, String session) throws IOException {
        try (Bytes wire = new Bytes(port).webSocket()) {
            wire.text(Events.of("session.open", name, "\"session_id\":\"" + session + "\"")
                    .toString());
            assertThat(heard(wire, "session.opened").object("payload").bool("resumed"))
                    .isTrue();
            List<Long> sequences = new ArrayList<>();
            for (int n = 0; n < MISSED; n++) {
                Json.Obj delivery = heard(wire, "context.updated");
                sequences.add(delivery.object("delivery").integer("sequence"));
                wire.text(Events.ack(name, delivery).toString());
            }
            wire.text(Events.of("session.heartbeat", name, "").toString());
            heard(wire, "event.acknowledged");
            return sequences;
        }
    }

    private static Json.Obj heard(Bytes wire, String type) throws IOException {
        while (true) {
            Json.Obj event = (Json.Obj) Json.parse(wire.frame());
            if (type.equals(event.string("type"))) {
                return event;
            }
        }
    }
}
