package dev.harmovela.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The thin access for command line and conformance kit. */
class ToolsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private FakeServer server;

    @BeforeEach
    void listen() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static <T> CompletableFuture<T> async(Callable<T> call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return call.call();
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        });
    }

    @Test
    void theApiIsPathsAndJson() throws IOException {
        try (HttpApi api = new HttpApi(server.address(), "secret", PATIENCE)) {
            CompletableFuture<HttpApi.Reply> got = async(() -> api.get("tasks?state=STARTED"));
            try (FakeServer.Peer peer = server.accept()) {
                peer.request();
                assertThat(peer.requestLine).isEqualTo("GET /harmovela/api/tasks?state=STARTED HTTP/1.1");
                assertThat(peer.headers).containsEntry("authorization", "Bearer secret");
                peer.respond("HTTP/1.1 200 OK", "{\"items\":[1.10]}");
                assertThat(got.join().ok()).isTrue();
                assertThat(got.join().object().array("items")).hasToString("[1.10]");

                CompletableFuture<HttpApi.Reply> posted = async(() ->
                        api.post("events", Json.Obj.builder().put("id", "e1").build()));
                assertThat(peer.request()).isEqualTo("{\"id\":\"e1\"}");
                assertThat(peer.headers).containsEntry("content-type", "application/json");
                peer.respond("HTTP/1.1 400 Bad Request", "oops");
                assertThat(posted.join()).isEqualTo(new HttpApi.Reply(400, new Json.Str("oops")));
                assertThat(posted.join().ok()).isFalse();

                CompletableFuture<HttpApi.Reply> deleted = async(() -> api.delete("/harmovela/api/subscriptions/s1"));
                peer.request();
                assertThat(peer.requestLine).isEqualTo("DELETE /harmovela/api/subscriptions/s1 HTTP/1.1");
                peer.respond("HTTP/1.1 200 OK", "");
                assertThat(deleted.join().object()).isEqualTo(Json.Obj.of());
            }
        }
    }

    @Test
    void aHubThatIsNotThereIsNamed() throws IOException {
        URI address = server.address();
        server.close();

        try (HttpApi api = new HttpApi(address, null, PATIENCE)) {
            assertThatThrownBy(() -> api.get("status"))
                    .isInstanceOf(NotReachable.class)
                    .hasMessageContaining(address + "/harmovela/api/status");
        }
        assertThatThrownBy(() -> SseStream.open(address, "/harmovela/events", null, null, PATIENCE))
                .isInstanceOf(NotReachable.class);
        assertThatThrownBy(() -> RawSocket.connect(address, null, PATIENCE)).isInstanceOf(NotReachable.class);
    }

    @Test
    void aStreamIsReadItemByItem() throws IOException {
        CompletableFuture<SseStream> opening = async(
                () -> SseStream.open(server.address(), "/harmovela/events?session_id=s1", "secret", "e0", PATIENCE));
        try (FakeServer.Peer peer = server.accept()) {
            peer.request();
            assertThat(peer.headers)
                    .containsEntry("last-event-id", "e0")
                    .containsEntry("accept", "text/event-stream")
                    .containsEntry("authorization", "Bearer secret");
            peer.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
            peer.write("retry: 1500\n\n: heartbeat\n\nid: e1\nevent: task.progress\ndata: {\"a\":1}\n\n"
                    + "unknown: x\ndata:two\ndata: lines\n\n");
            try (SseStream stream = opening.join()) {
                assertThat(stream.status()).isEqualTo(200);
                assertThat(stream.headers().firstValue("content-type")).contains("text/event-stream");
                assertThat(stream.next()).isEqualTo(new SseStream.Item.Retry(1500));
                assertThat(stream.next()).isEqualTo(new SseStream.Item.Comment("heartbeat"));
                assertThat(stream.nextEvent()).isEqualTo(new SseStream.Item.Event("e1", "task.progress", "{\"a\":1}"));
                assertThat(stream.nextEvent()).isEqualTo(new SseStream.Item.Event(null, "message", "two\nlines"));
                peer.close();
                assertThat(stream.next()).isNull();
            }
        }
    }

    @Test
    void aRefusedStreamTellsItsStatus() throws IOException {
        CompletableFuture<SseStream> opening =
                async(() -> SseStream.open(server.address(), "/harmovela/events", null, null, PATIENCE));
        try (FakeServer.Peer peer = server.accept()) {
            peer.request();
            peer.respond("HTTP/1.1 404 Not Found", "{\"accepted\":false}");
            try (SseStream stream = opening.join()) {
                assertThat(stream.status()).isEqualTo(404);
                assertThat(stream.body()).isEqualTo("{\"accepted\":false}");
            }
        }
    }

    @Test
    void aRawSocketCarriesLinesAsTheyAre() throws Exception {
        CompletableFuture<RawSocket> connecting = async(() -> RawSocket.connect(server.address(), null, PATIENCE));
        try (FakeServer.Peer peer = server.accept()) {
            peer.upgrade();
            try (RawSocket socket = connecting.join()) {
                assertThat(socket.send("not json")).isTrue();
                assertThat(peer.text()).isEqualTo("not json");
                peer.say("{\"n\": 1.10}");
                assertThat(socket.receive(PATIENCE)).isEqualTo("{\"n\": 1.10}");
                assertThat(socket.closeCode()).isZero();
                peer.end(1009);
                assertThat(socket.receive(PATIENCE)).isNull();
                assertThat(socket.receive(PATIENCE)).isNull();
                assertThat(socket.closeCode()).isEqualTo(1009);
                assertThat(socket.send("late")).isFalse();
            }
        }
    }

    @Test
    void anyFormOfAHubsAddressWorks() {
        assertThat(Addresses.webSocket(URI.create("http://h:1"))).hasToString("ws://h:1/harmovela");
        assertThat(Addresses.webSocket(URI.create("https://h/"))).hasToString("wss://h/harmovela");
        assertThat(Addresses.webSocket(URI.create("ws://h:1/other"))).hasToString("ws://h:1/other");
        assertThat(Addresses.http(URI.create("wss://h:1/harmovela"), "/readyz")).hasToString("https://h:1/readyz");
    }

    @Test
    void aTokenIsNeverPrinted() {
        assertThat(ClientOptions.of("agent:a").withToken("MARK-7f3a").toString())
                .doesNotContain("MARK-7f3a");
    }
}
