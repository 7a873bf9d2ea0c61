package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HttpApi;
import dev.harmovela.client.HubRefused;
import dev.harmovela.client.NotReachable;
import dev.harmovela.client.SseStream;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.Check;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.Doctor;
import dev.harmovela.runtime.LoadedConfig;
import dev.harmovela.runtime.StartFailed;
import dev.harmovela.runtime.security.SecurityStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SEC-01, SEC-04: the port over TLS, and what comes of its certificates. */
class TlsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private Authority authority;

    @BeforeEach
    void issue() throws Exception {
        authority = new Authority(folder.resolve("pki"), "Test authority");
        authority.issue("hub", "CN=hub", "ip:127.0.0.1,dns:localhost");
    }

    private LoadedConfig config(String... more) throws Exception {
        Map<String, String> options = new HashMap<>();
        options.put("port", "0");
        options.put("data", folder.resolve("data").toString());
        options.put("drain_grace_ms", "50");
        options.put("tls.certificate", authority.chain("hub").toString());
        options.put("tls.key", authority.key("hub").toString());
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return ConfigLoader.load(new ConfigLoader.Sources(folder, Map.of(), null, options));
    }

    private Daemon serve(String... more) throws Exception {
        return Daemon.start(config(more).config());
    }

    private @Nullable String token() {
        return SecurityStore.adminSecret(folder.resolve("data"));
    }

    private int status(Daemon hub, SSLContext tls, @Nullable String token) throws Exception {
        try (HttpApi api = new HttpApi(hub.url(), token, PATIENCE, tls)) {
            return api.get("status").status();
        }
    }

    @Test
    void everythingOnThePortIsServedOverTls() throws Exception {
        try (Daemon hub = serve()) {
            SSLContext tls = authority.client(null);
            assertThat(hub.url().getScheme()).isEqualTo("https");
            assertThat(Files.readString(folder.resolve("data/hub.json"))).contains("https://127.0.0.1");
            assertThat(status(hub, tls, token())).isEqualTo(200);
            assertThat(status(hub, tls, null)).isEqualTo(401);
            try (HarmovelaClient client = HarmovelaClient.connect(
                    hub.url(), ClientOptions.of("agent:cli").withToken(token()).withTls(tls))) {
                assertThat(client.sessionId()).isNotEmpty();
            }
            try (HttpApi api = new HttpApi(hub.url(), token(), PATIENCE, tls)) {
                Json.Obj open = Events.of("session.open", "agent:cli", "");
                String id = api.post("/harmovela/events", open).object().string("session_id");
                String path = "/harmovela/events?session_id=" + id;
                try (SseStream stream = SseStream.open(hub.url(), path, token(), null, PATIENCE, tls)) {
                    assertThat(stream.status()).isEqualTo(200);
                    assertThat(stream.nextEvent()).isNotNull();
                }
            }
        }
    }

    @Test
    void whoDoesNotBelieveTheAuthorityAndWhoSpeaksPlainlyGetNothing() throws Exception {
        try (Daemon hub = serve()) {
            assertThatThrownBy(() -> status(hub, SSLContext.getDefault(), token()))
                    .isInstanceOf(NotReachable.class);
            java.net.URI plain = java.net.URI.create("http://127.0.0.1:" + hub.port());
            try (HttpApi api = new HttpApi(plain, token(), PATIENCE)) {
                assertThatThrownBy(() -> api.get("status")).isInstanceOf(NotReachable.class);
            }
            assertThat(status(hub, authority.client(null), token())).isEqualTo(200);
        }
    }

    @Test
    void changedCertificatesHoldForNewConnectionsAndLiveOnesStay() throws Exception {
        try (Daemon hub = serve()) {
            SSLContext former = authority.client(null);
            try (HarmovelaClient live = HarmovelaClient.connect(
                    hub.url(), ClientOptions.of("agent:cli").withToken(token()).withTls(former))) {
                String session = live.sessionId();
                Authority other = new Authority(folder.resolve("other"), "Another authority");
                other.issue("hub", "CN=hub", "ip:127.0.0.1");
                for (String end : new String[] {".key", ".pem"}) {
                    Files.copy(
                            folder.resolve("other/hub" + end),
                            folder.resolve("pki/hub" + end),
                            StandardCopyOption.REPLACE_EXISTING);
                }
                SSLContext later = other.client(null);
                await().atMost(PATIENCE)
                        .ignoreException(NotReachable.class)
                        .until(() -> status(hub, later, token()) == 200);
                assertThatThrownBy(() -> status(hub, authority.client(null), token()))
                        .isInstanceOf(NotReachable.class);
                assertThat(live.sessionId()).isEqualTo(session);
                Files.writeString(authority.chain("hub"), "nonsense");
                await().atMost(PATIENCE).until(() -> {
                    try (HttpApi api = new HttpApi(hub.url(), null, PATIENCE, later)) {
                        return api.get("/readyz").body().toString().contains("certificates cannot be used");
                    }
                });
            }
        }
    }

    @Test
    void clientCertificatesAreDemandedWhereTheyAreRequired() throws Exception {
        authority.issue("planner", "CN=planner", "uri:spiffe://test/planner");
        Authority stranger = new Authority(folder.resolve("stranger"), "Stranger");
        stranger.issue("planner", "CN=planner", "uri:spiffe://test/planner");
        try (Daemon hub = serve("tls.client_ca", authority.certificate().toString(), "tls.clients", "required")) {
            assertThat(status(hub, authority.client("planner"), token())).isEqualTo(200);
            assertThatThrownBy(() -> status(hub, authority.client(null), token()))
                    .isInstanceOf(NotReachable.class);
            SSLContext foreign = new dev.harmovela.client.tls.TlsFiles(
                            stranger.chain("planner"), stranger.key("planner"), authority.certificate())
                    .load()
                    .context();
            assertThatThrownBy(() -> status(hub, foreign, token())).isInstanceOf(NotReachable.class);
        }
    }

    private static final String RULES = """
            {"version":1,"tenants":{"acme":{}},"certificates":[
              {"id":"ct_planner","san":"uri:spiffe://test/planner","identity":"agent:planner","tenant":"acme",
               "roles":["operator"]},
              {"id":"ct_worker","subject":"CN=worker,O=Acme","identity":"agent:worker","tenant":"default",
               "roles":[%s]}]}
            """;

    private void rules(String text) throws Exception {
        Path next = Files.writeString(folder.resolve("security.next"), text);
        Files.move(next, folder.resolve("security.json"), StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void aClientCertificateStandsForAnIdentityByItsNames() throws Exception {
        authority.issue("planner", "CN=whoever", "uri:spiffe://test/planner");
        authority.issue("worker", "CN=worker,O=Acme", "dns:worker.test");
        authority.issue("nobody", "CN=worker", "uri:spiffe://test/planner2");
        authority.issue("old", "CN=whoever", "uri:spiffe://test/planner", "-startdate", "-9d", "-validity", "1");
        rules(RULES.formatted("\"viewer\""));
        try (Daemon hub = serve(
                "tls.client_ca",
                authority.certificate().toString(),
                "security_file",
                folder.resolve("security.json").toString())) {
            assertThat(status(hub, authority.client(null), null))
                    .as("no certificate")
                    .isEqualTo(401);
            assertThat(status(hub, authority.client("nobody"), null))
                    .as("no rule")
                    .isEqualTo(401);
            assertThat(status(hub, authority.client("planner"), "hv_wrong"))
                    .as("a wrong token beside it")
                    .isEqualTo(401);
            assertThat(status(hub, authority.client("planner"), token()))
                    .as("a token decides")
                    .isEqualTo(200);
            assertThatThrownBy(() -> status(hub, authority.client("old"), null)).isInstanceOf(NotReachable.class);
            try (HarmovelaClient planner = HarmovelaClient.connect(
                            hub.url(), ClientOptions.of("agent:planner").withTls(authority.client("planner")));
                    HarmovelaClient worker = HarmovelaClient.connect(
                            hub.url(), ClientOptions.of("agent:worker").withTls(authority.client("worker")))) {
                assertThat(planner.sessionId()).isNotEqualTo(worker.sessionId());
            }
            assertThatThrownBy(() -> HarmovelaClient.connect(
                            hub.url(), ClientOptions.of("agent:worker").withTls(authority.client("planner"))))
                    .isInstanceOf(HubRefused.class);
            try (HttpApi api = new HttpApi(hub.url(), token(), PATIENCE, authority.client(null))) {
                // OBS-06: the audit names the rule behind the certificate and who it stands for
                await().atMost(PATIENCE)
                        .until(() -> api.get("audit?actor=agent:worker")
                                .body()
                                .toString()
                                .contains("\"transport_identity\":\"certificate:ct_worker/"));
            }
            String without = Files.readString(folder.resolve("security.json")).replace("ct_planner", "ct_other");
            rules(without.replace("spiffe://test/planner", "spiffe://test/elsewhere"));
            await().atMost(PATIENCE).until(() -> status(hub, authority.client("planner"), null) == 401);
        }
    }

    @Test
    void aNetworkAddressNeedsTlsAndWrongKeysAreToldAtTheStart() throws Exception {
        try (Daemon hub = serve("host", "0.0.0.0")) {
            assertThat(hub.url().getScheme()).isEqualTo("https");
        }
        assertThatThrownBy(() -> serve("host", "0.0.0.0", "dev", "true"))
                .isInstanceOfSatisfying(
                        StartFailed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(StartFailed.Reason.INSECURE_NETWORK));
        authority.issue("other", "CN=other", "ip:127.0.0.1");
        assertThatThrownBy(() -> serve("tls.key", authority.key("other").toString()))
                .isInstanceOfSatisfying(
                        StartFailed.class,
                        failed -> assertThat(failed.sentence()).contains("other.key is not the key of"));
    }

    private Check doctor(String... more) throws Exception {
        return Doctor.examine(config(more)).stream()
                .filter(check -> check.name().equals("tls"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theDoctorTellsWhatIsWrongWithTheCertificates() throws Exception {
        Files.setPosixFilePermissions(authority.key("hub"), PosixFilePermissions.fromString("rw-------"));
        assertThat(doctor().verdict()).isEqualTo(Check.Verdict.OK);
        Files.setPosixFilePermissions(authority.key("hub"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(doctor().text()).contains("can be read by others");
        for (String[] certificate : new String[][] {
            {"old", "-9d", "1", "expired at"},
            {"brief", "-1d", "5", "expires at"},
            {"early", "+5d", "90", "holds only from"}
        }) {
            String name = certificate[0];
            authority.issue(name, "CN=hub", "ip:127.0.0.1", "-startdate", certificate[1], "-validity", certificate[2]);
            Files.setPosixFilePermissions(authority.key(name), PosixFilePermissions.fromString("rw-------"));
            Check check = doctor(
                    "tls.certificate",
                    authority.chain(name).toString(),
                    "tls.key",
                    authority.key(name).toString());
            assertThat(check.text()).contains(certificate[3]);
            assertThat(check.verdict()).isEqualTo(name.equals("brief") ? Check.Verdict.WARN : Check.Verdict.BAD);
            assertThat(check.advice()).isNotNull();
        }
        assertThat(doctor("tls.key", authority.key("old").toString()).text()).contains("is not the key of");
        assertThat(doctor("tls.key", folder.resolve("none.key").toString()).verdict())
                .isEqualTo(Check.Verdict.BAD);
    }

    @Test
    void sec_06_over_tls_no_secret_is_found_in_what_the_hub_wrote() throws Exception {
        String marker = "MARK-9c1e";
        authority.issue("planner", "CN=planner", "uri:spiffe://test/planner");
        StringBuilder said = new StringBuilder();
        try (Daemon hub = serve("tls.client_ca", authority.certificate().toString(), "log_level", "debug")) {
            String jwt = "eyJhbGciOiJub25lIn0." + marker + ".x";
            for (String wrong : new String[] {marker, "hvt_" + marker, jwt}) {
                try (HttpApi api = new HttpApi(hub.url(), wrong, PATIENCE, authority.client("planner"))) {
                    said.append(api.get("stats?token=" + marker));
                }
            }
            try (HttpApi api = new HttpApi(hub.url(), token(), PATIENCE, authority.client("planner"))) {
                String block = "\"authorization\":{\"scheme\":\"bearer\",\"token\":\"" + marker + "\"}";
                said.append(api.post("events", Events.of("context.updated", "agent:cli", block)));
                for (String path : new String[] {"audit", "dlq", "stats", "/metrics", "/readyz"}) {
                    said.append(api.get(path));
                }
            }
        }
        String key = Files.readString(authority.key("hub"))
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow();
        assertThat(said.toString()).doesNotContain(marker, key, String.valueOf(token()));
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(marker, key);
            }
        }
    }
}
