package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.conformance.a2a.A2aReport;
import dev.harmovela.conformance.a2a.ConformanceSuite;
import dev.harmovela.conformance.a2a.ReportText;
import dev.harmovela.conformance.a2a.Selection;
import dev.harmovela.conformance.a2a.SuiteOptions;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The hub's A2A endpoint with the echo agent behind it, judged by the kit and by single requests. */
class A2aEndpointTest {

    private Daemon hub;
    private EchoAgent echo;
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws Exception {
        hub = Daemon.start(ConfigLoader.development(0));
        echo = EchoAgent.attach(hub.url());
    }

    @AfterEach
    void stop() {
        echo.close();
        hub.close();
        http.close();
    }

    @Test
    @Tag("proc")
    void theKitFindsEveryRowOfEachProfileInOrder() {
        for (String profile : List.of("official-a2a-v1.0", "legacy-a2amesh", "experimental-a2a-v1.2")) {
            SuiteOptions options = SuiteOptions.of(hub.url()).withSelection(new Selection(profile, false, null, true));
            A2aReport report = new ConformanceSuite().run(options);
            assertThat(report.hasRequiredFailures()).as(profile).isFalse();
            assertThat(report.rows().stream().filter(row -> !row.fine()))
                    .as(ReportText.table(report))
                    .isEmpty();
        }
    }

    @Test
    void bothBindingsShowTheSameTask() throws Exception {
        Json.Obj task = send("m1", null);
        assertThat(task.object("status").string("state")).isEqualTo("TASK_STATE_COMPLETED");
        String id = task.string("id");
        Json.Obj byRest = get("/a2a/tasks/" + id);
        assertThat(byRest).isEqualTo(task);
    }

    @Test
    void a2a18_aRepeatedKeyGivesTheSameTaskAndAnotherMessageUnderItIsRefused() throws Exception {
        Json.Obj first = send("m1", "key-1");
        assertThat(send("m1", "key-1").string("id")).isEqualTo(first.string("id"));
        assertThat(post("m2", "key-1").object("error").integer("code")).isEqualTo(-32602);
        assertThat(send("m1", "key-2").string("id")).isNotEqualTo(first.string("id"));
    }

    @Test
    void str02_aStreamResumesBehindTheEventThatWasSeen() throws Exception {
        String id = send("tck-stream-1", null).string("id");
        HttpRequest request = request("/a2a/tasks/" + id + ":subscribe")
                .header("Last-Event-ID", "2")
                .build();
        String events = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        assertThat(events.lines().filter(line -> line.startsWith("id: "))).containsExactly("id: 2", "id: 3", "id: 4");
        assertThat(events).contains("{\"task\":", "artifactUpdate", "TASK_STATE_COMPLETED");
    }

    @Test
    void psh01_addressesInsideTheNetworkAreRefused() throws Exception {
        String id = send("tck-input-required-1", null).string("id");
        for (String url :
                List.of("http://169.254.169.254/latest/", "http://[::ffff:127.0.0.1]:8080/", "http://2130706433/")) {
            Json.Obj params =
                    Json.Obj.builder().put("taskId", id).put("url", url).build();
            assertThat(call("CreateTaskPushNotificationConfig", params, null)
                            .object("error")
                            .integer("code"))
                    .as(url)
                    .isEqualTo(-32602);
        }
    }

    @Test
    void psh02_secretsOfAWebhookAreNotShown() throws Exception {
        String id = send("tck-input-required-2", null).string("id");
        Json.Obj login = Json.Obj.builder()
                .put("scheme", "Bearer")
                .put("credentials", "cr-secret")
                .build();
        Json.Obj params = hook(id, "x").with("token", Json.of("tk-secret")).with("authentication", login);
        Json.Obj which = Json.Obj.builder().put("taskId", id).put("id", "c1").build();
        for (Json.Obj answer : List.of(
                call("CreateTaskPushNotificationConfig", params, null),
                call("GetTaskPushNotificationConfig", which, null),
                call("ListTaskPushNotificationConfigs", which, null))) {
            assertThat(answer.toString()).contains("\"Bearer\"").doesNotContain("secret");
        }
    }

    @Test
    void psh04_aConfigurationWithTheSameIdIsReplacedAndThereIsAnEndToTheirNumber() throws Exception {
        String id = send("tck-input-required-3", null).string("id");
        call("CreateTaskPushNotificationConfig", hook(id, "x"), null);
        call("CreateTaskPushNotificationConfig", hook(id, "y"), null);
        Json.Obj listed = call("ListTaskPushNotificationConfigs", hook(id, "x"), null);
        assertThat(listed.object("result").array("configs").items())
                .singleElement()
                .satisfies(each -> assertThat(((Json.Obj) each).string("url")).endsWith("/y"));
        for (int i = 2; i <= 16; i++) {
            Json.Obj more = hook(id, "x").with("id", Json.of("c" + i));
            assertThat(call("CreateTaskPushNotificationConfig", more, null).object("error"))
                    .isNull();
        }
        Json.Obj tooMany = hook(id, "x").with("id", Json.of("c17"));
        assertThat(call("CreateTaskPushNotificationConfig", tooMany, null)
                        .object("error")
                        .integer("code"))
                .isEqualTo(-32602);
    }

    private static Json.Obj hook(String task, String path) {
        return Json.Obj.builder()
                .put("taskId", task)
                .put("id", "c1")
                .put("url", "http://127.0.0.1:9/" + path)
                .build();
    }

    @Test
    void olderStreamsAndListsKeepTheirShape() throws Exception {
        String message = """
                {"message":{"kind":"message","messageId":"tck-stream-old","role":"user","contextId":"ctx-old",
                 "parts":[{"kind":"text","text":"hello"}]}}
                """;
        for (int i = 0; i < 2; i++) {
            assertThat(old("message/stream", message).lines().filter(line -> line.startsWith("data: ")))
                    .satisfiesExactly(
                            task -> assertThat(task).contains("\"kind\":\"task\"", "\"submitted\""),
                            works -> assertThat(works).contains("\"kind\":\"status-update\"", "\"final\":false"),
                            made -> assertThat(made).contains("\"kind\":\"artifact-update\"", "\"kind\":\"text\""),
                            ends -> assertThat(ends).contains("\"completed\"", "\"final\":true"));
        }
        Json.Obj all = (Json.Obj) Json.parse(old("tasks/list", "{\"contextId\":\"ctx-old\",\"limit\":1}"));
        Json.Obj rest = (Json.Obj) Json.parse(old("tasks/list", "{\"contextId\":\"ctx-old\",\"offset\":1}"));
        Json first = all.object("result").array("tasks").items().getFirst();
        Json second = rest.object("result").array("tasks").items().getFirst();
        assertThat(all.object("result").integer("totalSize")).isEqualTo(2);
        assertThat(((Json.Obj) first).string("kind")).isEqualTo("task");
        assertThat(((Json.Obj) first).string("id")).isNotEqualTo(((Json.Obj) second).string("id"));
        assertThat(old("tasks/list", "{\"offset\":-1}")).contains("-32602");
    }

    private String old(String method, String params) throws Exception {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(hub.url() + "/a2a/legacy"))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private Json.Obj send(String messageId, String key) throws Exception {
        return post(messageId, key).object("result").object("task");
    }

    private Json.Obj post(String messageId, String key) throws Exception {
        Json message = Json.Obj.builder()
                .put("messageId", messageId)
                .put("role", "ROLE_USER")
                .put("parts", Json.parse("[{\"text\":\"do it\"}]"))
                .build();
        return call("SendMessage", Json.Obj.of().with("message", message), key);
    }

    private Json.Obj call(String method, Json.Obj params, String key) throws Exception {
        Json.Obj body = Json.Obj.builder()
                .put("jsonrpc", "2.0")
                .put("id", 1L)
                .put("method", method)
                .put("params", params)
                .build();
        HttpRequest.Builder request = request("/a2a").POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        return (Json.Obj) Json.parse(
                http.send(request.build(), HttpResponse.BodyHandlers.ofString()).body());
    }

    private Json.Obj get(String path) throws Exception {
        return (Json.Obj) Json.parse(http.send(request(path).build(), HttpResponse.BodyHandlers.ofString())
                .body());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(hub.url() + path)).header("A2A-Version", "1.0");
    }
}
