package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens, tenants and roles from the command line, with a hub and without one. */
class SecurityCommandsTest {

    @TempDir
    private Path data;

    private Cli.Ran run(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--data", data.toString(), "--json"));
        return Cli.run(Map.of(), all.toArray(String[]::new));
    }

    private Daemon serve() throws Exception {
        Map<String, String> settings = new HashMap<>(Cli.SMALL);
        settings.putAll(
                Map.of("HARMOVELA_PORT", "0", "HARMOVELA_DATA", data.toString(), "HARMOVELA_DRAIN_GRACE_MS", "50"));
        return Daemon.start(ConfigLoader.load(new ConfigLoader.Sources(Path.of(""), settings, null, Map.of()))
                .config());
    }

    @Test
    void aTokenIsMadeListedAndRevoked() throws Exception {
        assertThat(run("tenant", "create", "acme", "--sessions", "5")
                        .data()
                        .object("limits")
                        .integer("sessions"))
                .isEqualTo(5);
        assertThat(run("role", "set", "reporter", "write:task", "subscribe:task.*")
                        .code())
                .isZero();
        Cli.Ran made = run(
                "token",
                "create",
                "--identity",
                "agent:r",
                "--tenant",
                "acme",
                "--role",
                "reporter",
                "--expires",
                "30d",
                "--speaks-for",
                "tool:*");
        String secret = made.data().string("token");
        String id = made.data().string("id");
        assertThat(secret).startsWith("hvt_");
        assertThat(made.data().string("expires_at")).isNotNull();
        Cli.Ran listed = run("token", "ls");
        assertThat(listed.out()).contains(id, "agent:r", "agent:cli").doesNotContain(secret, "sha256");
        assertThat(run("tenant", "ls").out()).contains("acme", "default");
        assertThat(run("role", "ls").out()).contains("reporter", "platform-admin");
        assertThat(run("tenant", "rm", "acme").error().string("code")).isEqualTo("security_invalid");
        assertThat(run("token", "revoke", id).data().strings("revoked")).containsExactly(id);
        assertThat(run("token", "revoke", id).error().string("code")).isEqualTo("not_found");
        assertThat(run("tenant", "rm", "acme").code()).isZero();
        assertThat(run("role", "rm", "reporter").code()).isZero();
        assertThat(Files.readString(data.resolve("security.json"))).doesNotContain(secret);
    }

    @Test
    void whatMakesNoSenseIsRefusedAndChangesNothing() {
        run("tenant", "create", "acme");
        for (List<String> words : List.of(
                List.of("token", "create", "--identity", "agent:r"),
                List.of("token", "create", "--identity", "bob", "--role", "viewer"),
                List.of("token", "create", "--identity", "agent:r", "--role", "nobody"),
                List.of("token", "create", "--identity", "agent:r", "--role", "viewer", "--tenant", "globex"),
                List.of("token", "create", "--identity", "agent:r", "--role", "viewer", "--expires", "yesterday"),
                List.of("role", "set", "r", "write:tool"),
                List.of("tenant", "create", "a b"))) {
            assertThat(run(words.toArray(String[]::new)).code())
                    .as(words.toString())
                    .isNotZero();
        }
        assertThat(run("token", "ls").data().array("items").items()).hasSizeLessThanOrEqualTo(1);
        assertThat(run("tenant", "ls").data().array("items").items()).hasSize(2);
    }

    @Test
    void commandsOnThisMachineFindTheTokenByThemselves() throws Exception {
        try (Daemon hub = serve()) {
            assertThat(run("stats").code()).isZero();
            assertThat(run("emit", "task.submitted", "--task-id", "t1", "{}").code())
                    .isZero();
            Cli.Ran nobody = Cli.run("stats", "--url", hub.url().toString(), "--json");
            assertThat(nobody.error().string("code")).isEqualTo("unauthenticated");
            assertThat(Cli.run("stats", "--url", hub.url().toString(), "--token", "hvt_wrong", "--json")
                            .error()
                            .string("code"))
                    .isEqualTo("unauthenticated");
            String viewer = run("token", "create", "--identity", "agent:v", "--role", "viewer")
                    .data()
                    .string("token");
            Awaitility.await().until(() -> with(hub, viewer, "stats").code() == 0);
            assertThat(with(hub, viewer, "task", "show", "t1").code()).isZero();
            Json.Obj refused = with(hub, viewer, "emit", "task.submitted", "--source", "agent:v", "{}")
                    .error();
            assertThat(refused.string("code")).isEqualTo("unauthorized");
        }
    }

    private static Cli.Ran with(Daemon hub, String token, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--url", hub.url().toString(), "--json"));
        return Cli.run(Map.of("HARMOVELA_TOKEN", token), all.toArray(String[]::new));
    }
}
