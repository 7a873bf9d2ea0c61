package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HttpApi;
import dev.harmovela.client.HubRefused;
import dev.harmovela.client.tls.TlsFiles;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.runtime.Check;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.Doctor;
import dev.harmovela.runtime.LoadedConfig;
import dev.harmovela.runtime.security.JwtAuthenticator;
import dev.harmovela.runtime.security.SecurityStore;
import dev.harmovela.runtime.security.Signer;
import dev.harmovela.spi.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SEC-01, SEC-06: signed tokens at the doors of a hub, their keys behind an https address. */
class JwtTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long NOW = 1_800_000_000_000L;

    @TempDir
    private Path folder;

    private HttpsServer issuer;
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile String published = "";

    @BeforeEach
    void publish() throws Exception {
        Authority authority = new Authority(folder.resolve("pki"), "Test authority");
        authority.issue("issuer", "CN=issuer", "ip:127.0.0.1");
        issuer = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.setHttpsConfigurator(
                new HttpsConfigurator(new TlsFiles(authority.chain("issuer"), authority.key("issuer"), null)
                        .load()
                        .context()));
        issuer.createContext("/keys", exchange -> {
            fetches.incrementAndGet();
            byte[] body = published.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body.length == 0 ? 503 : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        issuer.start();
        rules("pki/ca.pem");
    }

    @AfterEach
    void stop() {
        issuer.stop(0);
    }

    private void rules(String authorities) throws Exception {
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("security.json"), """
                {"version": 1, "issuers": [
                  {"id": "jw_test", "issuer": "https://id.test", "audience": ["hub"], "tenant": "default",
                   "keys": "https://127.0.0.1:%d/keys", "keys_ca": "%s", "roles": ["operator"]}]}
                """.formatted(
                        issuer.getAddress().getPort(), authorities));
    }

    private LoadedConfig config() throws Exception {
        return ConfigLoader.load(new ConfigLoader.Sources(
                folder,
                Map.of(),
                null,
                Map.of("port", "0", "data", "data", "security_file", "security.json", "drain_grace_ms", "50")));
    }

    private static int status(Daemon hub, String token) throws Exception {
        try (HttpApi api = new HttpApi(hub.url(), token, PATIENCE)) {
            return api.get("stats").status();
        }
    }

    @Test
    void aSignedTokenOpensEveryDoorUnderItsOwnNameAndTheAuditSaysWhoVouchedForIt() throws Exception {
        Signer signer = Signer.ec("k1");
        published = Signer.keys(signer);
        long now = System.currentTimeMillis();
        String token = signer.sign(Signer.claims("planner", now));
        try (Daemon hub = Daemon.start(config().config())) {
            await().atMost(PATIENCE).until(() -> status(hub, token) == 200);
            assertThat(status(hub, token.substring(0, token.length() - 4))).isEqualTo(401);
            assertThat(status(hub, Signer.ec("k1").sign(Signer.claims("planner", now))))
                    .isEqualTo(401);
            try (HarmovelaClient client = HarmovelaClient.connect(
                    hub.url(), ClientOptions.of("agent:planner").withToken(token))) {
                assertThat(client.sessionId()).isNotEmpty();
            }
            assertThatThrownBy(() -> HarmovelaClient.connect(
                            hub.url(), ClientOptions.of("agent:other").withToken(token)))
                    .isInstanceOf(HubRefused.class);
            String admin = SecurityStore.adminSecret(folder.resolve("data"));
            try (HttpApi api = new HttpApi(hub.url(), admin, PATIENCE)) {
                await().atMost(PATIENCE)
                        .until(() -> api.get("audit?actor=agent:planner")
                                .body()
                                .toString()
                                .contains("\"transport_identity\":\"jwt:jw_test/"));
                assertThat(api.get("audit").body().toString()).doesNotContain(token.substring(40));
            }
        }
    }

    @Test
    void keysAreFetchedAgainForAKeyThatIsNewAndNotForEveryMadeUpOne() throws Exception {
        Signer first = Signer.ec("k1");
        Signer second = Signer.ec("k2");
        published = Signer.keys(first);
        AtomicLong now = new AtomicLong(NOW);
        JwtAuthenticator door = new JwtAuthenticator(now::get, folder.resolve("security.json"));
        door.use(new SecurityStore(folder.resolve("security.json"), EventRegistry.standard()).read());
        assertThat(door.refresh()).isEmpty();
        String token = second.sign(Signer.claims("planner", NOW));
        for (int i = 0; i < 1_000; i++) {
            assertThat(show(door, token)).isEqualTo(new Authenticator.Verdict.Refused("unknown_key"));
            now.incrementAndGet();
            door.refresh();
        }
        assertThat(fetches).as("one at the start").hasValue(1);
        published = Signer.keys(first, second);
        now.addAndGet(10_000);
        door.refresh();
        assertThat(show(door, token)).isInstanceOf(Authenticator.Verdict.Known.class);
        assertThat(fetches).hasValue(2);
        published = "";
        now.addAndGet(300_000);
        assertThat(door.refresh()).singleElement().asString().contains("answered 503");
        assertThat(show(door, token))
                .as("what is known holds while the issuer is away")
                .isInstanceOf(Authenticator.Verdict.Known.class);
        published = Signer.keys(second);
        now.addAndGet(10_000);
        assertThat(door.refresh()).isEmpty();
        assertThat(show(door, first.sign(Signer.claims("planner", NOW))))
                .as("what the issuer no longer shows is no key")
                .isEqualTo(new Authenticator.Verdict.Refused("unknown_key"));
    }

    private static Authenticator.Verdict show(JwtAuthenticator door, String token) {
        return door.authenticate(new Authenticator.Credentials(token, List.of()));
    }

    private Check doctor() throws Exception {
        return Doctor.examine(config()).stream()
                .filter(check -> check.name().equals("issuers"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theDoctorAsksForTheKeys() throws Exception {
        published = Signer.keys(Signer.ec("k1"));
        assertThat(doctor().verdict()).isEqualTo(Check.Verdict.OK);
        published = "{\"keys\":[]}";
        assertThat(doctor().verdict()).isEqualTo(Check.Verdict.BAD);
        assertThat(doctor().text()).contains("none of the 0 keys");
        published = "";
        assertThat(doctor().text()).contains("503");
        Authority stranger = new Authority(folder.resolve("stranger"), "Stranger");
        rules(folder.relativize(stranger.certificate()).toString());
        published = Signer.keys(Signer.ec("k1"));
        assertThat(doctor().text()).contains("jw_test").contains("certification path");
        issuer.stop(0);
        assertThat(doctor().verdict()).isEqualTo(Check.Verdict.BAD);
    }
}
