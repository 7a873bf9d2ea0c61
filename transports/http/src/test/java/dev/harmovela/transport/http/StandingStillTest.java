package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a port answers whose loop stands still, and how readiness names what is wrong (OBS-01). */
class StandingStillTest {

    private static final Readiness STUCK = new Readiness(
            false,
            List.of(new Readiness.Part("dispatcher", "does not come to its work", 1_783_677_600_000L)),
            List.of(new Readiness.Part("search", "broken", 1_783_677_601_000L)));

    private final CountDownLatch release = new CountDownLatch(1);
    private Served served;

    @BeforeEach
    void serve() throws PortTaken {
        served = new Served();
    }

    @AfterEach
    void stop() {
        release.countDown();
        served.close();
    }

    private void holdLoop() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        served.server.executor().later(() -> {
            held.countDown();
            awaitRelease();
        });
        held.await();
        served.server.readiness(STUCK);
        served.server.standsStill(true);
    }

    private void awaitRelease() {
        try {
            release.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void obs_01_readiness_names_the_part_and_since_when() throws IOException {
        served.server.readiness(STUCK);
        Probe.Response response = served.ask("GET /readyz HTTP/1.1");
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.body())
                .isEqualTo("{\"status\":\"unavailable\",\"problems\":[{\"part\":\"dispatcher\","
                        + "\"problem\":\"does not come to its work\",\"since\":\"2026-07-10T10:00:00.000Z\"}],"
                        + "\"warnings\":[{\"part\":\"search\","
                        + "\"problem\":\"broken\",\"since\":\"2026-07-10T10:00:01.000Z\"}]}");
        assertThat(served.ask("GET /healthz HTTP/1.1").status()).isEqualTo(200);
    }

    @Test
    void obs_01_warnings_are_shown_but_do_not_turn_it_red() throws IOException {
        served.server.readiness(new Readiness(true, List.of(), STUCK.warnings()));
        Probe.Response response = served.ask("GET /readyz HTTP/1.1");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).contains("\"part\":\"search\"");
    }

    @Test
    void obs_01_liveness_is_answered_while_the_loop_stands_still() throws Exception {
        holdLoop();
        assertThat(served.ask("GET /healthz HTTP/1.1").status()).isEqualTo(200);
        assertThat(served.ask("GET /harmovela/api/healthz?x=1 HTTP/1.1").status())
                .isEqualTo(200);
        Probe.Response ready = served.ask("GET /readyz HTTP/1.1");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.body()).contains("\"part\":\"dispatcher\"");
        Probe.Response other = served.ask("GET /harmovela/api/tasks HTTP/1.1");
        assertThat(other.status()).isEqualTo(503);
        assertThat(other.header("retry-after")).isNotNull();
        assertThat(((Json.Obj) Json.parse(other.body())).bool("accepted")).isFalse();
    }

    @Test
    void obs_01_a_loop_that_goes_on_serves_everybody_again() throws Exception {
        try (Probe waiting = served.probe()) {
            // Once it was answered it is the loop's own; one that still waits to be accepted is refused meanwhile.
            waiting.request("GET /healthz HTTP/1.1", "");
            assertThat(waiting.response().status()).isEqualTo(200);
            holdLoop();
            waiting.request("GET /harmovela/api/status HTTP/1.1", "");
            release.countDown();
            assertThat(waiting.response().status()).isEqualTo(200);
        }
        served.server.standsStill(false);
        served.server.readiness(Readiness.of(true));
        assertThat(served.ask("GET /harmovela/api/status HTTP/1.1").status()).isEqualTo(200);
        assertThat(served.ask("GET /readyz HTTP/1.1").body()).isEqualTo("{\"status\":\"ready\"}");
    }
}
