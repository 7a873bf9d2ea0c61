package dev.harmovela.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.store.memory.MemoryJournal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hub from its start to its end. */
@Timeout(60)
class DaemonTest {

    @TempDir
    private Path folder;

    private DaemonConfig config(Map<String, String> options) throws ConfigProblem {
        Map<String, String> environment = Map.of("HARMOVELA_JOURNAL_SEGMENT_BYTES", "1048576", "HARMOVELA_PORT", "0");
        return ConfigLoader.load(new ConfigLoader.Sources(folder, environment, null, options))
                .config();
    }

    private static HttpResponse<String> get(URI hub, String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(hub.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void aRunningHubLeavesItsAddressInItsDataDirectory() throws Exception {
        Path data = folder.resolve(".harmovela");
        try (Daemon daemon = Daemon.start(config(Map.of()))) {
            assertThat(get(daemon.url(), "/readyz").statusCode()).isEqualTo(200);
            RunFile found = RunFile.find(data);
            assertThat(found).isNotNull();
            assertThat(found.url()).isEqualTo(daemon.url());
            assertThat(found.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(Json.parse(get(daemon.url(), "/healthz").body()))
                    .isInstanceOfSatisfying(Json.Obj.class, health -> {
                        assertThat(health.string("version")).isEqualTo(Version.NUMBER);
                        assertThat(health.integer("pid")).isEqualTo(found.pid());
                    });
        }
        assertThat(RunFile.find(data)).isNull();
        assertThat(data.resolve("journal")).isDirectory();
    }

    @Test
    void aBrokenOrForeignRunFileIsNone() throws Exception {
        for (String content : new String[] {
            "", "[]", "{\"pid\":1}", "{\"pid\":4194999,\"url\":\"http://x\",\"version\":\"1\",\"started_at\":\"now\"}"
        }) {
            Files.writeString(folder.resolve(RunFile.NAME), content);
            assertThat(RunFile.find(folder)).as(content).isNull();
        }
    }

    @Test
    void stoppingEndsWithZeroAndSaysWhatIsLeft() throws Exception {
        Daemon daemon = Daemon.start(config(Map.of("dev", "true")));
        Json.Obj left = daemon.stop();
        assertThat(left.integer("tasks_live")).isZero();
        assertThat(left.integer("sessions")).isZero();
        assertThat(daemon.await()).isEqualTo(Daemon.STOPPED);
        assertThat(daemon.stop()).as("a second stop changes nothing").isEqualTo(Json.Obj.of());
    }

    @Test
    void aFailedForceEndsTheHubWithItsOwnCode() throws Exception {
        CompletableFuture<JournalListener> listener = new CompletableFuture<>();
        HarmovelaHub.JournalFactory memory = (keys, heard) -> {
            listener.complete(heard);
            return new MemoryJournal("test", 1 << 20, keys, heard);
        };
        try (Daemon daemon = Daemon.start(config(Map.of("dev", "true")), null, memory)) {
            listener.get(10, TimeUnit.SECONDS).lost(new IOException("the disk is gone"));
            assertThat(daemon.await()).isEqualTo(Daemon.STORAGE_FAILED);
        }
    }

    @Test
    void aSearchThatIsBrokenStopsNoHub() throws Exception {
        Files.createDirectories(folder.resolve(".harmovela"));
        Files.writeString(
                folder.resolve(".harmovela").resolve(Stores.SEARCH), "this is no database at all".repeat(100));
        try (Daemon daemon = Daemon.start(config(Map.of()))) {
            assertThat(get(daemon.url(), "/readyz").statusCode()).isEqualTo(200);
        }
        assertThat(Rebuild.run(config(Map.of()))).isNotNegative();
        assertThat(Doctor.examine(
                        ConfigLoader.load(new ConfigLoader.Sources(folder, Map.of(), null, Map.of("port", "0")))))
                .filteredOn(check -> check.name().equals("search"))
                .allSatisfy(check -> assertThat(check.verdict()).isEqualTo(Check.Verdict.OK));
    }

    @Test
    void damageIsFoundNamedAndGivenUpOnlyWhenToldTo() throws Exception {
        DaemonConfig config = config(Map.of());
        for (int start = 0; start < 3; start++) {
            Daemon.start(config).close();
        }
        Path segment;
        try (var files = Files.list(folder.resolve(".harmovela/journal"))) {
            segment = files.filter(file -> file.toString().endsWith(".seg"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(segment);
        bytes[4096 + 20] ^= 1;
        Files.write(segment, bytes);

        StartFailed refused = catchThrowableOfType(StartFailed.class, () -> Daemon.start(config));
        assertThat(refused.reason()).isEqualTo(StartFailed.Reason.DATA_DAMAGED);
        assertThat(refused.sentence()).contains(segment.getFileName().toString());
        assertThat(refused.hint()).contains("doctor --repair");
        LoadedConfig loaded = ConfigLoader.load(new ConfigLoader.Sources(folder, Map.of(), null, Map.of("port", "0")));
        assertThat(Doctor.examine(loaded))
                .filteredOn(check -> check.verdict() == Check.Verdict.BAD)
                .singleElement()
                .satisfies(check -> assertThat(check.name()).isEqualTo("store"));
        Check repaired = Doctor.repair(folder.resolve(".harmovela"));
        assertThat(repaired.verdict()).isEqualTo(Check.Verdict.WARN);
        assertThat(repaired.advice()).contains(".aside-");
        Daemon.start(config).close();
    }
}
