package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.Delivery;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.security.SecurityStore;
import dev.harmovela.runtime.security.Tenant;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A2A on a hub that knows its callers by tokens: the same doors as everywhere else (§7). */
class SecuredA2aTest {

    private static final String AGENT = "/a2a/agents/worker";
    private static final Json CARD = Json.parse("{\"name\":\"Worker\",\"version\":\"1.0.0\"}");

    @TempDir
    Path data;

    private final HttpClient http = HttpClient.newHttpClient();
    private SecurityStore store;
    private Daemon hub;
    private HarmovelaClient worker;
    private String workers;
    private String owner;
    private String reader;
    private List<String> strangers;

    @BeforeEach
    void start() throws Exception {
        store = new SecurityStore(data.resolve(SecurityStore.NAME), EventRegistry.standard());
        store.issueAdmin(data, 0);
        store.edit(before -> before.with(Tenant.parse("other", Json.Obj.of())));
        workers = token("agent:worker", "default", "supervisor");
        owner = token("agent:owner", "default", "publisher");
        reader = token("agent:reader", "default", "viewer");
        strangers = List.of(token("agent:b", "default", "publisher"), token("agent:owner", "other", "admin"));
        hub = serve();
        worker = attach();
    }

    private HarmovelaClient attach() throws Exception {
        ClientOptions options = ClientOptions.of("agent:worker")
                .withToken(workers)
                .withCapabilities(Json.Obj.of().with("agent_card", CARD));
        return HarmovelaClient.connect(hub.url(), options, this::work);
    }

    @AfterEach
    void stop() {
        worker.close();
        hub.close();
        http.close();
    }

    private Daemon serve() throws Exception {
        Map<String, String> settings = Map.of(
                "HARMOVELA_PORT",
                "0",
                "HARMOVELA_DATA",
                data.toString(),
                "HARMOVELA_DRAIN_GRACE_MS",
                "50",
                "HARMOVELA_LOG_LEVEL",
                "error",
                "HARMOVELA_JOURNAL_SEGMENT_BYTES",
                "1048576");
        return Daemon.start(ConfigLoader.load(new ConfigLoader.Sources(Path.of(""), settings, null, Map.of()))
                .config());
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

    /** SEC-02 over A2A: a task is its owner's, and to all others it is not there, in the same words. */
    @Test
    void sec_02_a_foreign_task_is_as_if_it_were_not_there() throws Exception {
        String id = text(send(owner, AGENT, "m1"), "task", "id");
        assertThat(get(owner, AGENT + "/tasks/" + id).statusCode()).isEqualTo(200);
        for (String stranger : strangers) {
            HttpResponse<String> foreign = get(stranger, AGENT + "/tasks/" + id);
            HttpResponse<String> missing = get(stranger, AGENT + "/tasks/none");
            assertThat(foreign.statusCode()).isEqualTo(missing.statusCode()).isNotEqualTo(200);
            assertThat(foreign.body()).isEqualTo(missing.body().replace("none", id));
        }
    }

    @Test
    void nobodySendsWithoutATokenAndNobodySendsWithoutTheRight() throws Exception {
        assertThat(send(null, AGENT, "m1").statusCode()).isEqualTo(401);
        assertThat(send("hvt_wrong", AGENT, "m1").statusCode()).isEqualTo(401);
        assertThat(send(reader, AGENT, "m1").statusCode()).isEqualTo(403);
        assertThat(send(owner, AGENT, "m1").statusCode()).isEqualTo(200);
    }

    @Test
    void a_task_is_there_again_after_a_restart() throws Exception {
        HttpResponse<String> sent = send(owner, AGENT, "m1");
        String id = text(sent, "task", "id");
        worker.close();
        hub.close();
        hub = serve();
        worker = attach();
        Json.Obj before = ((Json.Obj) Json.parse(sent.body())).object("task");
        assertThat(Json.parse(get(owner, AGENT + "/tasks/" + id).body())).isEqualTo(before);
    }

    private static String text(HttpResponse<String> answer, String object, String name) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return ((Json.Obj) Json.parse(answer.body())).object(object).string(name);
    }

    private HttpResponse<String> send(@Nullable String token, String agent, String messageId) throws Exception {
        String body = "{\"message\":{\"messageId\":\"" + messageId
                + "\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"do it\"}]}}";
        return http.send(
                request(token, agent + "/message:send")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String token, String path) throws Exception {
        return http.send(request(token, path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(@Nullable String token, String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub.url() + path)).header("A2A-Version", "1.0");
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }
}
