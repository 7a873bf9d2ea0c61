package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.client.HttpApi;
import dev.harmovela.client.NotReachable;
import dev.harmovela.client.RawSocket;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.StartFailed;
import dev.harmovela.runtime.security.SecurityStore;
import dev.harmovela.runtime.security.Tenant;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub as it runs without {@code --dev}: who is nobody is told nothing (§7, SEC-06, D34). */
class SecuredHubTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path data;

    private Daemon serve(String... more) throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                "HARMOVELA_PORT",
                "0",
                "HARMOVELA_DATA",
                data.toString(),
                "HARMOVELA_DRAIN_GRACE_MS",
                "50",
                "HARMOVELA_JOURNAL_SEGMENT_BYTES",
                "1048576"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return Daemon.start(ConfigLoader.load(new ConfigLoader.Sources(Path.of(""), settings, null, Map.of()))
                .config());
    }

    private SecurityStore store() {
        return new SecurityStore(data.resolve(SecurityStore.NAME), EventRegistry.standard());
    }

    private SecurityStore.Issued token(String identity, String tenant, String... roles) throws Exception {
        store().issueAdmin(data, 0);
        if (!tenant.equals("default")) {
            store().edit(before ->
                    before.hasTenant(tenant) ? before : before.with(Tenant.parse(tenant, Json.Obj.of())));
        }
        return store().issue(
                        new SecurityStore.Order(identity, tenant, List.of(roles), List.of(), List.of(), Long.MAX_VALUE),
                        0);
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(PATIENCE).until(condition);
    }

    private static HttpApi api(Daemon hub, String token) {
        return new HttpApi(hub.url(), token, PATIENCE);
    }

    @Test
    void withoutConfigurationOnlyWhoReadsTheDataDirectoryIsLetIn() throws Exception {
        try (Daemon hub = serve();
                HttpApi nobody = api(hub, null);
                HttpApi wrong = api(hub, "hvt_wrong");
                HttpApi admin = api(hub, SecurityStore.adminSecret(data))) {
            for (String path : List.of("stats", "tasks/t1", "nowhere", "/metrics", "/harmovela")) {
                assertThat(nobody.get(path).status()).as(path).isEqualTo(401);
                assertThat(wrong.get(path).status()).as(path).isEqualTo(401);
            }
            assertThat(nobody.get("/healthz").status()).isEqualTo(200);
            assertThat(admin.get("stats").status()).isEqualTo(200);
            assertThat(admin.get("/metrics").status()).isEqualTo(200);
            assertThatThrownBy(() -> RawSocket.connect(hub.url(), null, PATIENCE))
                    .isInstanceOf(NotReachable.class);
            try (RawSocket socket = RawSocket.connect(hub.url(), SecurityStore.adminSecret(data), PATIENCE)) {
                socket.send(Events.of("session.open", "agent:cli", "").toString());
                Json.Obj opened = (Json.Obj) Json.parse(socket.receive(PATIENCE));
                assertThat(opened.object("capabilities").object("auth").bool("required"))
                        .isTrue();
            }
        }
    }

    @Test
    void aNetworkAddressIsRefusedUnlessTheRiskIsTaken() throws Exception {
        assertThatThrownBy(() -> serve("HARMOVELA_HOST", "0.0.0.0"))
                .isInstanceOfSatisfying(StartFailed.class, failed -> {
                    assertThat(failed.reason()).isEqualTo(StartFailed.Reason.INSECURE_NETWORK);
                    assertThat(failed.sentence()).contains("TLS");
                    assertThat(failed.hint()).contains("--insecure-network");
                });
        try (Daemon hub = serve("HARMOVELA_HOST", "0.0.0.0", "HARMOVELA_INSECURE_NETWORK", "true");
                HttpApi nobody = new HttpApi(URI.create("http://127.0.0.1:" + hub.port()), null, PATIENCE)) {
            assertThat(nobody.get("stats").status()).isEqualTo(401);
        }
    }

    @Test
    void aRevokedTokenEndsItsConnectionsAndIsNobodyFromThenOn() throws Exception {
        try (Daemon hub = serve();
                HttpApi admin = api(hub, SecurityStore.adminSecret(data))) {
            SecurityStore.Issued issued = token("agent:a", "default", "publisher");
            try (HttpApi holder = api(hub, issued.secret())) {
                await("the new token is known", () -> holder.get("stats").status() == 200);
                assertThat(holder.get("/metrics").status()).isEqualTo(403);
                assertThat(holder.get("dlq").status()).isEqualTo(403);
                try (RawSocket socket = RawSocket.connect(hub.url(), issued.secret(), PATIENCE)) {
                    socket.send(Events.of("session.open", "agent:a", "").toString());
                    assertThat(socket.receive(PATIENCE)).contains("session.opened");
                    store().edit(before -> before.withoutToken(issued.token().id()));
                    await(
                            "the connection has ended",
                            () -> admin.get("sessions").object().array("items").items().stream()
                                    .noneMatch(row -> Boolean.TRUE.equals(((Json.Obj) row).bool("attached"))));
                    assertThat(holder.get("stats").status()).isEqualTo(401);
                }
            }
        }
    }

    @Test
    void aBrokenEditLeavesTheFormerFileInForceAndIsTold() throws Exception {
        SecurityStore.Issued issued = token("agent:a", "default", "publisher");
        try (Daemon hub = serve();
                HttpApi holder = api(hub, issued.secret())) {
            String good = Files.readString(store().file());
            Files.writeString(store().file(), good.replace("publisher", "nobody_knows"));
            await(
                    "the warning is there",
                    () -> holder.get("/readyz").body().toString().contains("nobody_knows"));
            assertThat(holder.get("/readyz").status()).isEqualTo(200);
            assertThat(holder.get("stats").status()).isEqualTo(200);
            Files.writeString(store().file(), good);
            await(
                    "the warning is gone",
                    () -> !holder.get("/readyz").body().toString().contains("nobody_knows"));
        }
        Files.writeString(store().file(), "{");
        assertThatThrownBy(this::serve)
                .isInstanceOfSatisfying(
                        StartFailed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(StartFailed.Reason.SECURITY_UNUSABLE));
    }

    @Test
    void tenantsWithTheSameIdsSeeNothingOfEachOther() throws Exception {
        SecurityStore.Issued acme = token("agent:a", "acme", "admin");
        SecurityStore.Issued globex = token("agent:a", "globex", "admin");
        try (Daemon hub = serve();
                HttpApi one = api(hub, acme.secret());
                HttpApi other = api(hub, globex.secret())) {
            for (HttpApi api : List.of(one, other)) {
                Json.Obj event = Events.of("task.submitted", "agent:a", "\"id\":\"evt_1\",\"task_id\":\"t1\"");
                assertThat(api.post("events", event).status()).isEqualTo(202);
                assertThat(api.get("tasks").object().array("items").items()).hasSize(1);
                assertThat(api.get("stats").object().integer("events_published"))
                        .as("the submission, and that it was accepted")
                        .isEqualTo(2);
            }
            assertThat(one.post("events", Events.of("task.submitted", "agent:a", "\"task_id\":\"t2\""))
                            .status())
                    .isEqualTo(202);
            assertThat(other.get("tasks/t2").body().toString())
                    .isEqualTo(other.get("tasks/t3").body().toString().replace("t3", "t2"));
            assertThat(other.get("stats").object().integer("events_published")).isEqualTo(2);
        }
    }

    @Test
    void sec_06_secrets_are_found_nowhere_in_what_the_hub_wrote() throws Exception {
        SecurityStore.Issued issued = token("agent:a", "default", "admin");
        String marker = "MARK-7f3a";
        List<String> said = new ArrayList<>();
        try (Daemon hub = serve("HARMOVELA_LOG_LEVEL", "debug");
                HttpApi api = api(hub, issued.secret());
                HttpApi admin = api(hub, SecurityStore.adminSecret(data));
                HttpClient raw = HttpClient.newHttpClient()) {
            String block = "\"authorization\":{\"scheme\":\"bearer\",\"token\":\"" + marker + "\"}";
            said.add(api.post("events", Events.of("context.updated", "agent:a", "\"id\":\"evt_1\"," + block))
                    .toString());
            said.add(api.post("events", Events.of("session.heartbeat", "agent:a", block))
                    .toString());
            said.add(get(raw, hub.url() + "/harmovela/api/stats?token=" + marker, "hvt_" + marker));
            said.add(get(raw, hub.url() + "/harmovela/api/stats", marker));
            said.add(get(raw, hub.url() + "/harmovela/api/stats", "hvt_" + marker));
            for (String path : List.of("history?event_id=evt_1", "dlq", "audit", "stats", "/metrics", "/readyz")) {
                said.add(admin.get(path).toString());
            }
            assertThat(said.get(0)).contains("202");
        }
        assertThat(said).noneMatch(answer -> answer.contains(marker) || answer.contains(issued.secret()));
        String admin = SecurityStore.adminSecret(data);
        for (Path file : files()) {
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            assertThat(content).as(file.toString()).doesNotContain(marker, issued.secret());
            if (!file.endsWith(SecurityStore.ADMIN_TOKEN)) {
                assertThat(content).as(file.toString()).doesNotContain(admin);
            }
        }
    }

    private static String get(HttpClient http, String url, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> walk = Files.walk(data)) {
            return walk.filter(Files::isRegularFile).toList();
        }
    }
}
