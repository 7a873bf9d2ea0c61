package dev.harmovela.transport.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.Limits;
import dev.harmovela.grpc.GrpcEnd;
import dev.harmovela.grpc.GrpcRefused;
import dev.harmovela.grpc.GrpcSocket;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stream of events with a fake hub behind it: TRN-05 and what §13 says of gRPC. */
class GrpcServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String EVENT = "{\"type\":\"x\",\"delivery\":{\"cursor\":\"CURSOR\"},\"pad\":\"PAD\"}";

    private final FakeHub hub = new FakeHub();
    private GrpcServer server;
    private GrpcConfig config = GrpcConfig.DEFAULT.at("127.0.0.1", 0);

    @BeforeEach
    void start() throws Exception {
        server = started(Authenticator.open());
    }

    private GrpcServer started(Authenticator authenticator) throws PortTaken, IOException {
        GrpcServer one = GrpcServer.create(config, Limits.DEFAULT, authenticator);
        one.start(hub);
        return one;
    }

    private void restart(GrpcConfig other) throws PortTaken, IOException {
        server.stop();
        config = other;
        server = started(Authenticator.open());
    }

    @AfterEach
    void stop() {
        server.stop();
        hub.close();
    }

    private GrpcSocket connect(String... metadata) throws Exception {
        Map<String, String> headers = metadata.length == 0 ? Map.of() : Map.of(metadata[0], metadata[1]);
        GrpcSocket socket = GrpcSocket.connect("127.0.0.1:" + server.port(), headers, PATIENCE);
        await().until(() -> !hub.wires.isEmpty());
        return socket;
    }

    private static GrpcEnd end(GrpcSocket socket) throws Exception {
        while (socket.receive(PATIENCE) != null) {
            // what comes before the end
        }
        return Objects.requireNonNull(socket.end(), "the stream does not end");
    }

    private static String event(int n, int bytes) {
        return EVENT.replace("CURSOR", "c" + n).replace("PAD", "x".repeat(bytes));
    }

    @Test
    void eventsComeInOrderAndAsTheyWere() throws Exception {
        try (GrpcSocket socket = connect()) {
            FakeHub.Wire wire = hub.wire();
            assertThat(wire.info.transport()).isEqualTo("grpc");
            for (int i = 0; i < 3_000; i++) {
                socket.send("{\"ö\":" + i + "}");
            }
            await().until(() -> wire.received.size() == 3_000);
            assertThat(wire.received).startsWith("{\"ö\":0}", "{\"ö\":1}").endsWith("{\"ö\":2999}");
            assertThat(wire.batches.get()).isBetween(1, 3_000);
        }
        await().until(() -> hub.wire().closed.get() == 1);
        await().until(() -> server.connections() == 0);
    }

    @Test
    void aHubThatWantsNothingHoldsItsClientBack() throws Exception {
        hub.newWiresWant = false;
        try (GrpcSocket socket = connect()) {
            FakeHub.Wire wire = hub.wire();
            String event = "{\"pad\":\"" + "x".repeat(64 * 1024) + "\"}";
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 200 && socket.send(event); i++) {
                        // sends wait for room
                    }
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
            await().during(Duration.ofMillis(300)).until(() -> sender.isAlive() && wire.received.isEmpty());
            wire.want();
            sender.join(PATIENCE);
            await().until(() -> wire.received.size() == 200);
        }
    }

    @Test
    void trn05DeliveriesStopWhileTheReaderDoesAndGoOnWithIt() throws Exception {
        try (GrpcSocket socket = connect()) {
            FakeHub.Wire wire = hub.wire();
            int[] sent = {0};
            boolean[] full = {false};
            while (!full[0]) {
                hub.on(() -> {
                    if (wire.peer.writable()) {
                        wire.say(event(sent[0]++, 16 * 1024), true);
                    } else {
                        full[0] = true;
                    }
                });
                assertThat(sent[0]).as("messages taken without a limit").isLessThan(1_000);
            }
            assertThat(wire.writables.get()).isZero();
            for (int i = 0; i < sent[0]; i++) {
                assertThat(socket.receive(PATIENCE)).contains("\"c" + i + "\"");
            }
            await().until(() -> wire.writables.get() > 0);
            hub.on(() -> assertThat(wire.peer.writable()).isTrue());
        }
    }

    @Test
    void trn05AnswersBeyondTheBoundEndTheStreamWithACursor() throws Exception {
        restart(config.with(new GrpcConfig.Limits(10, 10, 4 << 20, 64 * 1024)));
        try (GrpcSocket socket = connect()) {
            FakeHub.Wire wire = hub.wire();
            hub.on(() -> wire.say(event(7, 10), true));
            hub.on(() -> {
                for (int i = 0; i < 100; i++) {
                    wire.say(event(i, 16 * 1024), false);
                }
            });
            await().until(() -> wire.closed.get() == 1);
            GrpcEnd end = end(socket);
            assertThat(end.status()).isEqualTo("RESOURCE_EXHAUSTED");
            assertThat(end.cursor()).isEqualTo("c7");
            assertThat(end.trailers().get("x-harmovela-error")).contains("slow_reader", "rate_limited");
        }
    }

    @Test
    void aPublisherThatReadsItsAnswersLaterIsSlowedDownAndNotEnded() throws Exception {
        restart(config.with(new GrpcConfig.Limits(10, 10, 4 << 20, 256 * 1024)));
        hub.answers = event(0, 1_000);
        try (GrpcSocket socket = connect()) {
            int events = 5_000;
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < events && socket.send("{\"pad\":\"" + "x".repeat(2_000) + "\"}"); i++) {
                        // sends wait for room
                    }
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
            await().during(Duration.ofMillis(300)).until(sender::isAlive);
            assertThat(hub.wire().received.size()).isLessThan(events);
            for (int i = 0; i < events; i++) {
                assertThat(socket.receive(PATIENCE))
                        .as("answer %s, end %s", i, socket.end())
                        .isNotNull();
            }
            sender.join(PATIENCE);
            assertThat(socket.end()).isNull();
        }
    }

    @Test
    void aReaderThatTakesNothingIsEnded() throws Exception {
        restart(config.with(new GrpcConfig.Times(30_000, 300, 30_000, 10_000)));
        try (GrpcSocket socket = connect()) {
            FakeHub.Wire wire = hub.wire();
            hub.on(() -> {
                for (int i = 0; i < 200; i++) {
                    wire.say(event(i, 16 * 1024), true);
                }
            });
            await().until(() -> wire.closed.get() == 1);
            assertThat(end(socket).status()).isEqualTo("RESOURCE_EXHAUSTED");
        }
    }

    @Test
    void aStreamWithoutASessionIsEndedInTime() throws Exception {
        restart(config.with(new GrpcConfig.Times(200, 30_000, 30_000, 10_000)));
        try (GrpcSocket socket = connect()) {
            assertThat(end(socket).status()).isEqualTo("DEADLINE_EXCEEDED");
            assertThat(hub.wire().closed.get()).isEqualTo(1);
        }
        try (GrpcSocket socket = connect()) {
            FakeHub.Wire wire = hub.wire();
            wire.session = "s";
            hub.on(wire.peer::flush);
            await().during(Duration.ofMillis(400)).until(() -> socket.end() == null);
        }
    }

    @Test
    void metadataAttachToASession() throws Exception {
        try (GrpcSocket socket = GrpcSocket.connect(
                "127.0.0.1:" + server.port(),
                Map.of("harmovela-session-id", "s-1", "x-harmovela-cursor", "c-9"),
                PATIENCE)) {
            assertThat(hub.wire().how).isEqualTo("session s-1 from c-9");
            hub.on(() -> hub.wire().peer.close(CloseReason.NORMAL, ""));
            GrpcEnd end = end(socket);
            assertThat(end.ok()).isTrue();
            assertThat(end.trailers()).containsEntry("harmovela-session-id", "s-1");
            assertThat(end.cursor()).isEqualTo("c-9");
        }
    }

    @Test
    void whatIsRefusedIsToldByItsStatus() {
        assertThat(refused("harmovela-session-id", "foreign").status()).isEqualTo("NOT_FOUND");
        assertThat(refused("harmovela-session-id", "over").status()).isEqualTo("FAILED_PRECONDITION");
        assertThat(refused("harmovela-version", "0.9").status()).isEqualTo("FAILED_PRECONDITION");
        assertThat(refused("harmovela-version", "0.9").trailers().get("x-harmovela-error"))
                .contains("unsupported_version", "\"supported\":[\"0.2\"]");
    }

    private GrpcEnd refused(String name, String value) {
        return catchThrowableOfType(GrpcRefused.class, () -> connect(name, value))
                .end();
    }

    @Test
    void eachReasonToEndHasItsStatus() throws Exception {
        for (CloseReason reason : CloseReason.values()) {
            try (GrpcSocket socket = connect()) {
                int before = hub.wires.size();
                FakeHub.Wire wire = hub.wire();
                hub.on(() -> wire.peer.close(reason, "because – so"));
                GrpcEnd end = end(socket);
                String expected = switch (reason) {
                    case NORMAL -> "OK";
                    case GOING_AWAY -> "UNAVAILABLE";
                    case PROTOCOL_ERROR -> "INVALID_ARGUMENT";
                    case UNAUTHORIZED -> "PERMISSION_DENIED";
                    case TOO_LARGE, SLOW_READER -> "RESOURCE_EXHAUSTED";
                    case REPLACED -> "CANCELLED";
                    case INTERNAL -> "INTERNAL";
                };
                assertThat(end.status()).isEqualTo(expected);
                await().until(() -> wire.closed.get() == 1);
                assertThat(hub.wires).hasSize(before);
                hub.wires.clear();
            }
        }
    }

    @Test
    void callersWithoutACredentialAreTurnedAwayAndTheAuditIsTold() throws Exception {
        server.stop();
        server = started(credentials -> "right".equals(credentials.bearerToken())
                ? new Authenticator.Verdict.Known(Caller.open())
                : new Authenticator.Verdict.Refused("unknown_token"));
        assertThat(refused("authorization", "Bearer wrong").status()).isEqualTo("UNAUTHENTICATED");
        await().until(() -> hub.turnedAway.size() == 1);
        assertThat(hub.turnedAway.getFirst()).isEqualTo("grpc /harmovela.v1.HarmovelaTransport/Stream UNAUTHENTICATED");
        try (GrpcSocket socket = connect("authorization", "Bearer right")) {
            assertThat(socket.end()).isNull();
        }
    }

    @Test
    void onlySoManyStreamsAreOpenAtATime() throws Exception {
        restart(config.with(new GrpcConfig.Limits(1, 10, 4 << 20, 64 * 1024)));
        try (GrpcSocket first = connect()) {
            assertThat(first.end()).isNull();
            assertThat(refused("harmovela-version", "0.2").status()).isEqualTo("UNAVAILABLE");
        }
        await().until(() -> server.connections() == 0);
        connect().close();
    }

    @Test
    void aHeartbeatIntervalMakesTheStreamASignOfLife() throws Exception {
        try (GrpcSocket socket = connect()) {
            FakeHub.Wire wire = hub.wire();
            wire.heartbeat = 20;
            hub.on(wire.peer::flush);
            await().until(() -> wire.lives.get() > 3);
            assertThat(socket.end()).isNull();
        }
    }

    @Test
    void aPortThatIsTakenIsSaid() {
        GrpcServer second =
                GrpcServer.create(config.at("127.0.0.1", server.port()), Limits.DEFAULT, Authenticator.open());
        assertThatThrownBy(() -> second.start(hub))
                .isInstanceOf(PortTaken.class)
                .hasMessageContaining("127.0.0.1:" + server.port());
        second.stop();
    }

    @Test
    void limitsAndTimesThatLeaveNoRoomAreRefused() {
        assertThat(GrpcConfig.DEFAULT.limits().messageBytes()).isEqualTo(4 << 20);
        assertThat(GrpcConfig.DEFAULT.times()).isEqualTo(new GrpcConfig.Times(30_000, 30_000, 30_000, 10_000));
        assertThatThrownBy(() -> GrpcConfig.DEFAULT.at("x", 70_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new GrpcConfig.Limits(0, 1, 4096, 4096)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new GrpcConfig.Times(1, 1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
