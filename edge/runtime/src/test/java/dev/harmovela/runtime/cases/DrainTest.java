package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.client.HttpApi;
import dev.harmovela.client.NotReachable;
import dev.harmovela.client.SseStream;
import dev.harmovela.contract.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TRN-13: what a stopping hub still does and what it no longer does. */
class DrainTest {

    @TempDir
    private Path folder;

    private Running hub;

    @BeforeEach
    void start() {
        hub = Running.in(folder, "drain_grace_ms", "60000");
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private CompletableFuture<Void> stopping() {
        CompletableFuture<Void> stopped =
                CompletableFuture.runAsync(() -> hub.daemon().stop());
        await().until(() -> readiness() == 503);
        return stopped;
    }

    private int readiness() throws NotReachable {
        return hub.get("/readyz").status();
    }

    private static Json.Obj closed(Agent agent) throws Exception {
        Json.Obj told = agent.await(one -> "session.closed".equals(one.string("type")));
        return told.object("payload");
    }

    @Test
    void trn13HalfOfWhatIsInHandIsAcknowledgedAndTheOtherHalfComesAgain() throws Exception {
        Agent socket = hub.agent("agent:ws");
        socket.subscribe("{\"types\":[\"context.updated\"]}");
        String listener = hub.openByPost("agent:sse");
        hub.say(
                listener,
                Events.of("subscription.requested", "agent:sse", "\"payload\":{\"types\":[\"context.updated\"]}")
                        .toString());
        SseStream stream = hub.stream(listener);
        for (int i = 0; i < 10; i++) {
            hub.publish("context.updated", "\"payload\":{\"n\":" + i + "}");
        }
        List<Json.Obj> onSocket = socket.deliveries(10);
        List<Json.Obj> onStream = deliveries(stream, 10);

        CompletableFuture<Void> stopped = stopping();
        assertThat(closed(socket).string("reason")).isEqualTo("draining");
        assertThat(next(stream).string("type")).isEqualTo("session.closed");

        hub.publish("context.updated", "\"payload\":{\"n\":10}");
        onSocket.subList(0, 5).forEach(socket::ack);
        for (Json.Obj delivery : onStream.subList(5, 10)) {
            assertThat(hub.say(listener, Events.ack("agent:sse", delivery).toString())
                            .status())
                    .isEqualTo(202);
        }
        assertThat(socket.deliveriesSoFar()).as("nothing new is handed out").isEmpty();
        assertThat(hub.get("/healthz").status()).isEqualTo(200);
        stream.close();
        socket.cut();
        stopped.join();

        hub.restart();
        Agent again = Agent.resume(hub.url(), "agent:ws", socket.sessionId());
        assertThat(numbers(again.deliveries(6))).containsExactly(5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(again.deliveriesSoFar()).isEmpty();
        try (SseStream other = hub.stream(listener)) {
            assertThat(numbers(deliveries(other, 6))).containsExactly(0L, 1L, 2L, 3L, 4L, 10L);
        }
        again.close();
    }

    @Test
    void trn13NobodyNewComesInAndResultsStillDo() throws Exception {
        Agent worker = hub.agent("agent:w");
        hub.publish("task.submitted", "\"task_id\":\"t1\",\"target\":\"agent:w\"");
        worker.ack(worker.delivery());
        worker.answer(worker.send("task.started", "\"task_id\":\"t1\""));
        Agent poller = hub.agent("agent:p");

        CompletableFuture<Void> stopped = stopping();
        closed(worker);
        closed(poller);
        assertThat(hub.post(
                                "/harmovela/events",
                                Events.of("session.open", "agent:late", "").toString())
                        .body()
                        .toString())
                .contains("transport_unavailable", "draining");
        String second = poller.send("session.open", "\"source\":\"agent:second\"");
        assertThat(poller.answer(second).string("type")).isEqualTo("session.error");
        try (SseStream late = hub.stream(poller.sessionId())) {
            assertThat(late.status()).isEqualTo(503);
        }
        HttpApi.Reply subscription = hub.post("subscriptions", "{\"types\":[\"task.*\"],\"from_cursor\":\"earliest\"}");
        assertThat(hub.get("subscriptions/" + subscription.object().string("subscription_id")
                                + "/events?timeout_ms=60000")
                        .status())
                .as("a long poll does not hold a stopping hub up")
                .isEqualTo(503);

        Json.Obj done = worker.answer(worker.send("task.completed", "\"task_id\":\"t1\""));
        assertThat(done.string("type")).isEqualTo("event.acknowledged");
        worker.cut();
        poller.cut();
        stopped.join();
        hub.restart();
        assertThat(hub.get("tasks/t1").object().string("state")).isEqualTo("COMPLETED");
    }

    @Test
    void trn13AfterTheGraceTheConnectionEndsWith1001() throws Exception {
        hub.close();
        hub = Running.in(folder, "drain_grace_ms", "100");
        Agent agent = hub.agent("agent:ws");
        hub.daemon().stop();
        assertThat(agent.awaitClose()).isEqualTo(1001);
        assertThat(agent.socket().closeReason()).isEqualTo("draining");
        assertThat(closed(agent).bool("resumable")).isTrue();
    }

    private static Json.Obj next(SseStream stream) throws Exception {
        SseStream.Item.Event event = stream.nextEvent();
        assertThat(event).isNotNull();
        return (Json.Obj) Json.parse(event.data());
    }

    private static List<Json.Obj> deliveries(SseStream stream, int count) throws Exception {
        List<Json.Obj> some = new ArrayList<>();
        while (some.size() < count) {
            Json.Obj next = next(stream);
            if (next.has("delivery")) {
                some.add(next);
            }
        }
        return some;
    }

    private static List<Long> numbers(List<Json.Obj> deliveries) {
        return deliveries.stream()
                .map(one -> one.object("payload").integer("n"))
                .toList();
    }
}
