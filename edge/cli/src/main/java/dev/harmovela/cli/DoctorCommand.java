package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.Check;
import dev.harmovela.runtime.Doctor;
import dev.harmovela.runtime.LoadedConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks at what a hub needs. */
@Command(
        name = "doctor",
        description = "Look at Java, configuration, port, open files, clock, disk, journal and search; say what to do.",
        footer = {"", "Example: harmovela doctor --data .harmovela"})
final class DoctorCommand extends HubCommand {

    @Option(names = "--repair", description = "give up what is damaged in the journal, keeping copies of it")
    private boolean repair;

    @Override
    int run() throws Failure {
        LoadedConfig loaded = root().load(Map.of());
        Path data = loaded.config().data();
        List<Check> checks = new ArrayList<>();
        if (repair && data != null) {
            checks.add(Doctor.repair(data));
        }
        checks.addAll(Doctor.examine(loaded));
        boolean healthy = checks.stream().noneMatch(check -> check.verdict() == Check.Verdict.BAD);
        if (!healthy && console().isJson()) {
            throw Failure.failed("unhealthy", "Something keeps a hub from working here.", "Each check says what to do.")
                    .with(data(checks));
        }
        console().result(data(checks), text(checks));
        return healthy ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static Json.Obj data(List<Check> checks) {
        List<Json> rows = new ArrayList<>();
        for (Check check : checks) {
            rows.add(Json.Obj.builder()
                    .put("check", check.name())
                    .put("verdict", check.verdict().name().toLowerCase(Locale.ROOT))
                    .put("text", check.text())
                    .put("advice", check.advice())
                    .build());
        }
        return Json.Obj.builder().put("checks", new Json.Arr(rows)).build();
    }

    private static String text(List<Check> checks) {
        StringBuilder text = new StringBuilder();
        for (Check check : checks) {
            String verdict = check.verdict().name().toLowerCase(Locale.ROOT);
            text.append(String.format("%-5s %-8s %s%n", verdict, check.name(), check.text()));
            if (check.advice() != null) {
                text.append("               ").append(check.advice()).append('\n');
            }
        }
        return text.toString();
    }
}
