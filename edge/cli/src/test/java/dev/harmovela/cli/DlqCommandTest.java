package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CLI-05: dead letters at night, with nothing but the command line. */
class DlqCommandTest {

    private Daemon hub;
    private HarmovelaClient worker;
    /** With what the worker refuses; it accepts without. */
    private final AtomicReference<ErrorCode> refusal = new AtomicReference<>(ErrorCode.NOT_SUPPORTED);

    private final LinkedBlockingQueue<String> accepted = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() throws Exception {
        hub = Daemon.start(ConfigLoader.development(0));
        worker = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:worker"));
        worker.subscribe((Json.Obj) Json.parse("{\"types\":[\"task.submitted\",\"context.*\"]}"), delivery -> {
                    ErrorCode code = refusal.get();
                    if (code == null) {
                        delivery.ack();
                        accepted.add(delivery.id());
                    } else {
                        delivery.reject(ProtocolError.of(code, "not now"));
                    }
                })
                .get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() {
        worker.close();
        hub.close();
    }

    private Cli.Ran run(String... arguments) {
        return Cli.at(hub.url(), arguments);
    }

    private void die(String... publish) {
        int before = letters().size();
        List<String> words = new ArrayList<>(List.of("pub"));
        words.addAll(List.of(publish));
        assertThat(run(words.toArray(String[]::new)).code()).isZero();
        org.awaitility.Awaitility.await().until(() -> letters().size() > before);
    }

    private List<Json> letters() {
        return run("dlq", "ls", "--json").data().array("items").items();
    }

    @Test
    void cli05LettersAreListedFilteredAndShown() {
        die("task.submitted", "--task-id", "t1");
        die("context.updated");
        Cli.Ran text = run("dlq", "ls");
        assertThat(text.out()).contains("ERROR", "not_supported", "task.submitted", "context.updated", "agent:worker");
        assertThat(run("dlq", "list", "--type", "task.*", "--json")
                        .data()
                        .array("items")
                        .items())
                .hasSize(1);
        assertThat(run("dlq", "ls", "--task", "t1", "--code", "not_supported", "--json")
                        .data()
                        .array("items")
                        .items())
                .hasSize(1);
        assertThat(run("dlq", "ls", "--task", "t2").err()).contains("No dead letters.");
        Cli.Ran shown = run("dlq", "show", "t1", "--json");
        assertThat(shown.data().object("original_event").string("task_id")).isEqualTo("t1");
        assertThat(shown.data().array("history").items()).hasSize(1);
        assertThat(run("dlq", "show", "t1").out()).contains("last_error", "not now");
        String letter = Table.text(letters().getFirst(), "id");
        String event = Table.text(letters().getFirst(), "original_event_id");
        assertThat(run("dlq", "show", letter, "--json").data())
                .isEqualTo(run("dlq", "show", event, "--json").data());
        assertThat(run("dlq", "ls", "--from", "yesterday").code()).isEqualTo(ExitCodes.FAILED);
    }

    @Test
    void cli05ATaskIsReplayedByItsIdAfterADryRun() throws Exception {
        die("task.submitted", "--task-id", "t1");
        refusal.set(null);
        Cli.Ran dry = run("dlq", "replay", "t1", "--dry-run");
        assertThat(dry.code()).isZero();
        assertThat(dry.out()).contains("1 would be replayed");
        assertThat(letters()).hasSize(1);
        Cli.Ran replay = run("dlq", "replay", "t1", "--json");
        assertThat(replay.code()).isZero();
        assertThat(replay.data().integer("replayed")).isEqualTo(1);
        assertThat(accepted.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(letters()).isEmpty();
    }

    @Test
    void cli05AFilterIsAskedAboutUnlessYesIsSaid() throws Exception {
        for (int i = 0; i < 3; i++) {
            die("context.updated");
        }
        refusal.set(null);
        Cli.Ran unsure = run("dlq", "replay", "--type", "context.*");
        assertThat(unsure.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(unsure.err()).contains("3 letters are meant.", "--yes", "--dry-run");
        assertThat(letters()).hasSize(3);
        Cli.Ran limited = run(
                "dlq",
                "replay",
                "--type",
                "context.*",
                "--limit",
                "2",
                "--batch-size",
                "1",
                "--max-per-second",
                "50",
                "--yes");
        assertThat(limited.code()).isZero();
        assertThat(limited.out()).contains("2 replayed");
        for (int i = 0; i < 2; i++) {
            assertThat(accepted.poll(10, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(letters()).hasSize(1);
        assertThat(run("dlq", "discard", "--all", "--dry-run").out()).contains("1 would be thrown away");
        assertThat(run("dlq", "drop", "--from", "2000-01-01T00:00:00Z", "--yes", "--json")
                        .data()
                        .strings("letters"))
                .hasSize(1);
        assertThat(letters()).isEmpty();
    }

    @Test
    void cli05ALetterIsThrownAwayByItsId() {
        die("task.submitted", "--task-id", "t1");
        assertThat(run("dlq", "discard", "t1").code()).isZero();
        assertThat(letters()).isEmpty();
        Cli.Ran again = run("dlq", "discard", "t1", "--json");
        assertThat(again.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(again.error().string("code")).isEqualTo("protocol_error");
    }

    @Test
    void cli05ALetterIsReplayedByItsOwnIdInTheOrderOfItsDeath() throws Exception {
        die("context.updated", "--id", "c1");
        die("context.updated", "--id", "c2");
        die("task.submitted", "--task-id", "t1");
        refusal.set(null);
        assertThat(run("dlq", "replay", "--type", "context.*", "--yes", "--json")
                        .data()
                        .integer("replayed"))
                .isEqualTo(2);
        assertThat(accepted.poll(10, TimeUnit.SECONDS)).isEqualTo("c1");
        assertThat(accepted.poll(10, TimeUnit.SECONDS)).isEqualTo("c2");
        String letter = Table.text(letters().getFirst(), "id");
        assertThat(run("dlq", "replay", letter).out()).contains("1 replayed");
        assertThat(accepted.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(letters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dlq replay",
                "dlq discard",
                "dlq replay e1 --all",
                "dlq discard --all --type task.*",
                "dlq",
                "dlq show"
            })
    void cli05AnUnclearChoiceTouchesNothing(String command) {
        die("context.updated");
        assertThat(run(command.split(" ")).code()).isEqualTo(ExitCodes.USAGE);
        assertThat(letters()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dlq show none", "dlq replay none", "dlq discard none"})
    void cli05WhatIsNotThereIsToldSo(String command) {
        Cli.Ran ran = run(command.split(" "));
        assertThat(ran.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(ran.err()).contains("no such dead letter").doesNotContain("Exception");
    }

    @Test
    void aDeliveryShowsItsStateItsAttemptAndItsNextRetry() {
        refusal.set(ErrorCode.BUSY);
        assertThat(run("pub", "task.submitted", "--task-id", "t1").code()).isZero();
        org.awaitility.Awaitility.await()
                .until(() -> run("deliveries", "ls", "--task", "t1").out().contains("retrying"));
        Cli.Ran text = run("deliveries", "ls", "--task", "t1");
        assertThat(text.out().lines().filter(line -> line.contains("retrying")))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("task.submitted", "t1", "busy", "agent:worker"));
        Json.Obj row = (Json.Obj) run("deliveries", "list", "--state", "retrying", "--json")
                .data()
                .array("items")
                .items()
                .getFirst();
        assertThat(row.integer("attempt")).isEqualTo(2);
        assertThat(row.integer("max_attempts")).isEqualTo(3);
        assertThat(row.string("next_retry_at")).isNotBlank();
        assertThat(run("deliveries", "ls", "--task", "t2").err()).contains("Every delivery has ended.");
        assertThat(run("stats").out()).contains("deliveries.pending");
    }

    /** The first five minutes, 7: a worker that fails can be played by hand. */
    @Test
    void aSubscriberThatRefusesMakesRetriesAndDeadLetters() throws Exception {
        refusal.set(null);
        Cli.Ran failing = failing("busy", 2);
        assertThat(failing.code()).isZero();
        assertThat(failing.out().lines().filter(line -> line.contains("context.updated")))
                .hasSize(2);
        org.awaitility.Awaitility.await().until(() -> letters().size() == 1);
        Json.Obj letter = (Json.Obj) letters().getFirst();
        assertThat(letter.string("owner")).isEqualTo("agent:failing");
        assertThat(letter.integer("attempts")).isEqualTo(2);
        assertThat(letter.object("last_error").string("code")).isEqualTo("busy");
        assertThat(failing("invalid_payload", 1).code()).isZero();
        org.awaitility.Awaitility.await().until(() -> letters().size() == 2);
        assertThat(((Json.Obj) letters().getFirst()).integer("attempts")).isEqualTo(1);
        assertThat(run("stats").out()).contains("deliveries.deadLettered", "deliveries.redelivered");
    }

    private Cli.Ran failing(String code, int count) throws Exception {
        Json event = Json.parse("{\"spec_version\":\"0.2\",\"id\":\"evt_" + code + "\",\"type\":\"context.updated\","
                + "\"source\":\"agent:cli\",\"topic\":\"" + code + "\",\"created_at\":\"2026-07-10T10:00:00Z\","
                + "\"delivery\":{\"mode\":\"at_least_once\",\"retry\":{\"max_attempts\":2,\"backoff_ms\":20}},"
                + "\"payload\":{}}");
        try (Api api = new Api(hub.url(), new HttpApi(hub.url(), null, Duration.ofSeconds(20)))) {
            api.post("events", event);
        }
        return run(
                "sub",
                "--topic",
                code,
                "--from",
                "earliest",
                "--as",
                "agent:failing",
                "--reject",
                code,
                "--count",
                Integer.toString(count),
                "--timeout",
                "20");
    }

    @ParameterizedTest
    @CsvSource({"--reject busy --ack, mutually exclusive", "--reject bussy, Did you mean busy?"})
    void aRefusalThatCannotBeMeantIsAWrongCall(String options, String told) {
        Cli.Ran ran = run(("sub context.* " + options).split(" "));
        assertThat(ran.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(ran.err()).contains(told);
    }

    @Test
    void cli05HelpShowsAnExample() {
        for (String command : List.of("ls", "show", "replay", "discard")) {
            assertThat(run("dlq", command, "--help").out()).contains("Example", "harmovela dlq " + command);
        }
    }
}
