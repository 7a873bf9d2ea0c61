package dev.harmovela.cli.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** STO-01, in short: what a hub acknowledged survives {@code kill -9}. The long form is {@code ./dev kill9}. */
@Tag("proc")
@Tag("faults")
class KillNineTest {

    private static final int EVENTS = Integer.getInteger("harmovela.kill9.events", 5_000);
    private static final int ROUNDS = Integer.getInteger("harmovela.kill9.rounds", 50);

    @TempDir
    private Path folder;

    @Test
    void whatWasAcknowledgedSurvives() throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.harmovela.cli.Main");
        Map<String, String> environment = Map.of("HARMOVELA_JOURNAL_SEGMENT_BYTES", "1048576");
        assertThat(KillNineProof.run(new KillNineProof.Plan(command, environment, folder, EVENTS, ROUNDS)))
                .isEmpty();
    }
}
