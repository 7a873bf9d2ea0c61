package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.spi.CloseReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames in and out of one WebSocket. */
class WebSocketWireTest {

    private static final int TEXT = 0x1;
    private static final int CLOSE = 0x8;
    private static final int PING = 0x9;
    private static final int PONG = 0xA;
    private static final int FIN = 0x80;

    private Served served;
    private Probe probe;

    @BeforeEach
    void connect() throws PortTaken, IOException {
        served = new Served();
        probe = served.webSocket();
    }

    @AfterEach
    void stop() throws IOException {
        probe.close();
        served.close();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String event(String id, int padding) {
        return "{\"id\":\"" + id + "\",\"pad\":\"" + "x".repeat(padding) + "\"}";
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 90, 100, 125, 126, 127, 4000, 65_500, 65_536, 200_000})
    void aMessageArrivesAsItWasSentWhateverItsLength(int padding) throws IOException {
        String sent = event("e1", padding);

        probe.text(sent);

        assertThat(probe.frame().text()).contains("\"causation_id\":\"e1\"");
        assertThat(served.hub.wire().received).containsExactly(sent);
    }

    @Test
    void bytesMayComeOneByOne() throws IOException {
        byte[] frame = Probe.masked(FIN | TEXT, utf8(event("slow", 200)));

        for (byte b : frame) {
            probe.send(new byte[] {b});
        }

        assertThat(probe.frame().text()).contains("slow");
    }

    @Test
    void messagesThatArriveTogetherAreOneBatch() throws IOException {
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        for (int i = 0; i < 50; i++) {
            together.writeBytes(Probe.masked(FIN | TEXT, utf8(event("e" + i, 10))));
        }

        probe.send(together.toByteArray());

        for (int i = 0; i < 50; i++) {
            assertThat(probe.frame().text()).contains("\"e" + i + "\"");
        }
        assertThat(served.hub.wire().batches).containsExactly(50);
    }

    @Test
    void aFragmentedMessageIsPutTogetherAndAPingMayComeBetween() throws IOException {
        probe.frame(TEXT, utf8("{\"id\":"));
        probe.frame(0x0, utf8("\"fr"));
        probe.frame(FIN | PING, utf8("still there?"));
        probe.frame(FIN, utf8("ag\"}"));

        Probe.Frame pong = probe.frame();
        assertThat(pong.opcode()).isEqualTo(PONG);
        assertThat(pong.text()).isEqualTo("still there?");
        assertThat(probe.frame().text()).contains("\"frag\"");
        assertThat(served.hub.wire().received).containsExactly("{\"id\":\"frag\"}");
    }

    @Test
    void binaryIsNotSpokenHere() throws IOException {
        probe.frame(FIN | 0x2, utf8("{}"));

        assertThat(probe.frame().closeCode()).isEqualTo(1003);
        assertThat(probe.closedByServer()).isTrue();
        probe.close();
        await().until(() -> served.hub.wire().closed.get() == 1);
        assertThat(served.hub.wire().received).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "01 a fragment inside a fragment, 01 80 00000000 01 80 00000000",
        "02 a continuation of nothing, 80 80 00000000",
        "03 a reserved bit, C1 80 00000000",
        "04 a reserved opcode, 83 80 00000000",
        "05 no mask, 81 00",
        "06 a fragmented ping, 09 80 00000000",
        "07 a long ping, 89 FE 007E 00000000",
        "08 a length not in its shortest form, 81 FE 0005 00000000",
        "09 a long length not in its shortest form, 81 FF 000000000000FFFF 00000000",
        "10 a negative length, 81 FF 8000000000000000 00000000",
        "11 half a close code, 88 81 00000000 03",
        "12 a close code nobody may send, 88 82 00000000 03ED"
    })
    void brokenFramingEndsTheConnection(String what, String hex) throws IOException {
        probe.send(HexFormat.of().parseHex(hex.replace(" ", "")));

        Probe.Frame close = probe.frame();
        assertThat(close.opcode()).as(what).isEqualTo(CLOSE);
        assertThat(close.closeCode()).as(what).isEqualTo(1002);
        assertThat(probe.closedByServer()).isTrue();
    }

    /** TRN-15. */
    @Test
    void anAnnouncedLengthBeyondTheLimitIsRefusedBeforeItIsSent() throws IOException {
        probe.text(event("before", 1));
        assertThat(probe.frame().text()).contains("before");

        probe.send(HexFormat.of().parseHex("81FF0000000004000000" + "00000000"));

        assertThat(probe.frame().text()).contains("payload_too_large");
        assertThat(probe.frame().closeCode()).isEqualTo(1009);
        assertThat(probe.closedByServer()).isTrue();
        assertThat(served.hub.wire().tooLarge).containsExactly(64L * 1024 * 1024);
    }

    /** TRN-15: the limit counts all fragments of a message. */
    @Test
    void fragmentsMayNotExceedTheLimitTogether() throws IOException {
        byte[] half = new byte[Served.MAX_EVENT / 2 + 1];
        Arrays.fill(half, (byte) ' ');
        probe.frame(TEXT, half);
        probe.frame(FIN, half);

        assertThat(probe.frame().text()).contains("payload_too_large");
        assertThat(probe.frame().closeCode()).isEqualTo(1009);
    }

    @Test
    void aMessageOfExactlyTheLimitIsTaken() throws IOException {
        String exact = event("exact", Served.MAX_EVENT - event("exact", 0).length());

        probe.text(exact);

        assertThat(probe.frame().text()).contains("\"exact\"");
        assertThat(served.hub.wire().received.getFirst()).hasSize(Served.MAX_EVENT);
    }

    @Test
    void theClientsCloseIsAnswered() throws IOException {
        probe.frame(FIN | CLOSE, new byte[] {0x03, (byte) 0xE8});

        assertThat(probe.frame().closeCode()).isEqualTo(1000);
        assertThat(probe.closedByServer()).isTrue();
        await().until(() -> served.hub.wire().closed.get() == 1);
    }

    @ParameterizedTest
    @CsvSource({
        "NORMAL, 1000",
        "GOING_AWAY, 1001",
        "PROTOCOL_ERROR, 1002",
        "UNAUTHORIZED, 1008",
        "TOO_LARGE, 1009",
        "SLOW_READER, 1013",
        "REPLACED, 1000",
        "INTERNAL, 1011"
    })
    void theHubsReasonsBecomeCloseCodes(CloseReason reason, int code) throws IOException {
        await().until(() -> !served.hub.wires.isEmpty());
        served.hub.on(() -> served.hub.wire().peer.close(reason, "because é".repeat(40)));

        Probe.Frame close = probe.frame();
        assertThat(close.closeCode()).isEqualTo(code);
        assertThat(close.payload().length).isLessThanOrEqualTo(125);
        String text = new String(close.payload(), 2, close.payload().length - 2, StandardCharsets.UTF_8);
        assertThat(text).startsWith("because é").doesNotContain("\uFFFD");
        probe.frame(FIN | CLOSE, new byte[] {(byte) (code >> 8), (byte) code});
        assertThat(probe.closedByServer()).isTrue();
        await().until(() -> served.hub.wire().closed.get() == 1);
    }

    @Test
    void inputAfterTheHubsCloseIsDropped() throws IOException {
        await().until(() -> !served.hub.wires.isEmpty());
        served.hub.on(() -> served.hub.wire().peer.close(CloseReason.GOING_AWAY, "draining"));
        probe.text(event("late", 0));
        probe.frame(FIN | CLOSE, new byte[0]);

        assertThat(probe.frame().closeCode()).isEqualTo(1001);
        assertThat(probe.closedByServer()).isTrue();
        assertThat(served.hub.wire().received).isEmpty();
    }

    @Test
    void aLostConnectionIsToldOnce() throws IOException {
        probe.text(event("e1", 0));
        probe.frame();

        probe.close();

        await().until(() -> served.hub.wire().closed.get() == 1);
    }

    /** SES-02: the server asks at the interval of the session, and the answer counts as a sign of life. */
    @Test
    void pingsComeAtTheSessionsInterval() throws IOException {
        await().until(() -> !served.hub.wires.isEmpty());
        FakeHub.Wire wire = served.hub.wire();
        wire.heartbeat = 20;
        wire.sessionId = "s1";
        probe.text(event("open", 0));
        assertThat(probe.frame().opcode()).isEqualTo(TEXT);

        for (int i = 1; i <= 3; i++) {
            assertThat(probe.frame().opcode()).isEqualTo(PING);
            probe.frame(FIN | PONG, new byte[0]);
        }

        await().until(() -> wire.alive.get() >= 3);
    }

    @Test
    void readingStopsWhileTheHubHasEnoughAndGoesOnAfterwards() throws IOException {
        await().until(() -> !served.hub.wires.isEmpty());
        FakeHub.Wire wire = served.hub.wire();
        wire.stopAfter = 3;
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        for (int i = 0; i < 10; i++) {
            together.writeBytes(Probe.masked(FIN | TEXT, utf8(event("e" + i, 0))));
        }
        probe.send(together.toByteArray());
        for (int i = 0; i < 3; i++) {
            probe.frame();
        }
        assertThat(wire.received).hasSize(3);

        wire.want();

        for (int i = 3; i < 10; i++) {
            assertThat(probe.frame().text()).contains("\"e" + i + "\"");
        }
        probe.text(event("more", 0));
        assertThat(probe.frame().text()).contains("more");
    }

    /** The hub often has room again before the transport has noticed that it had none. */
    @Test
    void messagesAreNotForgottenWhenTheHubWantsMoreAtTheEndOfTheirBatch() throws IOException {
        served.hub.stopNewWiresAfter = 10;
        served.hub.wantsAgainAfterBatch = true;
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        for (int i = 0; i < 95; i++) {
            together.writeBytes(Probe.masked(FIN | TEXT, utf8(event("e" + i, 0))));
        }
        try (Probe busy = served.webSocket()) {
            busy.send(together.toByteArray());
            for (int i = 0; i < 95; i++) {
                assertThat(busy.frame().text()).contains("\"e" + i + "\"");
            }
            assertThat(served.hub.wire().batches).startsWith(10).allMatch(size -> size <= 10);
        }
    }

    @Test
    void aConnectionThatOpensNoSessionIsEnded() throws Exception {
        HttpTimes d = HttpTimes.DEFAULT;
        HttpTimes hasty = new HttpTimes(
                d.requestMillis(), d.keepAliveMillis(), 50, d.stallMillis(), d.closeGraceMillis(), 10_000, 0);
        try (Served impatient = new Served(HttpConfig.DEFAULT.withTimes(hasty));
                Probe idle = impatient.webSocket()) {
            assertThat(idle.frame().closeCode()).isEqualTo(1008);
        }
    }

    @Test
    void aDeliveryIsOneFrameOfHeadAndBody() throws IOException {
        await().until(() -> !served.hub.wires.isEmpty());
        List<String> sent = List.of("{\"id\":\"d1\",\"n\":1.10}", "{\"id\":\"d2\"}");
        sent.forEach(served.hub.wire()::deliver);

        for (String expected : sent) {
            assertThat(probe.frame().text()).isEqualTo(expected);
        }
    }
}
