package dev.harmovela.conformance.matrix;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one implementation does of one profile over one transport.
 *
 * @param implementation its name, or that of the column when it was not run
 * @param version its version, empty when it was not run
 * @param profile {@code core} for the fixtures of no profile, else the profile's short name
 * @param transport identifier of the transport profile
 * @param topology identifier of the participant structure
 * @param target the column
 * @param status what became of it
 * @param reason why it was not run, null when it was
 * @param fixtures what became of each fixture
 */
public record Cell(
        String implementation,
        String version,
        String profile,
        String transport,
        String topology,
        String target,
        Status status,
        @Nullable String reason,
        List<Fixture> fixtures) {

    /** What became of a cell. What was not run never counts as passed. */
    public enum Status {
        PASS("pass"),
        FAIL("fail"),
        NOT_RUN("not_run");

        private final String wire;

        Status(String wire) {
            this.wire = wire;
        }

        /** As the file says it. */
        public String wire() {
            return wire;
        }
    }

    /**
     * A fixture in a cell.
     *
     * @param path as the suite gives it
     * @param status {@code pass}, {@code fail} or {@code skip}
     * @param reason why it failed or was left out, null when it passed
     * @param millis how long it took
     * @param transcript SHA-256 over what was said, null when nothing was
     */
    public record Fixture(
            String path,
            String status,
            @Nullable String reason,
            long millis,
            @Nullable String transcript) {

        Json.Obj toJson() {
            return Json.Obj.builder()
                    .put("path", path)
                    .put("status", status)
                    .put("reason", reason)
                    .put("duration_ms", millis)
                    .put("transcript_sha256", transcript)
                    .build();
        }

        static Fixture of(Json.Obj from) {
            Long millis = from.integer("duration_ms");
            return new Fixture(
                    String.valueOf(from.string("path")),
                    String.valueOf(from.string("status")),
                    from.string("reason"),
                    millis == null ? 0 : millis,
                    from.string("transcript_sha256"));
        }
    }

    public Cell {
        fixtures = List.copyOf(fixtures);
    }

    /** How many fixtures ended that way. */
    public long count(String fixtureStatus) {
        return fixtures.stream()
                .filter(one -> one.status().equals(fixtureStatus))
                .count();
    }

    Json.Obj toJson() {
        List<Json> items = new ArrayList<>();
        fixtures.forEach(one -> items.add(one.toJson()));
        return Json.Obj.builder()
                .put("implementation", implementation)
                .put("version", version)
                .put("profile", profile)
                .put("transport", transport)
                .put("topology", topology)
                .put("target", target)
                .put(
                        "summary",
                        Json.Obj.builder()
                                .put("total", fixtures.size())
                                .put("passed", count("pass"))
                                .put("failed", count("fail"))
                                .put("skipped", count("skip"))
                                .build())
                .put("status", status.wire())
                .put("reason", reason)
                .put("fixtures", new Json.Arr(items))
                .build();
    }

    static Cell of(Json.Obj from) {
        List<Fixture> fixtures = new ArrayList<>();
        Json.Arr items = from.array("fixtures");
        if (items != null) {
            items.items().forEach(item -> fixtures.add(Fixture.of((Json.Obj) item)));
        }
        Status status = Status.NOT_RUN;
        for (Status one : Status.values()) {
            status = one.wire().equals(from.string("status")) ? one : status;
        }
        return new Cell(
                String.valueOf(from.string("implementation")),
                String.valueOf(from.string("version")),
                String.valueOf(from.string("profile")),
                String.valueOf(from.string("transport")),
                String.valueOf(from.string("topology")),
                String.valueOf(from.string("target")),
                status,
                from.string("reason"),
                fixtures);
    }
}
