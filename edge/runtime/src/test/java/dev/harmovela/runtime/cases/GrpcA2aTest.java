package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.Delivery;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.grpc.GrpcCall;
import dev.harmovela.grpc.GrpcChannel;
import dev.harmovela.grpc.GrpcEnd;
import dev.harmovela.proto.ProtoService;
import dev.harmovela.proto.RpcStatus;
import dev.harmovela.runtime.security.SecurityStore;
import dev.harmovela.runtime.security.Tenant;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A2A over gRPC on a hub that knows its callers by tokens: A2A-01, SEC-02, SEC-10, TRN-15. */
class GrpcA2aTest {

    private static final ProtoService SERVICE = ProtoService.a2a();
    private static final Json CARD = Json.parse("{\"name\":\"Worker\",\"version\":\"1.0.0\"}");

    @TempDir
    private Path data;

    private SecurityStore store;
    private Running hub;
    private HarmovelaClient worker;
    private GrpcChannel channel;
    private String owner;
    private String reader;
    private List<String> strangers;
    private String route;

    /** What a call led to. */
    private record Outcome(List<Json.Obj> responses, GrpcEnd end) {

        Json.Obj one() {
            assertThat(end.status()).as(end.toString()).isEqualTo("OK");
            assertThat(responses).hasSize(1);
            return responses.getFirst();
        }

        /** The reason of the {@code ErrorInfo}. */
        String reason() throws Exception {
            Json.Obj status = RpcStatus.toJson(Objects.requireNonNull(end.details()));
            assertThat(status.integer("code")).isEqualTo(end.code());
            return ((Json.Obj) status.array("details").items().getFirst()).string("reason");
        }
    }

    @BeforeEach
    void start() throws Exception {
        store = new SecurityStore(data.resolve(SecurityStore.NAME), EventRegistry.standard());
        store.issueAdmin(data, 0);
        store.edit(before -> before.with(Tenant.parse("other", Json.Obj.of())));
        String workers = token("agent:worker", "default", "supervisor");
        owner = token("agent:owner", "default", "publisher");
        reader = token("agent:reader", "default", "viewer");
        strangers = List.of(token("agent:b", "default", "publisher"), token("agent:owner", "other", "admin"));
        hub = Running.in(data, "dev", "false", "grpc.port", "0");
        ClientOptions options = ClientOptions.of("agent:worker")
                .withToken(workers)
                .withCapabilities(Json.Obj.of().with("agent_card", CARD));
        worker = HarmovelaClient.connect(hub.url(), options, this::work);
        channel = GrpcChannel.to(Objects.requireNonNull(hub.daemon().grpcAddress()), GrpcChannel.Security.PLAIN);
        route = route();
    }

    @AfterEach
    void stop() {
        channel.close();
        worker.close();
        hub.close();
    }

    private String token(String identity, String tenant, String role) throws Exception {
        return store.issue(
                        new SecurityStore.Order(identity, tenant, List.of(role), List.of(), List.of(), Long.MAX_VALUE),
                        0)
                .secret();
    }

    private void work(Delivery delivery) {
        String task = delivery.event().string("task_id");
        if (delivery.type().equals("task.submitted") && task != null) {
            for (String type : List.of("task.started", "task.completed")) {
                var _ = worker.send(Json.Obj.builder()
                        .put("type", type)
                        .put("task_id", task)
                        .put("payload", Json.Obj.builder().put("task_id", task).build())
                        .build());
            }
        }
    }

    /** The tenant that the card's gRPC entry tells clients to copy; it names the agent. */
    private String route() throws Exception {
        HttpApi.Reply card = hub.get("/a2a/agents/worker/.well-known/agent-card.json");
        for (Json each : card.object().array("supportedInterfaces").items()) {
            Json.Obj entry = (Json.Obj) each;
            if ("GRPC".equals(entry.string("protocolBinding"))) {
                assertThat(entry.string("url")).isEqualTo(hub.daemon().grpcAddress());
                return Objects.requireNonNull(entry.string("tenant"));
            }
        }
        throw new AssertionError("no gRPC entry in " + card);
    }

    private Outcome call(@Nullable String token, String method, Json.Obj request, String... metadata) throws Exception {
        ProtoService.Method described = Objects.requireNonNull(SERVICE.method(method));
        return call(token, described, described.request().toBytes(request), metadata);
    }

    private Outcome call(@Nullable String token, ProtoService.Method method, byte[] message, String... metadata)
            throws Exception {
        Map<String, String> headers = new HashMap<>(Map.of("a2a-version", "1.0"));
        if (token != null) {
            headers.put("authorization", "Bearer " + token);
        }
        for (int i = 0; i < metadata.length; i += 2) {
            headers.put(metadata[i], metadata[i + 1]);
        }
        GrpcChannel.Kind kind = method.streams() ? GrpcChannel.Kind.SERVER_STREAMING : GrpcChannel.Kind.UNARY;
        try (GrpcCall call = channel.call(SERVICE.name() + "/" + method.name(), kind, headers)) {
            call.send(message);
            call.halfClose();
            List<Json.Obj> responses = new ArrayList<>();
            while (true) {
                switch (Objects.requireNonNull(call.receive(Running.PATIENCE), "nothing came")) {
                    case GrpcCall.Step.Data(byte[] bytes) ->
                        responses.add(method.response().toJson(new ByteArrayInputStream(bytes)));
                    case GrpcCall.Step.End(GrpcEnd end) -> {
                        return new Outcome(responses, end);
                    }
                }
            }
        }
    }

    private static Json.Obj message(String tenant) {
        Json message = Json.parse("{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"do it\"}]}");
        return Json.Obj.of().with("message", message).with("tenant", Json.of(tenant));
    }

    private Json.Obj id(String task) {
        return Json.Obj.builder().put("id", task).put("tenant", route).build();
    }

    @Test
    void theCardsRouteLeadsToTheAgentAndMetadataDoToo() throws Exception {
        Json.Obj task = call(owner, "SendMessage", message(route)).one().object("task");
        assertThat(task.object("status").string("state")).isEqualTo("TASK_STATE_COMPLETED");
        Json.Obj again = call(owner, "GetTask", id(task.string("id"))).one();
        assertThat(again).isEqualTo(task);
        Json.Obj named = call(owner, "SendMessage", message("default"), "a2a-agent", "worker")
                .one();
        assertThat(named.object("task")).isNotNull();
        Json.Obj listed = call(owner, "ListTasks", Json.Obj.of().with("tenant", Json.of(route)))
                .one();
        assertThat(listed.integer("totalSize")).isEqualTo(2);
    }

    @Test
    void aStreamShowsTheTaskFirstAndItsEndLast() throws Exception {
        Outcome streamed = call(owner, "SendStreamingMessage", message(route));
        assertThat(streamed.end().ok()).isTrue();
        assertThat(streamed.responses().getFirst().has("task")).isTrue();
        assertThat(streamed.responses().getLast().toString()).contains("TASK_STATE_COMPLETED");
    }

    /** SEC-02, SEC-10: a foreign task, a foreign tenant and nothing at all are told in the same words. */
    @Test
    void sec_02_sec_10_whatIsForeignIsAsIfItWereNotThere() throws Exception {
        String task =
                call(owner, "SendMessage", message(route)).one().object("task").string("id");
        for (String stranger : strangers) {
            Outcome foreign = call(stranger, "GetTask", id(task));
            Outcome missing = call(stranger, "GetTask", id("none"));
            assertThat(foreign.end().ok()).isFalse();
            assertThat(foreign.end().toString()).isEqualTo(missing.end().toString());
        }
        Json.Obj inTenant =
                Json.Obj.builder().put("id", task).put("tenant", "other").build();
        Outcome tenant = call(owner, "GetTask", inTenant);
        assertThat(tenant.end().status()).isEqualTo("NOT_FOUND");
        assertThat(tenant.reason()).isEqualTo("TASK_NOT_FOUND");
    }

    @Test
    void nobodySendsWithoutATokenAndNobodySendsWithoutTheRight() throws Exception {
        assertThat(call(null, "SendMessage", message(route)).end().status()).isEqualTo("UNAUTHENTICATED");
        assertThat(call("hvt_wrong", "SendMessage", message(route)).end().status())
                .isEqualTo("UNAUTHENTICATED");
        assertThat(call(reader, "SendMessage", message(route)).end().status()).isEqualTo("PERMISSION_DENIED");
    }

    @Test
    void a2a01_anotherVersionIsRefusedBeforeAnythingElse() throws Exception {
        for (String version : List.of("99.0", "0.3", "")) {
            for (String method : List.of("SendMessage", "SendStreamingMessage")) {
                Outcome refused = call(owner, method, message(route), "a2a-version", version);
                assertThat(refused.end().status()).isEqualTo("FAILED_PRECONDITION");
                assertThat(refused.reason()).isEqualTo("VERSION_NOT_SUPPORTED");
            }
        }
        assertThat(call(owner, "SendMessage", message(route), "a2a-version", "1.0.3")
                        .end()
                        .ok())
                .isTrue();
    }

    @Test
    void trn15WhatIsTooLargeAndWhatIsNoMessageIsTold() throws Exception {
        ProtoService.Method send = Objects.requireNonNull(SERVICE.method("SendMessage"));
        assertThat(call(owner, send, new byte[] {0x0a, 0x7f}).end().status()).isEqualTo("INVALID_ARGUMENT");
        assertThat(call(owner, send, new byte[6 << 20]).end().status()).isEqualTo("RESOURCE_EXHAUSTED");
        Json.Obj large = message(route);
        Json text = Json.parse("[{\"text\":\"" + "x".repeat(2 << 20) + "\"}]");
        large = large.with("message", large.object("message").with("parts", text));
        assertThat(call(owner, "SendMessage", large).end().status()).isEqualTo("INVALID_ARGUMENT");
    }
}
