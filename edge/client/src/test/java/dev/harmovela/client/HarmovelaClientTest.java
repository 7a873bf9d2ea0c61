package dev.harmovela.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that survives its connections. */
class HarmovelaClientTest {

    private static final ClientOptions OPTIONS = ClientOptions.of("agent:a")
            .withBackoff(new Backoff(1, 5))
            .withHeartbeat(Duration.ZERO)
            .withTimeout(Duration.ofSeconds(5));
    private static final Json.Obj TASKS =
            Json.Obj.builder().put("types", List.of("task.*")).build();

    private FakeServer server;

    @BeforeEach
    void listen() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private CompletableFuture<HarmovelaClient> connecting(ClientOptions options, DeliveryHandler inbox) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return HarmovelaClient.connect(server.address(), options, inbox);
            } catch (NotReachable failure) {
                throw new CompletionException(failure);
            }
        });
    }

    /** A client with the session {@code s1} and the server's end of its connection. */
    private record Pair(HarmovelaClient client, FakeServer.Peer peer) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            client.close();
            peer.close();
        }
    }

    private Pair pair() throws IOException {
        return pair(OPTIONS, null);
    }

    private Pair pair(ClientOptions options, DeliveryHandler inbox) throws IOException {
        CompletableFuture<HarmovelaClient> client = connecting(options, inbox);
        FakeServer.Peer peer = server.attach("s1", false);
        return new Pair(client.join(), peer);
    }

    private static Subscription subscribed(Pair pair, String id, DeliveryHandler handler) throws IOException {
        CompletableFuture<Subscription> subscription = pair.client().subscribe(TASKS, handler);
        created(pair.peer(), id);
        return subscription.join();
    }

    private static Json.Obj created(FakeServer.Peer peer, String id) throws IOException {
        Json.Obj request = peer.event("subscription.requested");
        peer.say("{\"type\":\"subscription.created\",\"causation_id\":\"" + request.string("id")
                + "\",\"payload\":{\"subscription_id\":\"" + id + "\"}}");
        return request;
    }

    // --- the handshake

    @Test
    void aSessionIsOpenedAndConfirmed() throws IOException {
        CompletableFuture<HarmovelaClient> client =
                connecting(OPTIONS.withToken("secret").withHeartbeat(Duration.ofSeconds(7)), null);
        try (FakeServer.Peer peer = server.accept()) {
            peer.upgrade();
            assertThat(peer.requestLine).isEqualTo("GET /harmovela HTTP/1.1");
            assertThat(peer.headers)
                    .containsEntry("authorization", "Bearer secret")
                    .containsEntry("sec-websocket-protocol", "harmovela-0.2");
            Json.Obj open = peer.event("session.open");
            assertThat(open.string("source")).isEqualTo("agent:a");
            assertThat(open.string("spec_version")).isEqualTo("0.2");
            assertThat(open.object("capabilities").strings("profiles"))
                    .containsExactly("harmovela.core.v1", "harmovela.delivery.v1");
            assertThat(open.object("payload").object("capabilities").integer("heartbeat_interval_ms"))
                    .isEqualTo(7000);
            peer.say("{\"type\":\"session.opened\",\"session_id\":\"s1\",\"payload\":{}}");
            assertThat(peer.event("session.ready").string("session_id")).isEqualTo("s1");
            assertThat(client.join().sessionId()).isEqualTo("s1");
            assertThat(client.join().isAttached()).isTrue();
            client.join().close();
        }
    }

    @Test
    void aRefusedSessionSaysWhy() throws IOException {
        CompletableFuture<HarmovelaClient> client = connecting(OPTIONS, null);
        try (FakeServer.Peer peer = server.accept()) {
            peer.upgrade();
            peer.event("session.open");
            peer.say("{\"type\":\"session.error\",\"payload\":{\"error\":{\"code\":\"unsupported_profile\","
                    + "\"message\":\"no such profile\",\"retryable\":false}}}");

            assertThatThrownBy(client::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            HubRefused.class,
                            refused -> assertThat(refused.error().code()).isEqualTo(ErrorCode.UNSUPPORTED_PROFILE));
        }
    }

    @Test
    void nobodyThereIsToldWithTheAddress() throws IOException {
        URI nobody;
        try (ServerSocket free = new ServerSocket(0)) {
            nobody = URI.create("http://127.0.0.1:" + free.getLocalPort());
        }

        assertThatThrownBy(() -> HarmovelaClient.connect(nobody, OPTIONS))
                .isInstanceOfSatisfying(
                        NotReachable.class,
                        failure -> assertThat(failure.address()).isEqualTo(nobody))
                .hasMessageContaining(nobody.toString());
    }

    @Test
    void aHandshakeThatIsRefusedOrHangsIsNotReachable() throws IOException {
        CompletableFuture<HarmovelaClient> refused = connecting(OPTIONS, null);
        try (FakeServer.Peer peer = server.accept()) {
            peer.request();
            peer.respond("HTTP/1.1 401 Unauthorized", "{}");
            assertThatThrownBy(refused::join)
                    .cause()
                    .isInstanceOf(NotReachable.class)
                    .hasMessageContaining("401");
        }
        CompletableFuture<HarmovelaClient> hanging = connecting(OPTIONS.withTimeout(Duration.ofMillis(100)), null);
        try (FakeServer.Peer peer = server.accept()) {
            peer.upgrade();
            assertThatThrownBy(hanging::join)
                    .cause()
                    .isInstanceOf(NotReachable.class)
                    .hasMessageContaining("100 ms");
        }
    }

    // --- sending

    @Test
    void anEventIsCompletedAndItsAnswerReturned() throws IOException {
        try (Pair pair = pair()) {
            CompletableFuture<Json.Obj> answer = pair.client()
                    .send(
                            "task.progress",
                            Json.Obj.builder().put("progress", 0.5).build());

            Json.Obj event = pair.peer().event("task.progress");
            assertThat(event.string("id")).startsWith("evt_");
            assertThat(event.string("source")).isEqualTo("agent:a");
            assertThat(event.string("created_at")).endsWith("Z");
            pair.peer().acknowledge(event);
            assertThat(answer.join().object("payload").string("cursor")).isEqualTo("c1");
        }
    }

    @Test
    void aRefusalFailsTheAnswer() throws IOException {
        try (Pair pair = pair()) {
            CompletableFuture<Json.Obj> answer = pair.client().send("task.progress", Json.Obj.of());
            String id = pair.peer().event("task.progress").string("id");
            pair.peer()
                    .say("{\"type\":\"event.rejected\",\"causation_id\":\"" + id
                            + "\",\"payload\":{\"error\":{\"code\":"
                            + "\"task_error\",\"message\":\"no\",\"retryable\":false}}}");

            assertThatThrownBy(answer::join).cause().isInstanceOfSatisfying(HubRefused.class, refused -> {
                assertThat(refused.error().code()).isEqualTo(ErrorCode.TASK_ERROR);
                assertThat(refused.answer().string("causation_id")).isEqualTo(id);
            });
        }
    }

    @Test
    void aLargeEventArrivesWhole() throws IOException {
        try (Pair pair = pair()) {
            String text = "ü".repeat(150_000);
            var _ = pair.client()
                    .send("task.output", Json.Obj.builder().put("text", text).build());

            assertThat(pair.peer().event("task.output").object("payload").string("text"))
                    .isEqualTo(text);
        }
    }

    @Test
    void manyEventsKeepTheirOrder() throws IOException {
        try (Pair pair = pair()) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 3000; i++) {
                    var _ = pair.client()
                            .send(
                                    "task.progress",
                                    Json.Obj.builder().put("n", i).build());
                }
            });
            for (int i = 0; i < 3000; i++) {
                Json.Obj event = pair.peer().event("task.progress");
                assertThat(event.object("payload").integer("n")).isEqualTo(i);
                pair.peer().acknowledge(event);
            }
            sending.join();
        }
    }

    @Test
    void noMoreThanTheWindowIsUnanswered() throws IOException {
        try (Pair pair = pair(OPTIONS.withWindow(2), null)) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 3; i++) {
                    var _ = pair.client().send("task.progress", Json.Obj.of());
                }
            });
            Json.Obj first = pair.peer().event("task.progress");
            pair.peer().event("task.progress");
            assertThat(sending).isNotDone();

            pair.peer().acknowledge(first);

            pair.peer().event("task.progress");
            sending.join();
        }
    }

    // --- receiving

    @Test
    void aDeliveryIsAcknowledgedAfterItsHandler() throws IOException {
        try (Pair pair = pair()) {
            List<Delivery> seen = new CopyOnWriteArrayList<>();
            subscribed(pair, "sub1", seen::add);

            pair.peer().deliver("e1", "sub1", "c5");

            Json.Obj ack = pair.peer().event("event.acknowledged");
            assertThat(ack.object("payload").string("acknowledged_event_id")).isEqualTo("e1");
            assertThat(ack.object("payload").string("subscription_id")).isEqualTo("sub1");
            assertThat(ack.object("payload").string("cursor")).isEqualTo("c5");
            assertThat(seen).singleElement().satisfies(delivery -> {
                assertThat(delivery.type()).isEqualTo("task.progress");
                assertThat(delivery.attempt()).isEqualTo(2);
                assertThat(delivery.sequence()).isEqualTo(1);
                assertThat(delivery.payload().get("n")).hasToString("1.10");
            });
        }
    }

    @Test
    void aHandlerMayRefuseFailOrDefer() throws IOException {
        try (Pair pair = pair()) {
            List<Delivery> kept = new CopyOnWriteArrayList<>();
            subscribed(pair, "sub1", delivery -> {
                switch (delivery.id()) {
                    case "refuse" -> delivery.reject(ProtocolError.of(ErrorCode.BUSY, "later"));
                    case "fail" -> throw new IllegalStateException("a private reason");
                    default -> {
                        delivery.defer();
                        kept.add(delivery);
                    }
                }
            });
            pair.peer().deliver("refuse", "sub1", "c1");
            pair.peer().deliver("fail", "sub1", "c2");
            pair.peer().deliver("defer", "sub1", "c3");

            Json.Obj refused = pair.peer().event("event.rejected");
            assertThat(refused.object("payload").object("error").string("code")).isEqualTo("busy");
            Json.Obj failed = pair.peer().event("event.rejected");
            assertThat(failed.object("payload").object("error").string("code")).isEqualTo("internal_error");
            assertThat(failed.toString()).doesNotContain("a private reason");
            await().until(() -> kept.size() == 1);
            kept.getFirst().ack();
            kept.getFirst().ack();
            assertThat(pair.peer().event("event.acknowledged").object("payload").string("acknowledged_event_id"))
                    .isEqualTo("defer");
        }
    }

    @Test
    void whatIsAddressedToTheClientGoesToItsInboxAndTheRestToObservers() throws IOException {
        List<String> inbox = new CopyOnWriteArrayList<>();
        List<String> observed = new CopyOnWriteArrayList<>();
        try (Pair pair = pair(OPTIONS, delivery -> inbox.add(delivery.id()))) {
            pair.client().observe(event -> observed.add(event.string("type")));
            pair.peer().say("{\"type\":\"event.redelivered\",\"payload\":{}}");
            pair.peer().deliver("cmd1", "inbox:agent:a", "c1");

            assertThat(pair.peer().event("event.acknowledged").object("payload").string("acknowledged_event_id"))
                    .isEqualTo("cmd1");
            assertThat(inbox).containsExactly("cmd1");
            assertThat(observed).containsExactly("event.redelivered");
        }
    }

    // --- coming back

    @Test
    void whatWasNotAnsweredIsSentAgainUnderTheSameIds() throws IOException {
        try (Pair pair = pair()) {
            CompletableFuture<Json.Obj> first = pair.client().send("task.progress", Json.Obj.of());
            CompletableFuture<Json.Obj> second = pair.client().send("task.output", Json.Obj.of());
            String firstId = pair.peer().event("task.progress").string("id");
            pair.peer().close();

            FakeServer.Peer again = server.accept();
            again.upgrade();
            assertThat(again.event("session.open").string("session_id")).isEqualTo("s1");
            again.say("{\"type\":\"session.opened\",\"session_id\":\"s1\",\"payload\":{\"resumed\":true}}");
            again.event("session.ready");
            Json.Obj repeated = again.event("task.progress");
            assertThat(repeated.string("id")).isEqualTo(firstId);
            again.acknowledge(repeated);
            again.acknowledge(again.event("task.output"));

            assertThat(first.join()).isNotNull();
            assertThat(second.join()).isNotNull();
            again.close();
        }
    }

    @Test
    void aResumedSessionKeepsItsSubscriptions() throws IOException {
        List<String> seen = new CopyOnWriteArrayList<>();
        try (Pair pair = pair()) {
            subscribed(pair, "sub1", delivery -> seen.add(delivery.id()));
            pair.peer().close();

            try (FakeServer.Peer again = server.attach("s1", true)) {
                again.deliver("e1", "sub1", "c1");
                again.event("event.acknowledged");
                assertThat(seen).containsExactly("e1");
            }
        }
    }

    @Test
    void aLostSessionIsReplacedAndGoesOnWhereAllWasSettled() throws IOException {
        List<Delivery> kept = new CopyOnWriteArrayList<>();
        try (Pair pair = pair()) {
            subscribed(pair, "sub1", delivery -> {
                if (delivery.id().equals("open")) {
                    delivery.defer();
                    kept.add(delivery);
                }
            });
            pair.peer().deliver("done", "sub1", "c1");
            pair.peer().deliver("open", "sub1", "c2");
            pair.peer().deliver("after", "sub1", "c3");
            pair.peer().event("event.acknowledged");
            pair.peer().event("event.acknowledged");
            pair.peer().close();

            try (FakeServer.Peer gone = server.accept()) {
                gone.upgrade();
                assertThat(gone.event("session.open").string("session_id")).isEqualTo("s1");
                gone.say("{\"type\":\"session.error\",\"error\":{\"code\":\"session_closed\",\"message\":\"over\","
                        + "\"retryable\":false}}");
                try (FakeServer.Peer fresh = server.accept()) {
                    fresh.upgrade();
                    Json.Obj open = fresh.event("session.open");
                    assertThat(open.string("session_id")).isNull();
                    assertThat(open.object("payload").string("resume_session_id"))
                            .isEqualTo("s1");
                    fresh.say("{\"type\":\"session.opened\",\"session_id\":\"s2\",\"payload\":{}}");
                    fresh.event("session.ready");

                    Json.Obj filter = created(fresh, "sub2").object("payload");

                    assertThat(filter.string("from_cursor")).isEqualTo("c1");
                    assertThat(filter.strings("types")).containsExactly("task.*");
                    fresh.deliver("done2", "sub2", "c4");
                    fresh.event("event.acknowledged");
                    assertThat(pair.client().sessionId()).isEqualTo("s2");
                }
            }
        }
    }

    @Test
    void aHubThatIsBusyIsAskedAgainForTheSameSession() throws IOException {
        try (Pair pair = pair()) {
            pair.peer().close();
            try (FakeServer.Peer busy = server.accept()) {
                busy.upgrade();
                busy.event("session.open");
                busy.say("{\"type\":\"session.error\",\"error\":{\"code\":\"busy\",\"message\":\"later\","
                        + "\"retryable\":true}}");
                try (FakeServer.Peer again = server.accept()) {
                    again.upgrade();
                    assertThat(again.event("session.open").string("session_id")).isEqualTo("s1");
                }
            }
        }
    }

    /** SES-02, seen from the other side. */
    @Test
    void aSilentHubIsLeft() throws IOException {
        CompletableFuture<HarmovelaClient> client = connecting(OPTIONS, null);
        try (FakeServer.Peer silent = server.accept()) {
            silent.upgrade();
            silent.event("session.open");
            silent.say("{\"type\":\"session.opened\",\"session_id\":\"s1\",\"payload\":"
                    + "{\"capabilities\":{\"heartbeat_interval_ms\":30}}}");
            silent.event("session.ready");
            client.join();

            try (FakeServer.Peer again = server.attach("s1", true)) {
                await().until(() -> client.join().isAttached());
                client.join().close();
                assertThat(again.event("session.closed")).isNotNull();
            }
        }
    }

    /** SES-02: without a heartbeat the client asks, stays while it is answered, and leaves when it is not. */
    @Test
    void aSilentHubIsLeftAlsoWithoutAHeartbeat() throws IOException {
        CompletableFuture<HarmovelaClient> client = connecting(OPTIONS.withTimeout(Duration.ofMillis(600)), null);
        try (FakeServer.Peer first = server.accept()) {
            first.upgrade();
            first.event("session.open");
            first.say("{\"type\":\"session.opened\",\"session_id\":\"s1\",\"payload\":{}}");
            first.event("session.ready");
            HarmovelaClient asking = client.join();
            for (int beyondSilence = 0; beyondSilence < 4; beyondSilence++) {
                assertThat(first.text()).isEqualTo("ping");
            }
            assertThat(asking.isAttached()).isTrue();

            try (FakeServer.Peer again = server.attach("s1", true)) {
                await().until(asking::isAttached);
                asking.close();
                assertThat(again.event("session.closed")).isNotNull();
            }
        }
    }

    /** Whoever lost its session to another connection must not take it back. */
    @Test
    void aReplacedConnectionDoesNotComeBack() throws IOException {
        try (Pair pair = pair()) {
            CompletableFuture<Json.Obj> waiting = pair.client().send("task.progress", Json.Obj.of());
            pair.peer().event("task.progress");

            pair.peer().end(1000);

            assertThatThrownBy(waiting::join).cause().hasMessageContaining("1000");
            assertThat(pair.client().isAttached()).isFalse();
            assertThat(pair.client().send("task.progress", Json.Obj.of())).isCompletedExceptionally();
        }
    }

    @Test
    void closingEndsTheSessionThenTheConnection() throws IOException {
        try (Pair pair = pair()) {
            CompletableFuture<Json.Obj> waiting = pair.client().send("task.progress", Json.Obj.of());
            pair.client().close();

            assertThat(pair.peer().event("task.progress")).isNotNull();
            assertThat(pair.peer().event("session.closed").string("source")).isEqualTo("agent:a");
            assertThat(pair.peer().text()).isEqualTo("close 1000");
            assertThat(waiting).isCompletedExceptionally();
        }
    }
}
