package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The A2A kit on the command line: what is refused, what is printed, and what never is (CLI_06). */
class A2aCommandTest {

    private static final String NOBODY = "http://127.0.0.1:1";

    @TempDir
    private Path folder;

    private static Cli.Ran conformance(String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "a2a";
        all[1] = "conformance";
        System.arraycopy(words, 0, all, 2, words.length);
        return Cli.run(all);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--profile nope",
                "--protocol-version 1.1",
                "--protocol-version 1.2",
                "--profile experimental-a2a-v1.2",
                "--profile legacy-a2amesh --strict",
                "--profile legacy-a2amesh --gate",
                "--profile official-a2a-v1.0 --protocol-version 1.2 --experimental-profiles",
                "--known-gaps /no/such/file",
                "--client-id only",
                "--timeout-ms 0"
            })
    void whatCannotBeRunIsRefusedBeforeAnythingIsSent(String words) {
        Cli.Ran ran = conformance((NOBODY + " --json " + words).split(" "));
        assertThat(ran.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(ran.json().bool("ok")).isFalse();
        assertThat(ran.error().string("code")).isEqualTo("usage");
    }

    @Test
    void nobodyAnswersThere() {
        Cli.Ran ran = conformance(NOBODY, "--json", "--bearer-token", "MARK-1");
        assertThat(ran.code()).isEqualTo(ExitCodes.NOT_REACHABLE);
        assertThat(ran.error().string("code")).isEqualTo("not_reachable");
        assertThat(ran.error().string("url")).isEqualTo(NOBODY);
        assertThat(ran.out() + ran.err()).doesNotContain("MARK-1");
    }

    @Test
    void aReportIsPrintedAsItIsAndShowsNoSecret() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                String seen = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
                byte[] body = ("no card for " + seen).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(404, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            Path junit = folder.resolve("junit.xml");
            Path page = folder.resolve("page.html");
            Cli.Ran ran = conformance(
                    url, "--json", "--bearer-token", "MARK-1", "--junit", junit.toString(), "--html", page.toString());
            assertThat(ran.code()).isEqualTo(ExitCodes.FAILED);
            Json.Obj report = ran.json();
            assertThat(report.string("schemaVersion")).isEqualTo("1.0");
            assertThat(report.has("ok")).isFalse();
            assertThat(Files.readString(junit)).contains("a2amesh-conformance", "<failure");
            assertThat(ran.out() + ran.err() + Files.readString(junit) + Files.readString(page))
                    .doesNotContain("MARK-1");
            Path file = folder.resolve("report.json");
            Files.writeString(file, ran.out());
            Cli.Ran badge = Cli.run("a2a", "conformance-badge", file.toString(), "--markdown");
            assertThat(badge.code()).isZero();
            assertThat(badge.out()).contains("official-a2a-v1.0 1.0", "0 of 13 rows");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aBadgeOfSomethingElseIsAUsageError() throws IOException {
        Path file = folder.resolve("other.json");
        Files.writeString(file, "{}");
        assertThat(Cli.run("a2a", "conformance-badge", file.toString()).code()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void secretsInWrongOptionsAreNotRepeated() {
        Cli.Ran ran = conformance(NOBODY, "--api-key", "MARK-2");
        assertThat(ran.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(ran.out() + ran.err()).doesNotContain("MARK-2");
    }
}
