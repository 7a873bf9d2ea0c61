package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that need no hub. */
class LocalCommandsTest {

    @TempDir
    private Path folder;

    @Test
    void initWritesAConfigurationOnceAndConfigShowReadsIt() throws Exception {
        Path file = folder.resolve("harmovela.config.yaml");
        assertThat(Cli.run("init", file.toString()).code()).isZero();
        Cli.Ran again = Cli.run("init", file.toString(), "--json");
        assertThat(again.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(again.error().string("hint")).contains("--force");
        Files.writeString(file, Files.readString(file).replace("#port: 8787", "port: 1234"));
        Cli.Ran shown = Cli.run(
                Map.of("HARMOVELA_LOG_LEVEL", "warn"),
                "config",
                "show",
                "--changed",
                "--config",
                file.toString(),
                "--json");
        assertThat(shown.data().string("file")).isEqualTo(file.toString());
        assertThat(shown.out())
                .contains("{\"setting\":\"port\",\"value\":1234,\"origin\":\"file " + file + "\"")
                .contains(
                        "{\"setting\":\"log_level\",\"value\":\"warn\",\"origin\":\"environment HARMOVELA_LOG_LEVEL\"");
        assertThat(Cli.run("init", file.toString(), "--force").code()).isZero();
    }

    @Test
    void theDoctorSaysOfEachThingWhetherItIsWell() {
        Cli.Ran ran = Cli.run(
                "doctor", "--port", "0", "--data", folder.resolve("data").toString(), "--json");
        assertThat(ran.code()).isZero();
        Json.Arr checks = ran.data().array("checks");
        assertThat(checks.items().stream().map(check -> Table.text(check, "check")))
                .containsExactly(
                        "java", "config", "port", "security", "links", "files", "clock", "disk", "store", "search");
        assertThat(checks.items().stream().map(check -> Table.text(check, "verdict")))
                .isSubsetOf("ok", "warn");
    }

    @Test
    void theDoctorFailsWhenSomethingIsBroken() {
        Cli.Ran text = Cli.run("doctor", "--host", "0.0.0.0", "--data", folder.toString());
        assertThat(text.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(text.out()).contains("bad   port", "--insecure-network");
        Cli.Ran json = Cli.run("doctor", "--host", "0.0.0.0", "--data", folder.toString(), "--json");
        assertThat(json.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(json.error().object("details").array("checks").items()).hasSize(10);
    }

    @Test
    void theDoctorHasNothingToMendWhereNothingIs() {
        Cli.Ran ran = Cli.run("doctor", "--repair", "--port", "0", "--data", folder.toString());
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("repair").contains("nothing to mend");
    }

    @Test
    void rebuildNeedsAJournal() {
        Cli.Ran ran = Cli.run("rebuild", "--data", folder.toString());
        assertThat(ran.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(ran.err()).contains("There is no journal in " + folder);
    }

    @Test
    void theCompletionScriptsAreScripts() throws Exception {
        for (String shell : new String[] {"bash", "zsh"}) {
            Cli.Ran ran = Cli.run("completion", shell);
            Path script = Files.writeString(folder.resolve(shell), ran.out());
            Process check = new ProcessBuilder("bash", "-n", script.toString()).start();
            assertThat(check.waitFor()).as(shell).isZero();
            assertThat(ran.out()).contains("subscribe", "conformance");
        }
        assertThat(Cli.run("completion", "fish").code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void conformanceOfTheCoreWritesItsReports() throws Exception {
        Path junit = folder.resolve("junit.xml");
        Path report = folder.resolve("report.json");
        Cli.Ran ran = Cli.run(
                "conformance",
                "--profile=core",
                "--level",
                "C0",
                "--json",
                "--junit",
                "" + junit,
                "--report",
                "" + report);
        assertThat(ran.data().string("implementation")).isEqualTo("harmovela");
        assertThat(ran.data().object("summary").integer("total")).isPositive();
        assertThat(ran.code()).isEqualTo(Boolean.TRUE.equals(ran.json().bool("ok")) ? 0 : 1);
        assertThat(Files.readString(junit)).contains("<testsuite");
        assertThat(Files.readString(report)).contains("transcript_sha256");
    }

    @Test
    void conformanceRefusesWhatDoesNotExist() {
        Map<String, String> none = new HashMap<>();
        Stream.of(
                        new String[] {"--profile=nope"},
                        new String[] {"--level=C9"},
                        new String[] {"--target", "carrier-pigeon"},
                        new String[] {"http://127.0.0.1:9/a2a"},
                        new String[] {"--profile", "official-a2a-v1.0"})
                .forEach(words -> {
                    String[] all = Stream.concat(Stream.of("conformance"), Stream.of(words))
                            .toArray(String[]::new);
                    assertThat(Cli.run(none, all).code())
                            .as("%s", (Object) words)
                            .isEqualTo(ExitCodes.USAGE);
                });
        Cli.Ran agent = Cli.run(
                "conformance",
                "http://127.0.0.1:9/a2a",
                "--profile",
                "official-a2a-v1.0",
                "--bearer-token",
                "MARK-1",
                "--json");
        assertThat(agent.error().string("hint")).contains("a2amesh");
        assertThat(agent.out() + agent.err()).doesNotContain("MARK-1");
    }

    @Test
    void conformanceOfAHubThatIsNotThere() {
        Cli.Ran ran = Cli.run("conformance", "--target", "ws://127.0.0.1:1/harmovela", "--json");
        assertThat(ran.code()).isEqualTo(ExitCodes.NOT_REACHABLE);
        assertThat(ran.error().string("code")).isEqualTo("not_reachable");
    }

    @Test
    void theDemonstrationRunsToItsEnd() {
        Cli.Ran ran = Cli.run("demo");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("Scenario 1", "'report' is COMPLETED", "'survey' is CANCELLED")
                .contains("Scenario 2", "loses its connection", "all 5 events arrived");
        Cli.Ran second = Cli.run("demo", "--scenario", "2", "--json");
        assertThat(second.data().array("scenarios").items()).hasSize(1);
        assertThat(Cli.run("demo", "--scenario", "5").code()).isEqualTo(ExitCodes.USAGE);
    }
}
