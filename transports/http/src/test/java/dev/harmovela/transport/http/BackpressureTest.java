package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A slow reader costs only itself (TRN-03, STR-04). */
class BackpressureTest {

    private static final int EVENT_BYTES = 16 * 1024;
    private static final String PADDING = "x".repeat(EVENT_BYTES);

    private static HttpConfig config(int highWatermark, int hardCap, long stallMillis) {
        HttpLimits l = HttpLimits.DEFAULT;
        HttpTimes t = HttpTimes.DEFAULT;
        return HttpConfig.DEFAULT
                .withLimits(new HttpLimits(
                        l.maxConnections(),
                        l.acceptsPerSecond(),
                        l.acceptBurst(),
                        l.maxHeaderBytes(),
                        l.maxBodyBytes(),
                        highWatermark,
                        hardCap))
                .withTimes(new HttpTimes(
                        t.requestMillis(), t.keepAliveMillis(), t.openMillis(), stallMillis, 100, 10_000, 0));
    }

    private static String event(int n) {
        return "{\"id\":\"e" + n + "\",\"pad\":\"" + PADDING + "\"}";
    }

    /** Delivers until the transport says that there is no room; returns how many it took. */
    private static int deliverUntilFull(FakeHub hub, FakeHub.Wire wire) {
        int[] sent = {0};
        AtomicBoolean full = new AtomicBoolean();
        while (!full.get()) {
            hub.on(() -> {
                if (wire.peer.writable()) {
                    wire.say(event(sent[0]++), false);
                    wire.peer.flush();
                } else {
                    full.set(true);
                }
            });
            assertThat(sent[0]).as("messages taken without a limit").isLessThan(10_000);
        }
        return sent[0];
    }

    @Test
    void aFullConnectionSaysWhenThereIsRoomAgainAndLosesNothing() throws Exception {
        try (Served served = new Served(config(256 * 1024, 4 * 1024 * 1024, 30_000));
                Probe probe = served.webSocket()) {
            await().until(() -> !served.hub.wires.isEmpty());
            FakeHub.Wire wire = served.hub.wire();

            int sent = deliverUntilFull(served.hub, wire);

            assertThat(wire.writables.get()).isZero();
            for (int i = 0; i < sent; i++) {
                assertThat(probe.event().text()).startsWith("{\"id\":\"e" + i + "\"");
            }
            await().until(() -> wire.writables.get() == 1);
            served.hub.on(() -> assertThat(wire.peer.writable()).isTrue());
        }
    }

    @Test
    void aReaderThatTakesNothingIsCutOffAndTheOthersGetEverything() throws Exception {
        try (Served served = new Served(config(64 * 1024, 4 * 1024 * 1024, 300));
                Probe slow = served.webSocket()) {
            await().until(() -> served.hub.wires.size() == 1);
            FakeHub.Wire slowWire = served.hub.wires.getFirst();
            try (Probe healthy = served.webSocket()) {
                await().until(() -> served.hub.wires.size() == 2);
                FakeHub.Wire healthyWire = served.hub.wires.getLast();
                deliverUntilFull(served.hub, slowWire);
                CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> readInOrder(healthy, 200));

                for (int i = 0; i < 200; i++) {
                    healthyWire.deliver(event(i));
                }

                reading.join();
                await().until(() -> slowWire.closed.get() == 1);
                assertThat(slow.closedByServer()).isTrue();
                assertThat(healthyWire.closed.get()).isZero();
            }
        }
    }

    private static void readInOrder(Probe probe, int count) {
        try {
            for (int i = 0; i < count; i++) {
                assertThat(probe.event().text()).startsWith("{\"id\":\"e" + i + "\"");
            }
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    /** The message about to be added counts, so the cap is never overshot. */
    @Test
    void answersBeyondTheHardCapEndTheConnection() throws Exception {
        try (Served served = new Served(config(64 * 1024, 1024 * 1024, 30_000));
                Probe probe = served.webSocket()) {
            await().until(() -> !served.hub.wires.isEmpty());
            FakeHub.Wire wire = served.hub.wire();

            served.hub.on(() -> {
                for (int i = 0; i < 1000; i++) {
                    wire.say(event(i), true);
                }
                wire.peer.flush();
            });

            Probe.Frame last = probe.event();
            int messages = 0;
            while (last.opcode() == 0x1) {
                messages++;
                last = probe.event();
            }
            assertThat(last.closeCode()).isEqualTo(1013);
            assertThat(messages).isLessThanOrEqualTo(1024 * 1024 / EVENT_BYTES);
        }
    }

    /** A stream that nobody reads ends as well. */
    @Test
    void aStreamThatIsNotReadIsCutOff() throws Exception {
        try (Served served = new Served(config(64 * 1024, 4 * 1024 * 1024, 300));
                Probe probe = served.probe()) {
            probe.request("GET /harmovela/events?session_id=s1 HTTP/1.1", "");
            probe.response();
            FakeHub.Wire wire = served.hub.wire();

            deliverUntilFull(served.hub, wire);

            await().until(() -> wire.closed.get() == 1);
        }
    }
}
