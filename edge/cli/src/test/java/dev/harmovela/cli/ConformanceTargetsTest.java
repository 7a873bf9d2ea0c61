package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One hub, five ways to it, the same verdicts (spec 14, D24). The whole matrix: {@code ./dev conf --all-targets}. */
@Tag("proc")
class ConformanceTargetsTest {

    private static final Path SUITE = Path.of(System.getProperty("harmovela.root"), "conformance");

    /** One of each kind: input nobody can name, sessions, tasks, copies, statistics, and what fails today. */
    private static final List<String> CHOSEN = List.of(
            "fixtures/negative.ndjson",
            "fixtures/own/envelope/member-types.ndjson",
            "fixtures/own/envelope/not-an-object.ndjson",
            "fixtures/own/session/opened-by-client.ndjson",
            "fixtures/own/subscription/one-copy-each.ndjson",
            "fixtures/own/event/duplicates.ndjson",
            "fixtures/own/task/children.ndjson",
            "fixtures/delivery-e2e.ndjson",
            "fixtures/delegation-negative.ndjson");

    @TempDir
    private Path folder;

    private static String stdio() {
        return "stdio:'" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED"
                + " --sun-misc-unsafe-memory-access=allow -cp '" + System.getProperty("java.class.path")
                + "' dev.harmovela.cli.Main stdio";
    }

    private Path subset() throws IOException {
        Json.Obj whole = (Json.Obj) Json.parse(Files.readString(SUITE.resolve("manifest.json")));
        List<Json> chosen = whole.array("fixtures").items().stream()
                .filter(one -> CHOSEN.contains(((Json.Obj) one).string("path")))
                .toList();
        assertThat(chosen).hasSameSizeAs(CHOSEN);
        Files.createSymbolicLink(folder.resolve("fixtures"), SUITE.resolve("fixtures"));
        Path manifest = folder.resolve("manifest.json");
        Files.writeString(manifest, whole.with("fixtures", new Json.Arr(chosen)).toString());
        return manifest;
    }

    @Test
    void theVerdictsAreTheSameOnEveryTarget() throws Exception {
        Path manifest = subset();
        try (Daemon hub = Daemon.start(ConfigLoader.development(0))) {
            Map<String, String> targets = new LinkedHashMap<>();
            targets.put("self", "in-process");
            targets.put(stdio(), "harmovela.transport.stdio.v1");
            targets.put("ws://" + hub.url().getAuthority() + "/harmovela", "harmovela.transport.websocket.v1");
            targets.put("http://" + hub.url().getAuthority() + "/harmovela/events", "harmovela.transport.sse.v1");
            targets.put("grpc://" + hub.grpcAddress(), "harmovela.transport.grpc.v1");
            Map<String, String> expected = null;
            for (Map.Entry<String, String> target : targets.entrySet()) {
                Cli.Ran ran = Cli.run(
                        "conformance", "--json", "--manifest", manifest.toString(), "--target", target.getKey());
                Json.Obj report = ran.data();
                assertThat(report.string("transport_profile")).isEqualTo(target.getValue());
                assertThat(report.string("implementation")).isEqualTo("harmovela");
                assertThat(report.string("version")).isEqualTo(dev.harmovela.runtime.Version.NUMBER);
                Map<String, String> verdicts = report.array("fixtures").items().stream()
                        .map(one -> (Json.Obj) one)
                        .collect(Collectors.toMap(one -> one.string("path"), one -> one.string("status")));
                expected = expected == null ? verdicts : expected;
                assertThat(verdicts).as(target.getKey()).isEqualTo(expected);
                assertThat(ran.code()).isEqualTo(verdicts.containsValue("fail") ? ExitCodes.FAILED : ExitCodes.OK);
            }
            assertThat(expected).hasSameSizeAs(CHOSEN).containsValue("pass");
        }
    }
}
