package dev.harmovela.cli;

import dev.harmovela.conformance.Target;
import dev.harmovela.conformance.Targets;
import dev.harmovela.conformance.matrix.Cell;
import dev.harmovela.conformance.matrix.Column;
import dev.harmovela.conformance.matrix.Matrix;
import dev.harmovela.conformance.matrix.MatrixPages;
import dev.harmovela.conformance.matrix.MatrixRun;
import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.InProcessHub;
import dev.harmovela.runtime.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compatibility evidence: the suite over many targets at once. */
@Command(
        name = "matrix",
        description = {
            "Run the suite over several targets and write the evidence: DIR/matrix.json, matrix.md and matrix.html.",
            "Without --target: this hub, over every transport. What cannot be run is NOT RUN, with the reason."
        },
        subcommands = MatrixCommand.Verify.class,
        footer = {
            "",
            "Examples: harmovela conformance matrix --out evidence",
            "          harmovela conformance matrix --out evidence -t ours=self -t theirs=ws://HOST:PORT/path",
            "          harmovela conformance matrix verify evidence/matrix.json"
        })
final class MatrixCommand extends HubCommand {

    private static final String SELF = "self";

    @Option(names = "--out", paramLabel = "DIR", description = "where the files go (default: .)")
    private Path out = Path.of(".");

    @Option(
            names = {"-t", "--target"},
            paramLabel = "NAME=TARGET",
            description = "a column and how it is reached; may be given several times")
    private Map<String, String> targets = new LinkedHashMap<>();

    @Option(names = "--manifest", paramLabel = "FILE", description = "another suite in the same format")
    private @Nullable Path manifest;

    @Override
    int run() throws Failure {
        Matrix matrix = judge(console(), manifest, targets);
        try {
            Files.createDirectories(out);
            Files.writeString(out.resolve("matrix.json"), matrix.toJson() + "\n");
            Files.writeString(out.resolve("matrix.md"), MatrixPages.markdown(matrix));
            Files.writeString(out.resolve("matrix.html"), MatrixPages.html(matrix));
        } catch (IOException failed) {
            throw Failure.failed("io_error", "The evidence cannot be written to " + out + ": " + failed + ".", null);
        }
        show(matrix);
        return matrix.passed() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private void show(Matrix matrix) {
        if (console().isJson()) {
            console()
                    .line(Json.Obj.builder()
                            .put("ok", matrix.passed())
                            .put("data", matrix.toJson())
                            .build()
                            .toString());
            return;
        }
        console().line(MatrixPages.markdown(matrix).stripTrailing());
    }

    /** Runs the named targets, or this hub over every transport when there is none. */
    static Matrix judge(Console console, @Nullable Path manifest, Map<String, String> targets) throws Failure {
        try (InProcessHub self = InProcessHub.start();
                Daemon hub = targets.isEmpty() ? Daemon.start(ConfigLoader.development(0)) : null) {
            List<Column> columns = new ArrayList<>();
            targets.forEach((name, target) -> columns.add(column(name, target, self)));
            if (hub != null) {
                columns.addAll(ours(self, hub));
            }
            return new MatrixRun(manifest, name -> console.note("running " + name)).run(columns);
        } catch (StartFailed failed) {
            throw Failure.failed("start_failed", String.valueOf(failed.getMessage()), null);
        }
    }

    private static Column column(String name, String target, InProcessHub self) {
        if (target.equals(SELF)) {
            return Column.of(name, "in-process", SELF, () -> inProcess(self));
        }
        Target parsed = Targets.parse(target, Map.of());
        return Column.of(name, parsed.transportProfile(), target, () -> parsed);
    }

    private static Target inProcess(InProcessHub self) {
        return Target.inProcess(SELF, () -> new SelfExchange(self));
    }

    /** Every way to this hub. */
    private static List<Column> ours(InProcessHub self, Daemon hub) {
        String address = hub.url().getAuthority();
        String webSocket = "ws://" + address + "/harmovela";
        String events = "http://" + address + "/harmovela/events";
        List<Column> columns = new ArrayList<>();
        columns.add(Column.of("in process", "in-process", SELF, () -> inProcess(self)));
        columns.add(Column.of(
                "stdio", Profiles.TRANSPORT_STDIO, "stdio:./harmovela stdio", () -> Targets.parse(stdio(), Map.of())));
        columns.add(
                Column.of("WebSocket", Profiles.TRANSPORT_WEBSOCKET, null, () -> Targets.parse(webSocket, Map.of())));
        columns.add(Column.of("SSE", Profiles.TRANSPORT_SSE, null, () -> Targets.parse(events, Map.of())));
        String grpc = hub.grpcAddress();
        columns.add(
                grpc == null
                        ? Column.notRun("gRPC", Profiles.TRANSPORT_GRPC, "the port is off")
                        : Column.of(
                                "gRPC",
                                Profiles.TRANSPORT_GRPC,
                                null,
                                () -> Targets.parse(grpc.contains("://") ? grpc : "grpc://" + grpc, Map.of())));
        for (Map.Entry<String, String> other : others().entrySet()) {
            columns.add(Column.notRun(other.getKey(), other.getValue(), "the suite has no target over a broker yet"));
        }
        return columns;
    }

    private static Map<String, String> others() {
        Map<String, String> others = new LinkedHashMap<>();
        others.put("NATS", Profiles.TRANSPORT_NATS);
        others.put("Kafka", Profiles.TRANSPORT_KAFKA);
        others.put("Redis Streams", Profiles.TRANSPORT_REDIS_STREAMS);
        return others;
    }

    /** This program once more, for every fixture. */
    private static String stdio() {
        return "stdio:'" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED"
                + " --sun-misc-unsafe-memory-access=allow -cp '" + System.getProperty("java.class.path")
                + "' dev.harmovela.cli.Main stdio";
    }

    /** Whether the evidence still holds. */
    @Command(
            name = "verify",
            description = {
                "Run the cells of a matrix.json again and compare verdicts and transcripts.",
                "Exit code 0 when nothing differs, 1 otherwise. Columns of running servers need --target again."
            },
            footer = {"", "Example: harmovela conformance matrix verify docs/reference/matrix.json"})
    static final class Verify extends HubCommand {

        @Parameters(paramLabel = "FILE", description = "matrix.json of an earlier run")
        private Path file = Path.of("matrix.json");

        @Option(
                names = {"-t", "--target"},
                paramLabel = "NAME=TARGET",
                description = "how a column is reached now")
        private Map<String, String> targets = new LinkedHashMap<>();

        @Option(names = "--manifest", paramLabel = "FILE", description = "the suite that was run")
        private @Nullable Path manifest;

        @Override
        int run() throws Failure {
            Matrix before = read();
            Map<String, String> reached = new LinkedHashMap<>();
            boolean foreign = false;
            for (Json.Obj column : before.columns()) {
                String name = String.valueOf(column.string("target"));
                String command = targets.getOrDefault(name, column.string("command"));
                foreign |= column.string("command") != null && !known(name);
                if (command != null) {
                    reached.put(name, command);
                }
            }
            Matrix fresh = judge(console(), manifest, foreign ? reached : Map.of());
            List<String> differences = before.differences(fresh);
            long run = fresh.cells().stream()
                    .filter(cell -> cell.status() != Cell.Status.NOT_RUN)
                    .count();
            if (console().isJson()) {
                List<Json> items = new ArrayList<>();
                differences.forEach(one -> items.add(Json.of(one)));
                console()
                        .line(Json.Obj.builder()
                                .put("ok", differences.isEmpty())
                                .put(
                                        "data",
                                        Json.Obj.builder()
                                                .put("cells_run", run)
                                                .put("differences", new Json.Arr(items))
                                                .build())
                                .build()
                                .toString());
            } else {
                differences.forEach(console()::line);
                console()
                        .line(
                                differences.isEmpty()
                                        ? run + " cells run again: nothing differs"
                                        : "The evidence differs.");
            }
            return differences.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }

        private static boolean known(String name) {
            return List.of("in process", "stdio", "WebSocket", "SSE", "gRPC").contains(name)
                    || others().containsKey(name);
        }

        private Matrix read() throws Failure {
            try {
                return Matrix.parse(Files.readString(file));
            } catch (IOException missing) {
                throw Failure.failed("io_error", "The file " + file + " cannot be read: " + missing + ".", null);
            }
        }
    }
}
