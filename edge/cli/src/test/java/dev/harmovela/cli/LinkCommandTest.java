package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links from the command line, with a hub that follows and without one; the broker is away in all of them. */
class LinkCommandTest {

    /** Nobody listens there. */
    private static final String AWAY = "redis://127.0.0.1:1";

    @TempDir
    private Path data;

    private Cli.Ran run(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--data", data.toString(), "--json"));
        return Cli.run(Map.of(), all.toArray(String[]::new));
    }

    private static List<Json> items(Cli.Ran ran) {
        return java.util.Objects.requireNonNull(ran.data().array("items")).items();
    }

    @Test
    void aLinkIsAddedShownAndRemoved() throws Exception {
        Cli.Ran added = run(
                "link",
                "add",
                "one",
                AWAY,
                "--speaks-for",
                "agent:*",
                "--credential",
                "user=hub",
                "--credential",
                "password=env:SOME_PASSWORD");
        assertThat(added.code()).isZero();
        assertThat(added.data().string("kind")).isEqualTo("redis-streams");
        assertThat(added.data().string("prefix")).isEqualTo("aep");
        assertThat(items(run("link", "ls"))).hasSize(1);
        assertThat(run("link", "show", "one").data().strings("speaks_for")).containsExactly("agent:*");
        assertThat(run("link", "add", "two", AWAY).error().string("code")).isEqualTo("link_invalid");
        assertThat(run("link", "add", "two", AWAY, "--prefix", "other", "--mode", "export")
                        .code())
                .isZero();
        assertThat(run("link", "rm", "one").data().string("removed")).isEqualTo("one");
        assertThat(run("link", "rm", "one").error().string("code")).isEqualTo("not_found");
        assertThat(items(run("link", "ls"))).hasSize(1);
    }

    @Test
    void secretsAreRefusedAndNotRepeated() throws Exception {
        Cli.Ran refused = run("link", "add", "one", AWAY, "--credential", "password=hunter2");
        assertThat(refused.error().string("code")).isEqualTo("link_invalid");
        assertThat(refused.out() + refused.err()).doesNotContain("hunter2").contains("env:NAME");
        Cli.Ran inAddress = run("link", "add", "one", "redis://me:hunter2@127.0.0.1:1");
        assertThat(inAddress.error().string("code")).isEqualTo("link_invalid");
        assertThat(Files.exists(data.resolve("links.json"))).isFalse();
    }

    @Test
    void aRunningHubFollowsAndTellsWhatIsWrong() throws Exception {
        Map<String, String> settings = new HashMap<>(Cli.SMALL);
        settings.putAll(
                Map.of("HARMOVELA_PORT", "0", "HARMOVELA_DATA", data.toString(), "HARMOVELA_DRAIN_GRACE_MS", "50"));
        try (Daemon hub =
                Daemon.start(ConfigLoader.load(new ConfigLoader.Sources(Path.of(""), settings, null, Map.of()))
                        .config())) {
            assertThat(hub.port()).isPositive();
            assertThat(items(run("link", "ls"))).isEmpty();
            assertThat(run("link", "add", "one", AWAY, "--speaks-for", "agent:*")
                            .code())
                    .isZero();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> run("link", "show", "one").data().has("last_error"));
            Json.Obj shown = run("link", "show", "one").data();
            assertThat(shown.string("state")).isEqualTo("down");
            assertThat(shown.string("last_error")).contains("Redis cannot be reached");
            assertThat(run("status").data().array("links")).isNotNull();
            assertThat(run("status").data().toString()).contains("last_error");
            Files.writeString(data.resolve("links.json"), "{");
            assertThat(run("link", "ls").error().string("code")).isEqualTo("link_invalid");
        }
    }
}
