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
