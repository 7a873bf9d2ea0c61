package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.SseStream;
import dev.harmovela.contract.json.Json;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TRN-06: many clients do not come back in step. How our own client waits is tested with it. */
@Tag("faults")
class ComingBackTest {

    @TempDir
    private Path folder;

    @Test
    void trn06TheRetryTimesOfStreamsDiffer() throws Exception {
        try (Running hub = Running.inMemory()) {
            Set<Long> retries = new HashSet<>();
            for (int i = 0; i < 12; i++) {
                try (SseStream stream = hub.stream(hub.openByPost("agent:a" + i))) {
                    SseStream.Item item = stream.next();
                    while (!(item instanceof SseStream.Item.Retry)) {
                        item = stream.next();
                    }
                    retries.add(((SseStream.Item.Retry) item).millis());
                }
            }
            assertThat(retries)
                    .hasSizeGreaterThan(6)
                    .allSatisfy(one -> assertThat(one).isBetween(1_000L, 5_000L));
        }
    }

    @Test
    void trn06ConnectionsBeyondTheRateAreAnswered503WithDifferentTimes() throws Exception {
        try (Running hub = Running.inMemory("http.accepts_per_second", "1", "http.accept_burst", "5")) {
            List<Bytes> connections = new ArrayList<>();
            Set<String> times = new HashSet<>();
            int busy = 0;
            for (int i = 0; i < 40; i++) {
                Bytes connection = new Bytes(hub.daemon().port());
                connections.add(connection);
                Bytes.Head head = connection.ask("GET /healthz", "", new byte[0]);
                if (head.status() == 503) {
                    busy++;
                    times.add(head.headers().get("retry-after"));
                } else {
                    assertThat(head.status()).isEqualTo(200);
                }
            }
            assertThat(busy).isBetween(20, 35);
            assertThat(times).hasSizeGreaterThan(4);
            for (Bytes connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void trn06AStoppingHubGivesEachSessionAMomentOfItsOwn() throws Exception {
        try (Running hub = Running.inMemory()) {
            List<Agent> agents = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                agents.add(hub.agent("agent:a" + i));
            }
            hub.close();
            Set<Long> moments = new HashSet<>();
            for (Agent agent : agents) {
                Json.Obj told = agent.await(one -> "session.closed".equals(one.string("type")));
                moments.add(told.object("payload").integer("reconnect_after_ms"));
                agent.close();
            }
            assertThat(moments).hasSize(5);
        }
    }

    @Test
    void trn06ClientsComeBackByThemselvesAndGoOn() throws Exception {
        comeBack(30);
    }

    @Test
    @Tag("long")
    void trn06AThousandClientsComeBackByThemselves() throws Exception {
        comeBack(1_000);
    }

    private void comeBack(int count) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (Running hub = Running.in(folder, "port", Integer.toString(port))) {
            Set<String> got = new HashSet<>();
            ConcurrentLinkedQueue<String> deliveries = new ConcurrentLinkedQueue<>();
            List<HarmovelaClient> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String name = "agent:a" + i;
                HarmovelaClient client = HarmovelaClient.connect(hub.url(), ClientOptions.of(name));
                clients.add(client);
                client.subscribe(
                                (Json.Obj) Json.parse("{\"types\":[\"context.updated\"]}"),
                                delivery -> deliveries.add(name))
                        .join();
            }
            hub.restart();
            hub.publish("context.updated", "");
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                got.addAll(deliveries);
                return got.size() == count;
            });
            assertThat(deliveries).as("nobody got it twice").hasSize(count);
            clients.forEach(HarmovelaClient::close);
        }
    }
}
