package dev.harmovela.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.harmovela.contract.CustomFamily;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.transport.grpc.GrpcConfig;
import dev.harmovela.transport.http.HttpConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configuration: defaults, mapping of every setting, where values come from, and what mistakes are told (§15). */
class ConfigTest {

    @TempDir
    private Path folder;

    private LoadedConfig load(Map<String, String> environment, Map<String, String> options) throws ConfigProblem {
        return ConfigLoader.load(new ConfigLoader.Sources(folder, environment, null, options));
    }

    private ConfigProblem refused(String file, String content) throws IOException {
        Files.writeString(folder.resolve(file), content);
        return catchThrowableOfType(ConfigProblem.class, () -> load(Map.of(), Map.of()));
    }

    @Test
    void defaultsAreThoseOfTheProtocol() throws ConfigProblem {
        DaemonConfig config = load(Map.of(), Map.of()).config();
        assertThat(config.listen())
                .isEqualTo(new DaemonConfig.Listen(
                        "127.0.0.1",
                        8787,
                        DaemonConfig.Access.AUTHENTICATED,
                        DaemonConfig.Network.LOOPBACK_ONLY,
                        null));
        assertThat(config.data()).isEqualTo(folder.resolve(".harmovela"));
        assertThat(config.logLevel()).isEqualTo("info");
        assertThat(config.drainGraceMs()).isEqualTo(5_000);
        assertThat(config.limits()).isEqualTo(new DaemonConfig.Limits(1 << 20, 64, 512, "flag", "enforce"));
        assertThat(config.retry()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(config.sessions().resumeWindowMs()).isEqualTo(300_000);
        assertThat(config.tasks().leaseMs()).isEqualTo(60_000);
        assertThat(config.tasks().cancelGraceMs()).isEqualTo(30_000);
        assertThat(config.families()).isEmpty();
    }

    @Test
    void developmentKeepsNothingUnlessAFolderIsNamed() throws ConfigProblem {
        assertThat(load(Map.of(), Map.of("dev", "true")).config().data()).isNull();
        assertThat(load(Map.of(), Map.of("dev", "true", "data", "kept"))
                        .config()
                        .data())
                .isEqualTo(folder.resolve("kept"));
    }

    @Test
    void grpcIsOffUnlessAskedForOrInDevelopmentWhereItGivesWay() throws ConfigProblem {
        assertThat(grpc(Map.of()).isOn()).isFalse();
        assertThat(grpc(Map.of("dev", "true")).port()).isEqualTo(8788);
        assertThat(grpc(Map.of("dev", "true")).ifTaken()).isEqualTo(DaemonConfig.IfTaken.MOVE);
        assertThat(grpc(Map.of("dev", "true", "port", "0")).port()).isZero();
        assertThat(grpc(Map.of("dev", "true", "grpc.port", "-1")).isOn()).isFalse();
        assertThat(grpc(Map.of("dev", "true", "grpc.port", "9000")))
                .returns(9000, DaemonConfig.Grpc::port)
                .returns(DaemonConfig.IfTaken.FAIL, DaemonConfig.Grpc::ifTaken);
    }

    private DaemonConfig.Grpc grpc(Map<String, String> options) throws ConfigProblem {
        return load(Map.of(), options).config().grpc();
    }

    @Test
    void theDefaultsAreThoseOfThePartsThatTheyConfigure() throws ConfigProblem {
        DaemonConfig config = load(Map.of(), Map.of()).config();
        HubConfig hub = HubSettings.hub(config, List.of());
        assertThat(hub.bounds()).isEqualTo(HubConfig.Bounds.DEFAULT);
        assertThat(hub.tasks()).isEqualTo(TaskPolicy.DEFAULTS);
        assertThat(hub.limits()).isEqualTo(Limits.DEFAULT);
        assertThat(HubSettings.journal(config)).isEqualTo(JournalOptions.DEFAULT);
        assertThat(HubSettings.http(config)).isEqualTo(HttpConfig.DEFAULT);
        DaemonConfig asked = load(Map.of(), Map.of("grpc.port", "8788")).config();
        assertThat(HubSettings.grpc(asked)).isEqualTo(GrpcConfig.DEFAULT);
    }

    /** One value other than the default for each setting, in a file; each must arrive where it belongs. */
    @Test
    void everySettingReachesTheHub() throws ConfigProblem, IOException {
        Map<String, Json> others = new LinkedHashMap<>();
        long number = 0;
        for (Setting setting : Settings.ALL) {
            others.put(setting.path(), other(setting, ++number));
        }
        Files.writeString(
                folder.resolve("harmovela.config.json"), nested(others).toString());
        LoadedConfig loaded = load(Map.of(), Map.of());
        Set<String> text = new HashSet<>();
        for (LoadedConfig.Entry entry : loaded.entries()) {
            assertThat(entry.value()).as(entry.path()).isEqualTo(others.get(entry.path()));
            assertThat(entry.origin()).isInstanceOf(Origin.InFile.class);
            assertThat(text.add(entry.value().toString()) || entry.value() instanceof Json.Bool)
                    .as("values differ, so that none is mapped to the place of another")
                    .isTrue();
        }
        String all = loaded.config().toString() + "\n"
                + loaded.config().listen().access() + loaded.config().listen().network();
        for (Map.Entry<String, Json> one : others.entrySet()) {
            if (one.getValue() instanceof Json.Num value) {
                assertThat(all).as(one.getKey()).contains("=" + value.text());
            } else if (one.getValue() instanceof Json.Str value) {
                assertThat(all).as(one.getKey()).contains(value.value());
            }
        }
        assertThat(all).contains("OPEN", "INSECURE_ALLOWED", "http-origins", "http-trusted-hosts");
        assertThat(loaded.config().families()).containsExactly(CustomFamily.of("orders", List.of("placed")));
    }

    private static Json other(Setting setting, long number) {
        return switch (setting.kind()) {
            case TEXT -> Json.of(setting.path() + "-other");
            case WORD -> Json.of(setting.range().words().getLast());
            case SWITCH -> Json.of(true);
            case INTEGER -> Json.of(otherNumber(setting, number));
            case DECIMAL -> new Json.Num(setting.range().holds(2.5) ? "2.5" : "0.75");
            case TEXTS -> Json.of(List.of(setting.path().replace('.', '-').replace('_', '-')));
            case FAMILIES -> Json.parse("[{\"name\":\"orders\",\"actions\":[\"placed\"]}]");
        };
    }

    /** A number of its own for each setting that is in range and keeps the pairs in order. */
    private static long otherNumber(Setting setting, long number) {
        return switch (setting.path()) {
            case "journal.segment_bytes" -> 4096L * 1000;
            case "http.hard_cap_bytes" -> (4 << 20) + number;
            case "limits.depth", "tasks.max_depth" -> 4 + (number % 60);
            default -> {
                long standard = ((Json.Num) setting.fallback()).longValue();
                yield setting.range().holds(standard + number) ? standard + number : standard - number;
            }
        };
    }

    private static Json.Obj nested(Map<String, Json> flat) {
        Map<String, Json.Builder> groups = new LinkedHashMap<>();
        Json.Builder top = Json.Obj.builder();
        flat.forEach((path, value) -> {
            int dot = path.indexOf('.');
            if (dot < 0) {
                top.put(path, value);
            } else {
                groups.computeIfAbsent(path.substring(0, dot), name -> Json.Obj.builder())
                        .put(path.substring(dot + 1), value);
            }
        });
        groups.forEach((name, group) -> top.put(name, group.build()));
        return top.build();
    }

    @Test
    void optionsWinOverVariablesAndVariablesOverTheFile() throws ConfigProblem, IOException {
        Path file = Files.writeString(
                folder.resolve("harmovela.config.yaml"), "port: 1001\nhost: localhost\ntasks:\n  lease_ms: 7000\n");
        LoadedConfig loaded =
                load(Map.of("HARMOVELA_PORT", "1002", "HARMOVELA_TASKS_LEASE_MS", "8000"), Map.of("port", "1003"));
        assertThat(loaded.config().listen().port()).isEqualTo(1003);
        assertThat(loaded.config().tasks().leaseMs()).isEqualTo(8000);
        assertThat(loaded.config().listen().host()).isEqualTo("localhost");
        assertThat(origins(loaded))
                .containsEntry("port", "option --port")
                .containsEntry("tasks.lease_ms", "environment HARMOVELA_TASKS_LEASE_MS")
                .containsEntry("host", "file " + file)
                .containsEntry("log_level", "default");
    }

    private static Map<String, String> origins(LoadedConfig loaded) {
        Map<String, String> origins = new LinkedHashMap<>();
        loaded.entries()
                .forEach(entry -> origins.put(entry.path(), entry.origin().text()));
        return origins;
    }

    @Test
    void aFileMayBeNamedByVariableOrOption() throws ConfigProblem, IOException {
        Files.writeString(folder.resolve("a.json"), "{\"port\":1}");
        Files.writeString(folder.resolve("b.yml"), "port: 2");
        Map<String, String> named = Map.of("HARMOVELA_CONFIG", "a.json");
        assertThat(load(named, Map.of()).config().listen().port()).isEqualTo(1);
        LoadedConfig other = ConfigLoader.load(new ConfigLoader.Sources(folder, named, Path.of("b.yml"), Map.of()));
        assertThat(other.config().listen().port()).isEqualTo(2);
        assertThat(other.file()).isEqualTo(folder.resolve("b.yml"));
    }

    @Test
    void cli03UnknownKeysNameThemselvesTheFileAndWhatWasMeant() throws IOException {
        ConfigProblem problem = refused("harmovela.config.yaml", "tasks:\n  leese_ms: 5\n");
        assertThat(problem.sentence())
                .isEqualTo("There is no setting tasks.leese_ms, named in " + folder.resolve("harmovela.config.yaml")
                        + ".");
        assertThat(problem.hint()).isEqualTo("Did you mean tasks.lease_ms?");
    }

    @Test
    void cli03WrongTypesNameThePathTheFileAndWhatIsExpected() throws IOException {
        assertThat(refused("harmovela.config.json", "{\"tasks\":{\"lease_ms\":\"soon\"}}")
                        .sentence())
                .contains("tasks.lease_ms in", "harmovela.config.json", "whole number from 1", "\"soon\"");
        assertThat(refused("harmovela.config.json", "{\"tasks\":5}").sentence()).contains("tasks in", "an object");
        assertThat(refused("harmovela.config.json", "{\"port\":70000}").sentence())
                .contains("from 0 to 65535");
        assertThat(refused("harmovela.config.json", "{\"dev\":\"maybe\"}").sentence())
                .contains("true or false");
        assertThat(refused("harmovela.config.json", "{\"log_level\":\"loud\"}").sentence())
                .contains("error, warn, info, debug");
    }

    @Test
    void cli03FilesThatAreNotWhatTheyClaimAreOneSentence() throws IOException {
        assertThat(refused("harmovela.config.json", "{\"port\": }").sentence()).contains("is not JSON");
        assertThat(refused("harmovela.config.json", "{\"port\":1,\"port\":2}").sentence())
                .contains("port");
        assertThat(refused("harmovela.config.json", "[1]").sentence()).contains("an object is needed");
        Files.delete(folder.resolve("harmovela.config.json"));
        assertThat(refused("harmovela.config.yaml", "port: [1\n").sentence()).contains("is not YAML in line");
        assertThat(refused("harmovela.config.yaml", "port: 1\nport: 2\n").sentence())
                .contains("is not YAML");
        Files.delete(folder.resolve("harmovela.config.yaml"));
        Files.createDirectory(folder.resolve("harmovela.config.yml"));
        ConfigProblem unreadable = catchThrowableOfType(ConfigProblem.class, () -> load(Map.of(), Map.of()));
        assertThat(unreadable.sentence()).contains("harmovela.config.yml", "cannot be read");
    }

    @Test
    void cli03AMissingNamedFileIsOneSentence() {
        ConfigProblem problem = catchThrowableOfType(
                ConfigProblem.class, () -> load(Map.of("HARMOVELA_CONFIG", "gone.json"), Map.of()));
        assertThat(problem.sentence()).isEqualTo("There is no configuration file " + folder.resolve("gone.json") + ".");
    }

    @Test
    void valuesOfVariablesAreCheckedUnderTheirOwnName() {
        ConfigProblem problem =
                catchThrowableOfType(ConfigProblem.class, () -> load(Map.of("HARMOVELA_PORT", "many"), Map.of()));
        assertThat(problem.sentence()).startsWith("HARMOVELA_PORT must be a whole number");
    }

    @Test
    void aMistypedVariableIsToldAndPassedOver() throws ConfigProblem {
        LoadedConfig loaded = load(Map.of("HARMOVELA_PROT", "1", "HARMOVELA_URL", "http://x"), Map.of());
        assertThat(loaded.warnings())
                .containsExactly(
                        "The variable HARMOVELA_PROT is no setting and was passed over; did you mean HARMOVELA_PORT?");
    }

    @Test
    void listsInVariablesAreSeparatedByCommas() throws ConfigProblem {
        LoadedConfig loaded = load(Map.of("HARMOVELA_HTTP_ORIGINS", "https://a.example, https://b.example"), Map.of());
        assertThat(loaded.config().http().origins()).containsExactly("https://a.example", "https://b.example");
    }

    @Test
    void valuesThatContradictEachOtherAreTold() throws IOException {
        assertThat(refused("harmovela.config.json", "{\"journal\":{\"segment_bytes\":1048577}}")
                        .sentence())
                .contains("journal.segment_bytes", "multiple of 4096");
        assertThat(refused("harmovela.config.json", "{\"http\":{\"hard_cap_bytes\":4096}}")
                        .sentence())
                .contains("http.hard_cap_bytes", "http.high_watermark_bytes");
        assertThat(refused("harmovela.config.json", "{\"grpc\":{\"tls_certificate\":\"a.pem\"}}")
                        .sentence())
                .contains("grpc.tls_key", "set too");
        assertThat(refused("harmovela.config.json", "{\"grpc\":{\"tls_client_ca\":\"a.pem\"}}")
                        .sentence())
                .contains("grpc.tls_certificate", "set too");
    }

    @Test
    void familiesAreCheckedAtTheStart() throws IOException {
        assertThat(refused("harmovela.config.json", "{\"families\":[{\"name\":\"task\",\"actions\":[\"x\"]}]}")
                        .sentence())
                .contains("families", "harmovela.config.json");
        assertThat(refused("harmovela.config.json", "{\"families\":[{\"name\":\"orders\"}]}")
                        .sentence())
                .contains("families.0", "name and actions");
    }

    @Test
    void theFileThatInitWritesChangesNothingAndNamesEverySetting() throws ConfigProblem, IOException {
        String text = ConfigTemplate.yaml();
        Files.writeString(folder.resolve("harmovela.config.yaml"), text);
        LoadedConfig loaded = load(Map.of(), Map.of());
        assertThat(loaded.entries())
                .allSatisfy(entry -> assertThat(entry.origin()).isEqualTo(new Origin.Standard()));
        String awake = text.lines()
                .map(line -> line.matches("# \\S.*") ? line : line.replaceFirst("^#", ""))
                .reduce("", (a, b) -> a + b + "\n");
        Files.writeString(folder.resolve("harmovela.config.yaml"), awake);
        assertThat(load(Map.of(), Map.of()).entries())
                .allSatisfy(entry -> assertThat(entry.origin()).isInstanceOf(Origin.InFile.class));
    }
}
