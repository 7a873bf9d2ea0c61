package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.spi.CloseReason;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of server-sent events. */
class SseWireTest {

    private Served served;
    private Probe probe;

    @BeforeEach
    void serve() throws PortTaken, IOException {
        HttpTimes t = HttpTimes.DEFAULT;
        served = new Served(HttpConfig.DEFAULT.withTimes(
                new HttpTimes(t.requestMillis(), t.keepAliveMillis(), t.openMillis(), t.stallMillis(), 200, 40, 1000)));
        probe = served.probe();
    }

    @AfterEach
    void stop() throws IOException {
        probe.close();
        served.close();
    }

    private Probe.Response open(String request) throws IOException {
        probe.request(request, "");
        return probe.response();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/harmovela/events", "/aep/events"})
    void anEventIsIdTypeAndOneLineOfData(String path) throws IOException {
        open("GET " + path + "?session_id=s1 HTTP/1.1\nAccept: text/event-stream");

        served.hub.wire().deliver("{\"id\":\"e1\",\"type\":\"task.progress\",\n \"n\":1.10}");

        assertThat(probe.chunksUntil("1.10"))
                .contains("id: e1\nevent: task.progress\n"
                        + "data: {\"id\":\"e1\",\"type\":\"task.progress\",  \"n\":1.10}\n\n");
    }

    /** STR-05. */
    @Test
    void theHeadersKeepProxiesFromHoldingBackAndCommentsComeWhileNothingHappens() throws IOException {
        Probe.Response head = open("GET /harmovela/events?session_id=s1 HTTP/1.1");

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("content-type")).isEqualTo("text/event-stream");
        assertThat(head.header("cache-control")).isEqualTo("no-cache");
        assertThat(head.header("x-accel-buffering")).isEqualTo("no");
        assertThat(probe.chunksUntil(": heartbeat\n\n")).startsWith("retry: ");
        assertThat(probe.chunksUntil(": heartbeat\n\n")).isNotEmpty();
    }

    /** TRN-06. */
    @Test
    void theRetryTimeDiffersBetweenStreams() throws IOException {
        Set<String> times = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            try (Probe other = served.probe()) {
                other.request("GET /harmovela/events?session_id=s" + i + " HTTP/1.1", "");
                other.response();
                times.add(other.chunk());
            }
        }
        assertThat(times).hasSizeGreaterThan(5).allMatch(line -> line.startsWith("retry: "));
    }

    @Test
    void theLastEventIdAndTheCursorReachTheHub() throws IOException {
        open("GET /harmovela/events?session_id=s1&from_cursor=7f-1 HTTP/1.1\nLast-Event-ID: e9");

        assertThat(served.hub.wire().how).isEqualTo("session s1 after e9 from 7f-1");
    }

    /** D39. */
    @Test
    void answersAreNotRepeatedInTheStream() throws IOException {
        open("GET /harmovela/events?session_id=s1 HTTP/1.1");
        FakeHub.Wire wire = served.hub.wire();

        served.hub.on(() -> wire.say("{\"id\":\"answer\",\"type\":\"event.acknowledged\"}", true));
        wire.deliver("{\"id\":\"e1\",\"type\":\"task.progress\"}");

        assertThat(probe.chunksUntil("e1")).doesNotContain("answer");
    }

    @Test
    void anIdCanNotBreakOutOfItsLine() throws IOException {
        open("GET /harmovela/events?session_id=s1 HTTP/1.1");

        served.hub.wire().deliver("{\"id\":\"x\\nevent: session.closed\",\"type\":\"task.progress\"}");

        assertThat(probe.chunksUntil("task.progress\n")).doesNotContain("\nevent: session.closed");
    }

    @Test
    void theEndOfAStreamIsTold() throws IOException {
        open("GET /harmovela/events?session_id=s1 HTTP/1.1");

        served.hub.on(() -> served.hub.wire().peer.close(CloseReason.REPLACED, "taken over"));

        assertThat(probe.chunksUntil(": closed")).contains(": closed replaced\n\n");
        assertThat(probe.chunk()).isEmpty();
        assertThat(probe.closedByServer()).isTrue();
        await().until(() -> served.hub.wire().closed.get() == 1);
    }

    @Test
    void aReaderThatLeavesIsToldToTheHub() throws IOException {
        open("GET /harmovela/events?session_id=s1 HTTP/1.1");

        probe.close();

        await().until(() -> served.hub.wire().closed.get() == 1);
    }

    /** SES-04, SES-05: foreign and unknown sessions look the same; a closed one is gone. */
    @Test
    void aRefusedStreamIsToldByItsStatus() throws IOException {
        served.hub.refusedSessions.put("unknown", ProtocolError.of(ErrorCode.SESSION_ERROR, "no such session"));
        served.hub.refusedSessions.put("foreign", ProtocolError.of(ErrorCode.UNAUTHORIZED, "no such session"));
        served.hub.refusedSessions.put("closed", ProtocolError.of(ErrorCode.SESSION_CLOSED, "closed"));

        Probe.Response unknown = served.ask("GET /harmovela/events?session_id=unknown HTTP/1.1");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.body()).startsWith("{\"accepted\":false,\"errors\":[{\"code\":\"session_error\"");
        assertThat(served.ask("GET /harmovela/events?session_id=foreign HTTP/1.1")
                        .status())
                .isEqualTo(404);
        assertThat(served.ask("GET /harmovela/events?session_id=closed HTTP/1.1")
                        .status())
                .isEqualTo(410);
        assertThat(served.ask("GET /harmovela/events HTTP/1.1").status()).isEqualTo(400);
    }

    /** TRN-13. */
    @Test
    void aHubOnItsWayOutAttachesNothingNewAndLetsStreamsFlow() throws IOException {
        open("GET /harmovela/events?session_id=s1 HTTP/1.1");

        served.server.drain();

        assertThat(served.ask("GET /harmovela/events?session_id=s2 HTTP/1.1").status())
                .isEqualTo(503);
        served.hub.wires.getFirst().deliver("{\"id\":\"e1\",\"type\":\"task.progress\"}");
        assertThat(probe.chunksUntil("e1")).contains("id: e1");
    }

    @Test
    void aSubscriptionHasAStreamOfItsOwn() throws IOException {
        open("GET /harmovela/api/subscriptions/sub%3A1/stream?from_cursor=c7 HTTP/1.1");

        assertThat(served.hub.wire().how).isEqualTo("subscription sub:1 from c7");
        served.hub.wire().deliver("{\"id\":\"e1\",\"type\":\"task.progress\"}");
        assertThat(probe.chunksUntil("e1\n")).contains("id: e1\n");
    }
}
