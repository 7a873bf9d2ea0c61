package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.json.Json;
import dev.harmovela.grpc.GrpcCall;
import dev.harmovela.grpc.GrpcChannel;
import dev.harmovela.grpc.GrpcEnd;
import dev.harmovela.grpc.GrpcRefused;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub over gRPC (spec 13): TRN-05, TRN-13, TRN-15, SES-04 and what the binding promises. */
class GrpcTest {

    private static final String TASK =
            "\"target\":\"agent:worker\",\"task_id\":\"t-1\",\"payload\":{\"task_id\":\"t-1\"}";

    @Test
    void anAgentOnGrpcAndOneOnWebSocketExchangeATask() throws Exception {
        try (Running hub = Running.inMemory();
                GrpcAgent worker = GrpcAgent.open(hub.daemon(), "agent:worker");
                Agent boss = hub.agent("agent:boss")) {
            boss.subscribe("{\"types\":[\"task.completed\"]}");
            assertThat(boss.answer(boss.send("task.submitted", TASK)).string("type"))
                    .isEqualTo("event.acknowledged");
            Json.Obj work = worker.deliveryOf("task.submitted");
            worker.ack(work);
            worker.answer(worker.send("task.accepted", "\"task_id\":\"t-1\",\"payload\":{\"task_id\":\"t-1\"}"));
            worker.answer(worker.send("task.started", "\"task_id\":\"t-1\",\"payload\":{\"task_id\":\"t-1\"}"));
            worker.answer(worker.send(
                    "task.completed", "\"task_id\":\"t-1\",\"payload\":{\"task_id\":\"t-1\",\"result\":{\"n\":42}}"));
            Json.Obj done = boss.await(one -> "task.completed".equals(one.string("type")) && one.has("delivery"));
            assertThat(done.object("payload").object("result").integer("n")).isEqualTo(42);
        }
    }

    @Test
    void theTransportProfileIsDeclaredExactlyWhenItIsOn() throws Exception {
        for (boolean on : new boolean[] {true, false}) {
            try (Running hub = Running.inMemory("grpc.port", on ? "0" : "-1");
                    Agent agent = hub.agent("agent:a")) {
                Json.Obj declared = agent.answer(agent.send("capabilities.requested", ""));
                assertThat(declared.toString().contains("harmovela.transport.grpc.v1"))
                        .isEqualTo(on);
                assertThat(hub.daemon().grpcAddress() != null).isEqualTo(on);
                assertThat(hub.get("/healthz").object().string("grpc"))
                        .isEqualTo(hub.daemon().grpcAddress());
            }
        }
    }

    @Test
    void halfClosingGetsEveryAnswerThenAGoodEndAndTheSessionStays() throws Exception {
        try (Running hub = Running.inMemory();
                GrpcAgent agent = GrpcAgent.open(hub.daemon(), "agent:a")) {
            for (int i = 0; i < 200; i++) {
                agent.send("context.updated", "\"payload\":{\"n\":" + i + "}");
            }
            agent.socket().halfClose();
            GrpcEnd end = agent.awaitEnd();
            assertThat(end.status()).isEqualTo("OK");
            assertThat(end.trailers()).containsEntry("harmovela-session-id", agent.sessionId());
            assertThat(agent.heard())
                    .filteredOn(one -> "event.acknowledged".equals(one.string("type")))
                    .hasSizeGreaterThanOrEqualTo(200);
            await().until(() -> Boolean.FALSE.equals(
                    hub.get("sessions/" + agent.sessionId()).object().bool("attached")));
        }
    }

    @Test
    void aStreamGoesOnFromTheCursorOfTheTrailer() throws Exception {
        try (Running hub = Running.inMemory()) {
            GrpcAgent first = GrpcAgent.open(hub.daemon(), "agent:a");
            first.subscribe("{\"types\":[\"context.updated\"]}");
            for (int i = 0; i < 4; i++) {
                hub.publish("context.updated", "\"payload\":{\"n\":" + i + "}");
            }
            for (int i = 0; i < 4; i++) {
                first.ack(first.delivery());
            }
            first.socket().halfClose();
            GrpcEnd end = first.awaitEnd();
            first.close();
            hub.publish("context.updated", "\"payload\":{\"n\":4}");
            Map<String, String> metadata = Map.of(
                    "harmovela-session-id",
                    first.sessionId(),
                    "x-harmovela-cursor",
                    Objects.requireNonNull(end.cursor()));
            try (GrpcAgent again = GrpcAgent.connect(hub.daemon(), "agent:a", metadata)) {
                Json.Obj next = again.delivery();
                assertThat(next.object("payload").integer("n")).isEqualTo(4);
                again.ack(next);
                assertThat(again.answer(again.send("session.heartbeat", "")).string("type"))
                        .isNotNull();
            }
        }
    }

    @Test
    void ses04AForeignSessionAndAMissingOneAreTheSame() throws Exception {
        try (Running hub = Running.inMemory()) {
            GrpcRefused refused = catchThrowableOfType(
                    GrpcRefused.class,
                    () -> GrpcAgent.connect(hub.daemon(), "agent:a", Map.of("harmovela-session-id", "sess-of-nobody")));
            assertThat(refused.end().status()).isEqualTo("NOT_FOUND");
            assertThat(refused.end().trailers().get("x-harmovela-error")).contains("\"code\":");
        }
    }

    @Test
    void onlyHoldersOfACredentialComeIn(@TempDir Path folder) throws Exception {
        try (Running hub = Running.in(folder, "dev", "false", "grpc.port", "0")) {
            for (Map<String, String> wrong :
                    List.of(Map.<String, String>of(), Map.of("authorization", "Bearer hvt_no_such"))) {
                GrpcRefused refused = catchThrowableOfType(
                        GrpcRefused.class, () -> GrpcAgent.connect(hub.daemon(), "agent:a", wrong));
                assertThat(refused.end().status()).isEqualTo("UNAUTHENTICATED");
                assertThat(refused.end().error()).isEqualTo(ErrorCode.UNAUTHENTICATED);
            }
            String token = Files.readString(folder.resolve("admin.token")).strip();
            Map<String, String> right = Map.of("authorization", "Bearer " + token);
            try (GrpcAgent agent = GrpcAgent.connect(hub.daemon(), "agent:admin", right)) {
                assertThat(agent.socket().end()).isNull();
            }
            GrpcRefused forged = catchThrowableOfType(
                    GrpcRefused.class,
                    () -> GrpcAgent.connect(
                            hub.daemon(),
                            "agent:x",
                            Map.of("authorization", "Bearer " + token, "harmovela-version", "9.9")));
            assertThat(forged.end().status()).isEqualTo("FAILED_PRECONDITION");
        }
    }

    @Test
    void trn15AMessageThatIsTooLargeEndsItsStreamAndNoOther() throws Exception {
        try (Running hub = Running.inMemory();
                GrpcAgent other = GrpcAgent.open(hub.daemon(), "agent:other")) {
            for (int size : new int[] {2 << 20, 8 << 20, 64 << 20}) {
                try (GrpcAgent agent = GrpcAgent.open(hub.daemon(), "agent:a" + size)) {
                    agent.send("context.updated", "\"payload\":{\"x\":\"" + "x".repeat(size) + "\"}");
                    assertThat(agent.awaitEnd().status()).as(size + " bytes").isEqualTo("RESOURCE_EXHAUSTED");
                }
            }
            assertThat(other.answer(other.send("context.updated", "\"payload\":{}"))
                            .string("type"))
                    .isEqualTo("event.acknowledged");
        }
    }

    @Test
    void bytesThatAreNoEventAreAnsweredAndTheStreamGoesOn() throws Exception {
        try (Running hub = Running.inMemory();
                GrpcAgent agent = GrpcAgent.open(hub.daemon(), "agent:a")) {
            agent.call().send("\u00ff\u00ff".getBytes(StandardCharsets.UTF_8));
            assertThat(agent.await(one -> "event.rejected".equals(one.string("type")))
                            .toString())
                    .contains("invalid_envelope");
            agent.socket().send("{nonsense");
            assertThat(agent.await(one -> "event.rejected".equals(one.string("type")))
                            .toString())
                    .contains("invalid_envelope");
            agent.answer(agent.send("session.heartbeat", ""));
        }
    }

    @Test
    void trn05AStoppedReaderCostsNextToNothingAndIsToldWhereToGoOn() throws Exception {
        stopped(5_000);
    }

    @Test
    @Tag("long")
    void trn05AMillionEventsPastAStoppedReader() throws Exception {
        stopped(Integer.getInteger("harmovela.trn05.events", 1_000_000));
    }

    /** The reader asks for one message and stops. */
    private static void stopped(int events) throws Exception {
        try (Running hub = Running.inMemory("http.stall_ms", "700", "journal.memory_bytes", "268435456");
                GrpcAgent slow = GrpcAgent.open(hub.daemon(), "agent:slow");
                GrpcAgent publisher = GrpcAgent.open(hub.daemon(), "agent:publisher")) {
            slow.subscribe("{\"types\":[\"context.updated\"],\"max_in_flight\":100000}");
            slow.call().ask();
            long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
            long most = 0;
            String filler = "x".repeat(2000);
            String last = "";
            for (int n = 0; n < events; n++) {
                last = publisher.send("context.updated", "\"payload\":{\"n\":" + n + ",\"f\":\"" + filler + "\"}");
                most = Math.max(most, PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory());
                if (n % 500 == 499) {
                    publisher.answer(last);
                    publisher.heard().clear();
                }
            }
            assertThat(most - before).as("bytes outside the heap").isLessThan(64L << 20);
            await().until(() -> Boolean.FALSE.equals(
                    hub.get("sessions/" + slow.sessionId()).object().bool("attached")));
            GrpcEnd end = slow.awaitEnd();
            assertThat(end.status()).isEqualTo("RESOURCE_EXHAUSTED");
            assertThat(end.trailers().get("x-harmovela-error")).contains("slow_reader");
            Json.Obj newest = slow.heard().getLast();
            assertThat(end.cursor()).isEqualTo(newest.object("delivery").string("cursor"));
            assertThat(slow.heard().size()).as("messages on their way").isLessThan(10_000);
            Map<String, String> metadata =
                    Map.of("harmovela-session-id", slow.sessionId(), "x-harmovela-cursor", end.cursor());
            try (GrpcAgent again = GrpcAgent.connect(hub.daemon(), "agent:slow", metadata)) {
                assertThat(again.delivery().object("payload").integer("n")).isNotNull();
            }
        }
    }

    @Test
    void trn13ADrainingHubTellsThoseAttachedAndTakesTheirResults(@TempDir Path folder) throws Exception {
        Running hub = Running.in(folder, "drain_grace_ms", "60000");
        GrpcAgent agent = GrpcAgent.open(hub.daemon(), "agent:a");
        agent.subscribe("{\"types\":[\"context.updated\"]}");
        hub.publish("context.updated", "");
        Json.Obj delivery = agent.delivery();
        CompletableFuture<Void> stopped =
                CompletableFuture.runAsync(() -> hub.daemon().stop());
        Json.Obj told = agent.await(one -> "session.closed".equals(one.string("type")));
        assertThat(told.object("payload").string("reason")).isEqualTo("draining");
        GrpcRefused refused =
                catchThrowableOfType(GrpcRefused.class, () -> GrpcAgent.connect(hub.daemon(), "agent:b", Map.of()));
        assertThat(refused.end().status()).isEqualTo("UNAVAILABLE");
        agent.ack(delivery);
        agent.socket().halfClose();
        agent.awaitEnd();
        agent.close();
        stopped.join();
        hub.close();
    }

    @Test
    void healthAndReflectionAnswerWithoutACredential(@TempDir Path folder) throws Exception {
        try (Running hub = Running.in(folder, "dev", "false", "grpc.port", "0");
                GrpcChannel channel = GrpcChannel.to(
                        Objects.requireNonNull(hub.daemon().grpcAddress()), GrpcChannel.Security.PLAIN)) {
            byte[] serving = {8, 1};
            GrpcCall health = channel.call("grpc.health.v1.Health/Check", GrpcChannel.Kind.UNARY, Map.of());
            health.send(new byte[0]);
            health.halfClose();
            assertThat(((GrpcCall.Step.Data) health.receive(Running.PATIENCE)).bytes())
                    .isEqualTo(serving);
            GrpcCall reflection = channel.call(
                    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
                    GrpcChannel.Kind.BIDI_STREAMING,
                    Map.of());
            reflection.send(new byte[] {58, 1, '*'});
            String names = new String(
                    ((GrpcCall.Step.Data) reflection.receive(Running.PATIENCE)).bytes(), StandardCharsets.UTF_8);
            assertThat(names)
                    .contains("harmovela.v1.HarmovelaTransport", "lf.a2a.v1.A2AService", "grpc.health.v1.Health");
            reflection.close();
        }
    }
}
