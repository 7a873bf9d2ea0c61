package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who gets a WebSocket. */
class HandshakeTest {

    private static final String PROTOCOL = "Sec-WebSocket-Protocol: harmovela-0.2";

    private Served served;

    @BeforeEach
    void serve() throws PortTaken {
        served = new Served(HttpConfig.DEFAULT.withOrigins(List.of("https://console.example")));
    }

    @AfterEach
    void stop() {
        served.close();
    }

    @Test
    void theKeyIsAnsweredAsTheStandardSays() throws IOException {
        Probe.Response response = served.ask(Probe.handshake("Sec-WebSocket-Protocol: other, harmovela-0.2"));

        assertThat(response.status()).isEqualTo(101);
        assertThat(response.header("sec-websocket-accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assertThat(response.header("sec-websocket-protocol")).isEqualTo("harmovela-0.2");
        assertThat(response.headers()).doesNotContainKey("sec-websocket-extensions");
    }

    @Test
    void withoutTheSubprotocolThereIsNone() throws IOException {
        assertThat(served.ask(Probe.handshake("X-Nothing: 1")).status()).isEqualTo(400);
        assertThat(served.ask(Probe.handshake("Sec-WebSocket-Protocol: harmovela-0.1"))
                        .status())
                .isEqualTo(400);
        assertThat(served.hub.wires).isEmpty();
    }

    @Test
    void compressionIsNotTaken() throws IOException {
        Probe.Response response =
                served.ask(Probe.handshake(PROTOCOL + "\nSec-WebSocket-Extensions: permessage-deflate"));

        assertThat(response.status()).isEqualTo(101);
        assertThat(response.headers()).doesNotContainKey("sec-websocket-extensions");
    }

    @Test
    void aPlainRequestIsToldToUpgrade() throws IOException {
        Probe.Response response = served.ask("GET /harmovela HTTP/1.1");

        assertThat(response.status()).isEqualTo(426);
        assertThat(response.header("upgrade")).isEqualTo("websocket");
    }

    @Test
    void anotherVersionIsToldTheRightOne() throws IOException {
        Probe.Response response = served.ask(Probe.handshake(PROTOCOL).replace("Version: 13", "Version: 8"));

        assertThat(response.status()).isEqualTo(426);
        assertThat(response.header("sec-websocket-version")).isEqualTo("13");
    }

    @Test
    void aKeyThatIsNoneIsRefused() throws IOException {
        assertThat(served.ask(Probe.handshake(PROTOCOL).replace("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ="))
                        .status())
                .isEqualTo(400);
        assertThat(served.ask(Probe.handshake(PROTOCOL).replace("dGhlIHNhbXBsZSBub25jZQ==", "%%%"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aForeignPageGetsNone() throws IOException {
        assertThat(served.ask(Probe.handshake(PROTOCOL + "\nOrigin: https://evil.example"))
                        .status())
                .isEqualTo(403);
        assertThat(served.ask(Probe.handshake(PROTOCOL + "\nOrigin: null")).status())
                .isEqualTo(403);
        assertThat(served.ask(Probe.handshake(PROTOCOL + "\nOrigin: http://127.0.0.1:1"))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void theHubsOwnPageAndConfiguredOnesGetOne() throws IOException {
        String own = "\nOrigin: http://127.0.0.1:" + served.port;

        assertThat(served.ask(Probe.handshake(PROTOCOL + own)).status()).isEqualTo(101);
        assertThat(served.ask(Probe.handshake(PROTOCOL + "\nOrigin: https://console.example"))
                        .status())
                .isEqualTo(101);
    }

    /** TRN-13. */
    @Test
    void aHubOnItsWayOutTakesNoMore() throws IOException {
        served.server.drain();

        Probe.Response response = served.ask(Probe.handshake(PROTOCOL));

        assertThat(response.status()).isEqualTo(503);
        assertThat(Integer.parseInt(response.header("retry-after"))).isPositive();
    }

    @Test
    void theHubLearnsWhoComesAndHow() throws IOException {
        try (Probe probe = served.webSocket()) {
            probe.text("{}");
            probe.frame();

            assertThat(served.hub.wire().info.transport()).isEqualTo("websocket");
            assertThat(served.hub.wire().info.caller().identity()).isNull();
        }
    }
}
