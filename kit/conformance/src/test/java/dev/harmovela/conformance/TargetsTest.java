package dev.harmovela.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One suite over every transport: the verdicts and the transcript are the same. */
class TargetsTest {

    private final ConformanceRunner runner = new ConformanceRunner();

    private static Target named(String specification) {
        return Targets.parse(specification, Map.of());
    }

    private static String java(String arguments) {
        return "stdio:'" + ProcessHandle.current().info().command().orElseThrow()
                + "' -Xshare:auto -XX:TieredStopAtLevel=1 -cp '" + System.getProperty("java.class.path")
                + "' dev.harmovela.conformance.StdioParrot " + arguments;
    }

    private Report passes(Target target, Options options) {
        Report report = runner.run(new Options(
                options.manifest(),
                options.profile(),
                options.level(),
                options.depth(),
                target,
                options.implementation()));
        assertThat(report.fixtures())
                .filteredOn(one -> one.status() == Report.Status.FAIL)
                .isEmpty();
        assertThat(report.count(Report.Status.PASS)).isPositive();
        assertThat(report.implementation()).isEqualTo(new Options.Implementation("parrot", "7"));
        return report;
    }

    private static Target parrot() {
        return ParrotHub.target(Suites.all(), UnaryOperator.identity());
    }

    @Test
    @DisplayName("the whole suite passes over a WebSocket, with the transcript it has in process")
    void webSocket() throws IOException {
        Report inProcess = passes(parrot(), Options.all(parrot()));
        try (WebSocketParrot server = new WebSocketParrot(true);
                Target target = named(server.address())) {
            Report report = passes(target, Options.all(target));
            assertThat(report.target().transportProfile()).isEqualTo("harmovela.transport.websocket.v1");
            assertThat(report.evidence().transcript())
                    .isEqualTo(inProcess.evidence().transcript());
        }
    }

    @Test
    @DisplayName("the whole suite passes over posts and an event stream, bad lines answered by status 400 included")
    void sse() throws IOException {
        try (SseParrot server = new SseParrot();
                Target target = named(server.address())) {
            Report report = passes(target, Options.all(target));
            assertThat(report.target().transportProfile()).isEqualTo("harmovela.transport.sse.v1");
        }
    }

    @Test
    @DisplayName(
            "a process is started for every fixture; what it says on standard error answers lines that are not JSON")
    void process(@TempDir Path directory) throws IOException {
        List<String> names = List.of(
                "fixtures/negative.ndjson",
                "fixtures/own/envelope/not-an-object.ndjson",
                "fixtures/own/event/duplicates.ndjson");
        StringBuilder entries = new StringBuilder();
        for (Suite.Fixture fixture : Suites.main().content().fixtures()) {
            if (names.contains(fixture.path())) {
                Path file = directory.resolve(fixture.path());
                Files.createDirectories(file.getParent());
                Files.write(
                        file, Suites.lines(fixture).stream().map(SentLine::text).toList());
                entries.append(entries.isEmpty() ? "" : ",").append(fixture.raw());
            }
        }
        Files.writeString(directory.resolve("manifest.json"), "{\"fixtures\":[" + entries + "]}");
        try (Target target = named(java(""))) {
            Report report = passes(target, Options.all(target).withManifest(directory));
            assertThat(report.count(Report.Status.PASS)).isEqualTo(3);
            assertThat(report.target().transportProfile()).isEqualTo("harmovela.transport.stdio.v1");
        }
        try (Target target = named(java("3"))) {
            Report report = runner.run(Options.all(target).withManifest(directory));
            assertThat(report.fixtures()).allSatisfy(one -> {
                assertThat(one.status()).isEqualTo(Report.Status.FAIL);
                assertThat(one.reason()).contains("ended with code 3").contains("parrot listens");
            });
        }
        try (Target target = named("stdio:no-such-command-anywhere")) {
            Report report = runner.run(Options.all(target).withManifest(directory));
            assertThat(report.fixtures().getFirst().reason()).contains("no command");
        }
    }

    @Test
    @DisplayName("a hub that grants no conformance session is not judged; nobody at all is said as such")
    void refused() throws IOException {
        try (WebSocketParrot server = new WebSocketParrot(false);
                Target target = named(server.address())) {
            Report report = runner.run(Options.all(target));
            assertThat(report.count(Report.Status.SKIP))
                    .isEqualTo(report.fixtures().size());
            assertThat(report.fixtures().getFirst().reason()).contains("conformance");
            assertThat(report.exitCode()).isEqualTo(1);
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        for (String address :
                List.of("ws://127.0.0.1:" + port + "/harmovela", "http://127.0.0.1:" + port + "/harmovela/events")) {
            try (Target target = named(address)) {
                assertThatThrownBy(() -> runner.run(Options.all(target))).isInstanceOf(UnreachableException.class);
            }
        }
    }

    @Test
    @DisplayName("what is no target is a wrong call, and the address of an agent is sent to the kit for agents")
    void wrongCalls() {
        assertThatThrownBy(() -> named("http://127.0.0.1:3000"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("./a2amesh conformance http://127.0.0.1:3000");
        for (String wrong : List.of("stdio:", "ftp://127.0.0.1", "hub", "ws://[")) {
            assertThatThrownBy(() -> named(wrong)).as(wrong).isInstanceOf(UsageException.class);
        }
    }
}
