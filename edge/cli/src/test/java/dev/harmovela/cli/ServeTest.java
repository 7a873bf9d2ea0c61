package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.Version;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CLI-03: a hub that cannot start says so in one sentence, says what to do, and does not exit 0. */
class ServeTest {

    @TempDir
    private Path folder;

    private static void isOneSentenceAndAHint(Cli.Ran ran) {
        assertThat(ran.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err().lines()).hasSize(2);
        assertThat(ran.err()).doesNotContain("Exception", "\tat ");
    }

    @Test
    void cli03ATakenPortNamesThePortTheSettingAndTheHubThatHasIt() throws Exception {
        try (Daemon first = Daemon.start(ConfigLoader.development(0))) {
            String port = Integer.toString(first.port());
            Cli.Ran ran = Cli.run("serve", "--dev", "--port", port);
            isOneSentenceAndAHint(ran);
            assertThat(ran.err())
                    .contains("Port " + port + " of 127.0.0.1 is taken by another hub")
                    .contains("version " + Version.NUMBER)
                    .contains("process " + ProcessHandle.current().pid())
                    .contains("--port", "HARMOVELA_PORT");
            Cli.Ran json = Cli.run("start", "--dev", "--port", port, "--json");
            assertThat(json.code()).isEqualTo(ExitCodes.FAILED);
            assertThat(json.error().string("code")).isEqualTo("port_taken");
        }
    }

    @Test
    void cli03ATakenPortOfSomebodyElseNamesThePortAndTheSetting() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Cli.Ran ran = Cli.run("serve", "--dev", "--port", Integer.toString(other.getLocalPort()));
            isOneSentenceAndAHint(ran);
            assertThat(ran.err()).contains("cannot listen on 127.0.0.1:" + other.getLocalPort(), "HARMOVELA_PORT");
        }
    }

    @Test
    void cli03ALockedDataDirectoryNamesTheProcessAndTheAddressOfItsHub() throws Exception {
        Map<String, String> environment = new HashMap<>(Cli.SMALL);
        environment.put("HARMOVELA_DATA", folder.resolve("data").toString());
        environment.put("HARMOVELA_PORT", "0");
        try (Daemon first =
                Daemon.start(ConfigLoader.load(new ConfigLoader.Sources(folder, environment, null, Map.of()))
                        .config())) {
            Cli.Ran ran = Cli.run(environment, "serve");
            isOneSentenceAndAHint(ran);
            assertThat(ran.err())
                    .contains("data directory " + folder.resolve("data"))
                    .contains("process " + ProcessHandle.current().pid())
                    .contains(first.url().toString())
                    .contains("--data");
            assertThat(Cli.run(Map.of("HARMOVELA_DATA", folder.resolve("data").toString()), "status")
                            .code())
                    .as("other commands find the hub by its directory")
                    .isZero();
        }
    }

    @Test
    void cli03ADataDirectoryThatCannotBeMadeIsToldBeforeAnythingStarts() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        Cli.Ran ran =
                Cli.run("serve", "--port", "0", "--data", file.resolve("below").toString());
        isOneSentenceAndAHint(ran);
        assertThat(ran.err()).contains(file.toString(), "--data");
    }

    @Test
    void cli03AnUnreadableConfigurationIsTold() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.yaml"), "port: [");
        isOneSentenceAndAHint(Cli.run("serve", "--config", broken.toString()));
        Cli.Ran missing =
                Cli.run("serve", "--config", folder.resolve("missing.json").toString());
        isOneSentenceAndAHint(missing);
        assertThat(missing.err()).contains("missing.json");
    }

    @Test
    void anAddressThatOthersCanReachNeedsAWordThatSaysWhatItRisks() {
        Cli.Ran ran = Cli.run("serve", "--host", "0.0.0.0", "--port", "0");
        isOneSentenceAndAHint(ran);
        assertThat(ran.err()).contains("0.0.0.0", "tokens and events", "--insecure-network");
    }
}
