package dev.harmovela.conformance.matrix;

import dev.harmovela.conformance.ConformanceRunner;
import dev.harmovela.conformance.Options;
import dev.harmovela.conformance.Report;
import dev.harmovela.conformance.Target;
import dev.harmovela.conformance.UnreachableException;
import dev.harmovela.contract.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the suite over columns and gathers the cells. Not thread-safe. */
public final class MatrixRun {

    private static final String CORE = "core";

    private final @Nullable Path manifest;
    private final Consumer<String> progress;
    private final List<Cell> cells = new ArrayList<>();
    private final List<Json.Obj> columns = new ArrayList<>();
    private final List<Column> later = new ArrayList<>();
    private final List<String> profiles = new ArrayList<>();
    private Json.Obj suite = Json.Obj.of();

    /**
     * A run of the suite at {@code manifest}, or of the one shipped here when it is null.
     *
     * @param progress hears the name of each column before it is run
     */
    public MatrixRun(@Nullable Path manifest, Consumer<String> progress) {
        this.manifest = manifest;
        this.progress = progress;
    }

    /** Runs the columns in their order. One that cannot be reached is not run, and says why. */
    public Matrix run(List<Column> all) {
        for (Column column : all) {
            columns.add(Json.Obj.builder()
                    .put("target", column.name())
                    .put("transport", column.transport())
                    .put("command", column.command())
                    .build());
            Supplier<Target> supplier = column.target();
            if (supplier == null) {
                later.add(column);
                continue;
            }
            progress.accept(column.name());
            try (Target target = supplier.get()) {
                taken(column, new ConformanceRunner().run(Options.all(target).withManifest(manifest)));
            } catch (UnreachableException silent) {
                later.add(Column.notRun(column.name(), column.transport(), "not reachable: " + silent.getMessage()));
            }
        }
        later.forEach(this::notRun);
        cells.sort((one, other) -> Integer.compare(place(all, one), place(all, other)));
        return new Matrix(suite, environment(), columns, cells);
    }

    private static int place(List<Column> all, Cell cell) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(cell.target())) {
                return i;
            }
        }
        return all.size();
    }

    private void taken(Column column, Report report) {
        suite = Json.Obj.builder()
                .put("spec_version", report.versions().protocol())
                .put("version", report.versions().suite())
                .put("sha256", report.versions().hash())
                .build();
        Map<String, List<Cell.Fixture>> byProfile = new LinkedHashMap<>();
        for (Report.Result one : report.fixtures()) {
            String profile = one.profile() == null ? CORE : one.profile();
            byProfile
                    .computeIfAbsent(profile, _ -> new ArrayList<>())
                    .add(new Cell.Fixture(
                            one.path(),
                            one.status().name().toLowerCase(Locale.ROOT),
                            one.reason(),
                            one.run().millis(),
                            one.run().transcript()));
        }
        byProfile.forEach((profile, fixtures) -> {
            if (!profiles.contains(profile)) {
                profiles.add(profile);
            }
            cells.add(cell(column, report, profile, fixtures));
        });
    }

    private static Cell cell(Column column, Report report, String profile, List<Cell.Fixture> fixtures) {
        boolean failed = fixtures.stream().anyMatch(one -> one.status().equals("fail"));
        boolean ran = fixtures.stream().anyMatch(one -> !one.status().equals("skip"));
        boolean whole = fixtures.stream().allMatch(one -> one.status().equals("pass"));
        Cell.Status status = failed ? Cell.Status.FAIL : ran && whole ? Cell.Status.PASS : Cell.Status.NOT_RUN;
        String reason = status == Cell.Status.NOT_RUN
                ? fixtures.stream()
                        .filter(one -> one.status().equals("skip"))
                        .map(Cell.Fixture::reason)
                        .findFirst()
                        .orElse(null)
                : null;
        return new Cell(
                report.implementation().name(),
                report.implementation().version(),
                profile,
                column.transport(),
                Report.TOPOLOGY,
                column.name(),
                status,
                reason,
                fixtures);
    }

    /** Its cells are there all the same, so that nobody takes silence for success. */
    private void notRun(Column column) {
        for (String profile : profiles.isEmpty() ? List.of(CORE) : profiles) {
            cells.add(new Cell(
                    column.name(),
                    "",
                    profile,
                    column.transport(),
                    Report.TOPOLOGY,
                    column.name(),
                    Cell.Status.NOT_RUN,
                    column.reason(),
                    List.of()));
        }
    }

    private static Json.Obj environment() {
        return Json.Obj.builder()
                .put("java", Runtime.version().toString())
                .put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .put("processors", Runtime.getRuntime().availableProcessors())
                .build();
    }
}
