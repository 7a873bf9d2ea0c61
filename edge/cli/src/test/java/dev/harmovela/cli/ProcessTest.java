package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hub as an operating system sees it: streams, signals, exit codes. */
class ProcessTest {

    @TempDir
    private Path folder;

    private static final String FLOW = """
            {"type":"session.open","source":"agent:a","capabilities":{"profiles":["harmovela.core.v1"]}}
            {"spec_version":"0.2","id":"e1","type":"task.submitted","source":"agent:a",\
            "created_at":"2026-07-10T10:00:00Z","task_id":"t1","payload":{"task_id":"t1"}}
            this line is not JSON
            []
            {"spec_version":"0.2","id":"e2","type":"no.such.type","source":"agent:a",\
            "created_at":"2026-07-10T10:00:00Z","payload":{}}

            {"spec_version":"0.2","id":"e3","type":"task.started","source":"agent:a",\
            "created_at":"2026-07-10T10:00:00Z","task_id":"t1","payload":{"task_id":"t1"}}
            """;

    @Test
    void trn01EveryByteOnStandardOutputIsAnEvent() throws Exception {
        Path input = Files.writeString(folder.resolve("flow.ndjson"), FLOW);
        try (Hub hub = Hub.start(folder, Redirect.from(input.toFile()), "stdio", "--log-level", "debug")) {
            assertThat(hub.waitFor()).isZero();
            assertThat(hub.out()).endsWith("\n");
            assertThat(hub.out().lines()).hasSizeGreaterThan(5).allSatisfy(line -> {
                assertThat(Json.parse(line)).isInstanceOf(Json.Obj.class);
                assertThat(((Json.Obj) Json.parse(line)).string("spec_version")).isEqualTo("0.2");
            });
            assertThat(hub.out()).contains("\"causation_id\":\"e1\"", "\"causation_id\":\"e3\"", "session.closed");
            assertThat(hub.err()).contains("invalid_envelope");
        }
    }

    @Test
    void trn01AWrongCommandLineLeavesStandardOutputAlone() throws Exception {
        try (Hub hub = Hub.start(folder, Redirect.from(Path.of("/dev/null").toFile()), "stdio", "--nonsense")) {
            assertThat(hub.waitFor()).isEqualTo(ExitCodes.USAGE);
            assertThat(hub.out()).isEmpty();
            assertThat(hub.err()).contains("There is no option --nonsense.");
        }
    }

    @Test
    void aSignalDrainsTheHubAndItsTasksAreThereWhenItStartsAgain() throws Exception {
        String data = folder.resolve("data").toString();
        try (Hub hub = Hub.serve(folder, "--dev", "--data", data)) {
            assertThat(Files.readString(folder.resolve("data/hub.json")))
                    .contains(hub.url().toString());
            assertThat(Cli.at(hub.url(), "task", "submit", "work", "--task-id", "kept")
                            .code())
                    .isZero();
            assertThat(Cli.at(hub.url(), "task", "submit", "work", "--task-id", "over")
                            .code())
                    .isZero();
            assertThat(Cli.at(hub.url(), "task", "cancel", "over", "--watch").code())
                    .isZero();
            hub.process().destroy();
            assertThat(hub.waitFor()).isZero();
            assertThat(folder.resolve("data/hub.json")).doesNotExist();
        }
        Cli.Ran rebuilt = Cli.run(Cli.SMALL, "rebuild", "--data", data, "--json");
        assertThat(rebuilt.code()).isZero();
        assertThat(rebuilt.data().integer("applied_lsn")).isPositive();
        try (Hub hub = Hub.serve(folder, "--dev", "--data", data)) {
            assertThat(Cli.at(hub.url(), "task", "show", "kept").out()).contains("task.submitted");
            assertThat(Cli.at(hub.url(), "task", "show", "over").out()).contains("CANCELLED");
            Cli.Ran ended = Cli.at(hub.url(), "task", "ls", "--ended");
            assertThat(ended.out()).contains("over", "CANCELLED").doesNotContain("kept");
            assertThat(Cli.at(hub.url(), "task", "ls", "--state", "cancelled", "--submitter", "agent:cli")
                            .out())
                    .contains("over");
            assertThat(Cli.at(hub.url(), "task", "ls", "--ended", "--ended-to", "2020-01-01T00:00:00Z")
                            .err())
                    .contains("No tasks.");
        }
    }

    @Test
    void aHubThatWasKilledIsNotTakenForARunningOne() throws Exception {
        String data = folder.resolve("data").toString();
        try (Hub hub = Hub.serve(folder, "--data", data)) {
            hub.process().destroyForcibly();
            hub.waitFor();
        }
        assertThat(folder.resolve("data/hub.json")).exists();
        assertThat(Cli.run(Map.of("HARMOVELA_PORT", "1"), "status", "--data", data)
                        .code())
                .isEqualTo(ExitCodes.NOT_REACHABLE);
        Cli.Ran doctor = Cli.run("doctor", "--port", "0", "--data", data);
        assertThat(doctor.code()).isZero();
        assertThat(doctor.out()).contains("all checksums hold");
    }
}
