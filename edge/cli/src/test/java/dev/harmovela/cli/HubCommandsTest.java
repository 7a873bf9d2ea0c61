package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands against a running hub. */
class HubCommandsTest {

    private static Daemon hub;

    @BeforeAll
    static void start() throws Exception {
        hub = Daemon.start(ConfigLoader.development(0));
        run("task", "submit", "first", "--task-id", "known");
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static Cli.Ran run(String... arguments) {
        return Cli.at(hub.url(), arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "stats",
                "task ls",
                "task list --state live",
                "task show known",
                "task submit again",
                "sessions ls",
                "sessions list",
                "subscriptions ls",
                "subscriptions list",
                "deliveries ls",
                "deliveries list",
                "pub context.updated {\"n\":1}",
                "emit context.updated --payload {\"n\":1}",
                "config show",
                "completion bash"
            })
    void eachCommandAnswersInOneEnvelopeAndInText(String command) {
        Cli.Ran json = run(Stream.concat(Stream.of(command.split(" ")), Stream.of("--json"))
                .toArray(String[]::new));
        assertThat(json.code()).isZero();
        assertThat(json.json().names()).containsExactly("ok", "data");
        assertThat(json.json().bool("ok")).isTrue();
        assertThat(json.err()).isEmpty();
        Cli.Ran text = run(command.split(" "));
        assertThat(text.code()).isZero();
        assertThat(text.out() + text.err()).isNotBlank().doesNotContain("{\"ok\"");
    }

    @Test
    void whatIsPublishedComesBackDigitForDigit() {
        String payload = "{\"value\":1724442618569203714,\"amount\":1.10,\"e\":1e400}";
        Cli.Ran stored = run("pub", "context.updated", payload, "--topic", "env-03", "--set", "x_note=kept", "--json");
        assertThat(stored.out()).contains("\"accepted\":true", "\"cursor\"");
        Cli.Ran seen = run("sub", "context.*", "--topic", "env-03", "--from", "earliest", "--count", "1", "--json");
        assertThat(seen.code()).isZero();
        assertThat(seen.out()).contains("\"payload\":" + payload).contains("\"x_note\":\"kept\"");
        Json.Obj event = seen.json();
        assertThat(event.string("id")).isEqualTo(stored.data().string("id"));
        assertThat(event.object("delivery").integer("sequence")).isEqualTo(1);
    }

    @Test
    void theFirstFiveMinutes() {
        run("pub", "task.submitted", "{\"description\":\"try\"}", "--task-id", "minutes");
        Cli.Ran seen = run("sub", "task.submitted", "--task-id", "minutes", "--from", "earliest", "--count", "1");
        assertThat(seen.out())
                .contains("task.submitted  from agent:cli  task minutes", "id evt_", "sequence 1  cursor ");
        Cli.Ran mistyped = run("pub", "task.progress", "--task-id", "minutes", "{\"progress\":7}");
        assertThat(mistyped.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(mistyped.err()).contains("payload.progress");
    }

    @Test
    void refusalsKeepTheirDetails() {
        Cli.Ran ran = run("pub", "task.submitted", "{\"timeout_ms\":\"soon\"}", "--json");
        assertThat(ran.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(ran.error().string("code")).isEqualTo("invalid_payload");
        assertThat(ran.error().object("details").string("path")).isEqualTo("payload.timeout_ms");
        assertThat(ran.error().string("url")).isEqualTo(hub.url().toString());
    }

    @Test
    void theSameIdTwiceCountsOnce() {
        assertThat(run("pub", "context.updated", "{\"n\":2}", "--id", "once").out())
                .contains("stored at");
        assertThat(run("pub", "context.updated", "{\"n\":2}", "--id", "once").out())
                .contains("was there already");
        Cli.Ran other = run("pub", "context.updated", "{\"n\":3}", "--id", "once", "--json");
        assertThat(other.error().string("code")).isEqualTo("conflict");
    }

    @Test
    void aPayloadThatIsNoJsonIsAUsageError() {
        assertThat(run("pub", "context.updated", "{n:1}").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(run("pub", "context.updated", "[1]").err()).contains("no JSON object");
        assertThat(run("pub", "context.updated", "{}", "--payload", "{}").err()).contains("given twice");
    }

    @Test
    void linesFromStandardInputAreEachAnswered() throws Exception {
        String lines = """
                {"type":"context.updated","topic":"lines","payload":{"n":1}}

                not json
                {"type":"context.updated","topic":"lines","payload":{"n":2}}
                {"type":"no.such.type"}
                """;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(out, true, StandardCharsets.UTF_8));
        try (HarmovelaClient client = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:lines"))) {
            EmitLines emit = new EmitLines(client, console, hub.url());
            assertThat(catchThrowable(() -> emit.run(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)))))
                    .isInstanceOfSatisfying(
                            Failure.class,
                            failure -> assertThat(
                                            failure.toJson().object("details").toString())
                                    .contains(
                                            "\"stored\":2",
                                            "\"refused\":2",
                                            "\"line\":3",
                                            "\"line\":5",
                                            "unknown_event_type"));
        }
        Cli.Ran seen = run("sub", "--topic", "lines", "--from", "earliest", "--count", "2", "--json");
        assertThat(seen.out()).contains("{\"n\":1}", "{\"n\":2}");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("line 3: invalid_envelope", "line 5: unknown_event_type");
    }

    @Test
    void aSubscriptionThatTheHubRefusesFails() {
        Cli.Ran ran = run("sub", "task.**", "--json");
        assertThat(ran.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(ran.error().string("code")).isEqualTo("subscription_rejected");
        assertThat(run("sub", "--count", "1").err()).contains("types").contains("topic");
    }

    @Test
    void aCountThatIsNotReachedInTimeFails() {
        Cli.Ran ran = run("sub", "freshness.*", "--count", "1", "--timeout", "0", "--json");
        assertThat(ran.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(ran.out()).contains("\"code\":\"timeout\"");
    }

    @Test
    void aTaskIsSubmittedFollowedAndShown() throws Exception {
        try (HarmovelaClient worker = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:w"))) {
            for (String type : List.of("task.started", "task.completed")) {
                if (type.equals("task.started")) {
                    run("task", "submit", "do it", "--task-id", "followed", "--priority", "3");
                }
                worker.send(Json.Obj.builder()
                                .put("type", type)
                                .put("task_id", "followed")
                                .put(
                                        "payload",
                                        Json.Obj.builder()
                                                .put("task_id", "followed")
                                                .build())
                                .build())
                        .get(20, TimeUnit.SECONDS);
            }
        }
        Cli.Ran watched = run("task", "watch", "followed", "--json");
        assertThat(watched.code()).isZero();
        assertThat(watched.out().lines())
                .allSatisfy(line -> assertThat(line).startsWith("{").contains("\"task."))
                .hasSizeGreaterThanOrEqualTo(3);
        Cli.Ran shown = run("task", "show", "followed");
        assertThat(shown.out()).contains("Task followed: COMPLETED", "agent:w", "task.submitted", "task.completed");
    }

    @Test
    void aCancelledTaskIsAFailureForWhoWaitsForItsResult() {
        run("task", "submit", "never", "--task-id", "gone");
        Cli.Ran cancelled = run("task", "cancel", "gone", "--reason", "no need", "--watch");
        assertThat(cancelled.code()).isZero();
        assertThat(cancelled.out()).contains("task.cancelled");
        Cli.Ran watched = run("task", "watch", "gone");
        assertThat(watched.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(watched.err()).isEqualTo("Task gone ended as cancelled.\n");
    }

    @Test
    void whatIsNotThereIsSaidSo() {
        for (String command :
                List.of("task show nobody", "task watch nobody", "sessions show nobody", "subscriptions show nobody")) {
            Cli.Ran ran = run(command.split(" "));
            assertThat(ran.code()).as(command).isEqualTo(ExitCodes.FAILED);
            assertThat(ran.err()).contains("The hub refused: no such");
        }
    }

    @Test
    void aSubscriptionOfTheApiIsEndedOneOfASessionIsNot() throws Exception {
        try (Api api = new Api(hub.url(), new HttpApi(hub.url(), null, Duration.ofSeconds(20)));
                HarmovelaClient client = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:sub"))) {
            String own = api.post("subscriptions", Json.parse("{\"types\":[\"state.*\"]}"))
                    .string("subscription_id");
            assertThat(run("subscriptions", "show", own).out()).contains("state.*");
            assertThat(run("subscriptions", "rm", own).code()).isZero();
            assertThat(run("subscriptions", "show", own).code()).isEqualTo(ExitCodes.FAILED);
            String foreign = client.subscribe((Json.Obj) Json.parse("{\"types\":[\"state.*\"]}"), delivery -> {})
                    .get(20, TimeUnit.SECONDS)
                    .id();
            Cli.Ran refused = run("subscriptions", "rm", foreign);
            assertThat(refused.code()).isEqualTo(ExitCodes.FAILED);
            assertThat(refused.err()).contains("belongs to a session");
            assertThat(run("sessions", "show", client.sessionId()).out()).contains("agent:sub", "READY");
        }
    }

    @Test
    void statusNamesTheProcess() {
        assertThat(run("status", "--json").data().integer("pid"))
                .isEqualTo(ProcessHandle.current().pid());
    }
}
