package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OBS-06: who did what, with nothing but the command line. */
class AuditCommandTest {

    @TempDir
    private Path folder;

    private Daemon hub;

    @BeforeEach
    void start() throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                "HARMOVELA_PORT", "0",
                "HARMOVELA_DEV", "true",
                "HARMOVELA_DRAIN_GRACE_MS", "50",
                "HARMOVELA_DATA", folder.toString(),
                "HARMOVELA_JOURNAL_SEGMENT_BYTES", "1048576"));
        hub = Daemon.start(ConfigLoader.load(new ConfigLoader.Sources(Path.of(""), settings, null, Map.of()))
                .config());
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private Cli.Ran run(String... arguments) {
        return Cli.at(hub.url(), arguments);
    }

    private Cli.Ran offline(String... arguments) {
        List<String> all = new java.util.ArrayList<>(List.of(arguments));
        all.add("--data");
        all.add(folder.toString());
        return Cli.run(all.toArray(String[]::new));
    }

    private void publish(int events) {
        for (int i = 0; i < events; i++) {
            Cli.Ran sent = run("emit", "context.updated", "--payload", "{\"text\":\"" + "x".repeat(300_000) + "\"}");
            assertThat(sent.code()).as(sent.err()).isZero();
        }
    }

    private Path segment(long firstLsn) {
        return folder.resolve("journal").resolve("%020d.seg".formatted(firstLsn));
    }

    @Test
    void obs06RecordsAreListedFilteredAndExported() {
        publish(1);
        assertThat(run("emit", "task.completed", "--set", "task_id=nothing").code())
                .isNotZero();
        Cli.Ran denied = run("audit", "ls", "--decision", "denied", "--json");
        assertThat(denied.data().array("items").items()).hasSize(1);
        Json.Obj row = (Json.Obj) denied.data().array("items").items().getFirst();
        assertThat(row.string("type")).isEqualTo("task.completed");
        assertThat(row.string("transport_identity")).isEqualTo("open");
        assertThat(run("audit", "ls", "--type", "context.*").out())
                .contains("TIME", "context.updated", "allowed")
                .doesNotContain("task.completed");
        assertThat(run("audit", "ls", "--actor", "agent:nobody").err()).contains("No records.");
        List<String> lines = run("audit", "export").out().lines().toList();
        assertThat(lines).hasSizeGreaterThan(2).allMatch(line -> Json.parse(line) instanceof Json.Obj);
        assertThat(run("audit", "ls", "--since", "yesterday").code()).isNotZero();
    }

    @Test
    void obs06TheJournalProvesItselfBesideTheHubAndWithoutIt() throws IOException {
        publish(3);
        String anchor = offline("audit", "head").out().strip();
        publish(6);
        Cli.Ran beside = offline("audit", "verify", "--anchor", anchor);
        assertThat(beside.code()).as(beside.err()).isZero();
        hub.close();
        Cli.Ran whole = offline("audit", "verify", "--anchor", anchor, "--json");
        assertThat(whole.code()).as(whole.out()).isZero();
        assertThat(whole.data().integer("compared")).isGreaterThan(1);

        byte[] bytes = Files.readAllBytes(segment(1));
        bytes[6_000] ^= 1;
        Files.write(segment(1), bytes);
        Cli.Ran changed = offline("audit", "verify", "--json");
        assertThat(changed.code()).isNotZero();
        Json.Obj first = (Json.Obj)
                changed.error().object("details").array("differences").items().getFirst();
        assertThat(first.string("file")).isEqualTo(segment(1).getFileName().toString());
        assertThat(first.integer("offset")).isLessThanOrEqualTo(6_000);
        assertThat(offline("audit", "verify").err()).contains(segment(1).getFileName() + " at offset");

        bytes[6_000] ^= 1;
        Files.write(segment(1), bytes);
        assertThat(offline("audit", "verify").code()).isZero();
        String other = "f".repeat(64);
        assertThat(offline("audit", "verify", "--anchor", other).code()).isNotZero();
    }

    @Test
    void obs06WithoutAJournalThereIsNothingToProve() {
        assertThat(Cli.run("audit", "verify", "--data", folder.resolve("none").toString())
                        .err())
                .contains("There is no journal");
    }
}
