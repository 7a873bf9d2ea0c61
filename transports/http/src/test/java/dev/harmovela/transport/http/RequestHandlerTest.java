package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is checked of every request, and how connections live and end. */
class RequestHandlerTest {

    private static final Caller BOB = Caller.verified("agent:bob", "acme", Credential.OPEN);

    private Served served;

    @BeforeEach
    void serve() throws PortTaken {
        served = new Served(HttpConfig.DEFAULT
                .withOrigins(List.of("https://console.example"))
                .withTrustedHosts(List.of("hub.example")));
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private static Served guarded() throws PortTaken {
        return new Served(
                HttpConfig.DEFAULT,
                given -> "right".equals(given.bearerToken())
                        ? new Authenticator.Verdict.Known(BOB)
                        : new Authenticator.Verdict.Refused("unknown_token"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/harmovela/api/healthz", "/readyz", "/harmovela/api/readyz"})
    void healthNeedsNoCredential(String path) throws Exception {
        try (Served guarded = guarded()) {
            assertThat(guarded.ask("GET " + path + " HTTP/1.1").status()).isEqualTo(200);
        }
    }

    /** TRN-13. */
    @Test
    void readinessTellsTheTruth() throws IOException {
        served.server.ready(false);
        assertThat(served.ask("GET /readyz HTTP/1.1").body()).isEqualTo("{\"status\":\"starting\"}");
        served.server.ready(true);
        assertThat(served.ask("GET /readyz HTTP/1.1").status()).isEqualTo(200);
        served.server.drain();
        Probe.Response draining = served.ask("GET /readyz HTTP/1.1");
        assertThat(draining.status()).isEqualTo(503);
        assertThat(draining.body()).isEqualTo("{\"status\":\"draining\"}");
        assertThat(served.ask("GET /healthz HTTP/1.1").status()).isEqualTo(200);
        assertThat(served.ask("POST /harmovela/api/events HTTP/1.1", "{\"id\":\"result\"}")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void authenticationComesBeforeExistence() throws Exception {
        try (Served guarded = guarded()) {
            for (String path : List.of("/harmovela/api/tasks", "/nothing/here", "/harmovela")) {
                Probe.Response response = guarded.ask("GET " + path + " HTTP/1.1");
                assertThat(response.status()).as(path).isEqualTo(401);
                assertThat(response.header("www-authenticate")).startsWith("Bearer");
                assertThat(response.body()).contains("\"code\":\"unauthenticated\"");
            }
            String right = "\nAuthorization: Bearer right";
            assertThat(guarded.ask("GET /nothing/here HTTP/1.1" + right).status())
                    .isEqualTo(404);
            assertThat(guarded.ask("POST /harmovela/api/events HTTP/1.1" + right, "{\"id\":\"e\"}")
                            .status())
                    .isEqualTo(202);
            assertThat(guarded.hub.wire().info.caller()).isEqualTo(BOB);
            assertThat(guarded.ask("GET /harmovela/api/tasks HTTP/1.1\nAuthorization: Bearer wrong")
                            .status())
                    .isEqualTo(401);
        }
    }

    /** SEC-06. */
    @ParameterizedTest
    @ValueSource(strings = {"token", "access_token", "Token", "api_key"})
    void aSecretInTheAddressIsRefusedAndNotRepeated(String name) throws IOException {
        for (String path : List.of("/harmovela/api/stats", "/harmovela", "/harmovela/events", "/healthz")) {
            Probe.Response response = served.ask("GET " + path + "?" + name + "=MARK-7f3a HTTP/1.1");
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.body()).doesNotContain("MARK-7f3a");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nowhere, 404",
        "GET, /harmovela/api, 404",
        "GET, /harmovela/api/tasks/t1/extra, 404",
        "GET, /harmovela/api/events, 405",
        "DELETE, /harmovela/api/events, 405",
        "PUT, /harmovela/api/subscriptions/s1, 405",
        "POST, /healthz, 405",
        "HEAD, /harmovela/events, 405",
        "GET, /%zz, 400",
        "GET, relative, 400"
    })
    void whatIsNotServed(String verb, String path, int status) throws IOException {
        try (Probe probe = served.probe()) {
            probe.request(verb + " " + path + " HTTP/1.1", "");
            Probe.Response response = verb.equals("HEAD") ? probe.responseToHead() : probe.response();
            assertThat(response.status()).isEqualTo(status);
            if (status == 405) {
                assertThat(response.header("allow")).contains("OPTIONS").doesNotContain(verb);
            }
        }
    }

    @Test
    void headTellsWhatGetWould() throws IOException {
        try (Probe probe = served.probe()) {
            probe.request("HEAD /healthz HTTP/1.1", "");
            Probe.Response head = probe.responseToHead();
            probe.request("GET /healthz HTTP/1.1", "");
            Probe.Response get = probe.response();

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("content-length")).isEqualTo(get.header("content-length"));
            assertThat(get.body()).isEqualTo("{\"status\":\"ok\"}");
        }
    }

    @Test
    void optionsListVerbs() throws IOException {
        Probe.Response response = served.ask("OPTIONS /harmovela/api/subscriptions/s1 HTTP/1.1");

        assertThat(response.status()).isEqualTo(204);
        assertThat(response.header("allow")).isEqualTo("DELETE, GET, HEAD, OPTIONS");
        assertThat(response.headers()).doesNotContainKey("access-control-allow-origin");
    }

    @Test
    void corsIsForConfiguredOriginsOnly() throws IOException {
        Probe.Response preflight =
                served.ask("OPTIONS /harmovela/api/events HTTP/1.1\nOrigin: https://console.example");
        assertThat(preflight.header("access-control-allow-origin")).isEqualTo("https://console.example");
        assertThat(preflight.header("access-control-allow-methods")).contains("POST");
        assertThat(served.ask("GET /harmovela/api/tasks HTTP/1.1\nOrigin: https://console.example")
                        .header("access-control-allow-origin"))
                .isEqualTo("https://console.example");
        assertThat(served.ask("OPTIONS /harmovela/api/events HTTP/1.1\nOrigin: https://evil.example")
                        .status())
                .isEqualTo(403);
        Probe.Response own = served.ask("GET /harmovela/api/tasks HTTP/1.1\nOrigin: http://127.0.0.1:" + served.port);
        assertThat(own.status()).isEqualTo(200);
        assertThat(own.headers()).doesNotContainKey("access-control-allow-origin");
    }

    /** A page that lets its own name point at loopback is of the same origin as the hub, and still foreign. */
    @Test
    void anUnknownHostNameIsRefusedWhileNobodyNeedsACredential() throws Exception {
        String get = "GET /harmovela/api/tasks HTTP/1.1\nHost: ";

        assertThat(served.ask(get + "evil.example:8787").status()).isEqualTo(403);
        assertThat(served.ask(get + "evil.example\nOrigin: http://evil.example").status())
                .isEqualTo(403);
        assertThat(served.ask(get + "localhost:8787").status()).isEqualTo(200);
        assertThat(served.ask(get + "[::1]:8787").status()).isEqualTo(200);
        assertThat(served.ask(get + "HUB.example").status()).isEqualTo(200);
        try (Served guarded = guarded()) {
            assertThat(guarded.ask(get + "hub.company\nAuthorization: Bearer right")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void requestsSentAheadAreAnsweredInTheirOrder() throws IOException {
        served.hub.questions =
                ask -> new Answer.Found(Json.Obj.builder().put("id", ask.id()).build());
        StringBuilder ahead = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            ahead.append("GET /harmovela/api/tasks/t").append(i).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        try (Probe probe = served.probe()) {
            Thread.ofVirtual().start(() -> {
                try {
                    probe.send(ahead.toString().getBytes(StandardCharsets.US_ASCII));
                } catch (IOException failure) {
                    throw new AssertionError(failure);
                }
            });
            for (int i = 0; i < 2000; i++) {
                assertThat(probe.response().body()).isEqualTo("{\"id\":\"t" + i + "\"}");
            }
        }
    }

    @Test
    void requestsWaitForAnAnswerThatComesLater() throws IOException {
        served.hub.holdFences = true;
        try (Probe probe = served.probe()) {
            probe.request("POST /harmovela/api/events HTTP/1.1", "{\"id\":\"slow\"}");
            for (int i = 0; i < 100; i++) {
                probe.request("GET /healthz HTTP/1.1", "");
            }
            await().until(() ->
                    !served.hub.wires.isEmpty() && !served.hub.wire().fences.isEmpty());
            served.hub.on(() -> served.hub.wire().fences.getFirst().run());

            assertThat(probe.response().body()).contains("slow");
            for (int i = 0; i < 100; i++) {
                assertThat(probe.response().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aClientThatLeavesFreesItsWire() throws IOException {
        served.hub.holdFences = true;
        try (Probe probe = served.probe()) {
            probe.request("POST /harmovela/api/events HTTP/1.1", "{\"id\":\"slow\"}");
            await().until(() ->
                    !served.hub.wires.isEmpty() && !served.hub.wire().fences.isEmpty());
        }
        await().until(() -> served.hub.wire().closed.get() == 1);
        served.hub.on(() -> served.hub.wire().fences.getFirst().run());
        assertThat(served.hub.wire().closed.get()).isEqualTo(1);
    }

    @Test
    void aFaultOfOursTellsNothingAboutIt() throws IOException {
        served.hub.questions = ask -> {
            throw new IllegalStateException("secret detail");
        };

        Probe.Response response = served.ask("GET /harmovela/api/tasks HTTP/1.1");

        assertThat(response.status()).isEqualTo(500);
        assertThat(response.body())
                .contains("internal_error")
                .doesNotContain("secret detail")
                .doesNotContain("Exception");
    }

    /** TRN-15: the length is judged before the body is read, and while it comes. */
    @Test
    void aBodyBeyondTheLimitIsNotGathered() throws IOException {
        int limit = HttpLimits.DEFAULT.maxBodyBytes();
        try (Probe probe = served.probe()) {
            probe.request("POST /harmovela/api/events HTTP/1.1\nContent-Length: " + (limit + 1), "");
            Probe.Response response = probe.response();
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.body()).contains("\"limit\":" + limit);
            assertThat(probe.closedByServer()).isTrue();
        }
        try (Probe probe = served.probe()) {
            probe.request("POST /harmovela/api/events HTTP/1.1\nTransfer-Encoding: chunked", "");
            byte[] chunk = ("100000\r\n" + " ".repeat(0x100000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i <= limit / 0x100000; i++) {
                probe.send(chunk);
            }
            assertThat(probe.response().status()).isEqualTo(413);
        }
    }

    @Test
    void headersHaveALimit() throws IOException {
        assertThat(served.ask("GET /healthz HTTP/1.1\nX-Long: " + "x".repeat(20_000))
                        .status())
                .isEqualTo(431);
        assertThat(served.ask("GET /" + "x".repeat(20_000) + " HTTP/1.1").status())
                .isEqualTo(414);
    }

    @Test
    void aRequestThatDoesNotEndIsCutOff() throws Exception {
        HttpTimes t = HttpTimes.DEFAULT;
        HttpTimes hasty = new HttpTimes(80, t.keepAliveMillis(), t.openMillis(), t.stallMillis(), 100, 10_000, 0);
        try (Served impatient = new Served(HttpConfig.DEFAULT.withTimes(hasty));
                Probe halfBody = impatient.probe();
                Probe halfHead = impatient.probe()) {
            halfBody.request("POST /harmovela/api/events HTTP/1.1\nContent-Length: 100", "");
            halfHead.send("GET /hea".getBytes(StandardCharsets.US_ASCII));

            assertThat(halfBody.response().status()).isEqualTo(408);
            assertThat(halfBody.closedByServer()).isTrue();
            assertThat(halfHead.closedByServer()).isTrue();
        }
    }

    @Test
    void anExpectationIsMetBeforeTheBodyComes() throws IOException {
        try (Probe probe = served.probe()) {
            probe.request("POST /harmovela/api/events HTTP/1.1\nExpect: 100-continue\nContent-Length: 11", "");
            assertThat(probe.response().status()).isEqualTo(100);
            probe.send("{\"id\":\"e1\"}".getBytes(StandardCharsets.US_ASCII));
            assertThat(probe.response().status()).isEqualTo(202);
        }
    }

    /** TRN-06. */
    @Test
    void thoseWhoComeTooFastAreToldWhenToComeBack() throws Exception {
        HttpLimits l = HttpLimits.DEFAULT;
        HttpLimits narrow = new HttpLimits(
                l.maxConnections(), 1, 3, l.maxHeaderBytes(), l.maxBodyBytes(), l.highWatermark(), l.hardCap());
        try (Served small = new Served(HttpConfig.DEFAULT.withLimits(narrow))) {
            Set<String> waits = new HashSet<>();
            int refused = 0;
            for (int i = 0; i < 30; i++) {
                Probe.Response response = small.ask("GET /healthz HTTP/1.1");
                if (response.status() == 503) {
                    refused++;
                    waits.add(response.header("retry-after"));
                }
            }
            assertThat(refused).isBetween(20, 27);
            assertThat(waits).hasSizeGreaterThan(3);
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        HttpServer second = HttpServer.create(HttpConfig.DEFAULT.at("127.0.0.1", served.port), Authenticator.open());
        try {
            assertThatThrownBy(() -> second.start(served.hub))
                    .isInstanceOfSatisfying(PortTaken.class, taken -> {
                        assertThat(taken.port()).isEqualTo(served.port);
                        assertThat(taken.host()).isEqualTo("127.0.0.1");
                    })
                    .hasMessageContaining(String.valueOf(served.port));
        } finally {
            second.stop();
        }
    }

    @Test
    void othersMayAddRoutes() throws Exception {
        HttpServer server =
                HttpServer.create(HttpConfig.DEFAULT.at("127.0.0.1", 0), _ -> new Authenticator.Verdict.NotMine());
        server.route(
                "GET",
                "/metrics",
                HttpServer.Access.PUBLIC,
                exchange -> exchange.respond(200, "text/plain", "up 1\n".getBytes(StandardCharsets.US_ASCII)));
        server.route(
                "GET",
                "/console/**",
                HttpServer.Access.PUBLIC,
                exchange -> exchange.respond(200, "text/html", exchange.path().getBytes(StandardCharsets.US_ASCII)));
        int port = server.start(new FakeHub(server.executor(), 1024));
        try (Probe probe = new Probe(port)) {
            probe.request("GET /metrics HTTP/1.1", "");
            assertThat(probe.response().body()).isEqualTo("up 1\n");
            probe.request("GET /console/a/b.js HTTP/1.1", "");
            assertThat(probe.response().body()).isEqualTo("/console/a/b.js");
        } finally {
            server.stop();
        }
    }
}
