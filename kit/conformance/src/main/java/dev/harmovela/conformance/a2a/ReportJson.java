package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.a2a.check.CaseResult;
import dev.harmovela.conformance.a2a.check.Check;
import dev.harmovela.conformance.a2a.check.ErrorTable;
import dev.harmovela.conformance.a2a.check.Outcome;
import dev.harmovela.contract.json.Json;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a report as JSON, {@code a2a-report.schema.json}; nothing secret is in it. */
public final class ReportJson {

    static final String SCHEMA_VERSION = "1.0";
    static final String PACKAGE = "harmovela-conformance";

    private static final List<String> CAPABILITIES =
            List.of("streaming", "pushNotifications", "stateTransitionHistory", "extendedAgentCard");

    private ReportJson() {}

    /** The JSON Schema of reports. */
    public static String schema() {
        return Profiles.resource("a2a-report.schema.json");
    }

    /** The report. */
    public static Json.Obj of(A2aReport report) {
        Json.Builder out = Json.Obj.builder()
                .put("schemaVersion", SCHEMA_VERSION)
                .put(
                        "generatedAt",
                        report.origin()
                                .generatedAt()
                                .truncatedTo(ChronoUnit.MILLIS)
                                .toString())
                .put("package", kit(report))
                .put("protocolVersion", report.profile().protocolVersion())
                .put("specRelease", ErrorTable.RELEASE)
                .put("toleratedRelease", ErrorTable.TOLERATED)
                .put("endpoint", endpoint(report))
                .put("summary", summary(report))
                .put("cases", cases(report))
                .put("skippedCapabilities", skipped(report))
                .put("profile", profile(report))
                .put("coverage", coverage(report));
        if (report.fits() != null) {
            out.put("fittingProfile", report.fits());
        }
        if (report.origin().gate()) {
            out.put("localGate", gate(report));
        }
        return (Json.Obj) Json.parse(report.secrets().hide(out.build().toString()));
    }

    private static Json.Obj kit(A2aReport report) {
        return Json.Obj.builder()
                .put("name", PACKAGE)
                .put("version", report.origin().packageVersion())
                .build();
    }

    private static Json.Obj endpoint(A2aReport report) {
        Json.Obj card = report.origin().card();
        Json.Obj offered = card.object("capabilities");
        Json.Builder capabilities = Json.Obj.builder();
        for (String each : CAPABILITIES) {
            capabilities.put(each, offered != null && Boolean.TRUE.equals(offered.bool(each)));
        }
        Json.Arr interfaces = card.array("supportedInterfaces");
        return Json.Obj.builder()
                .put("url", report.origin().endpoint().toString())
                .put("protocolVersion", card.string("protocolVersion"))
                .put("agentName", card.string("name"))
                .put("agentVersion", card.string("version"))
                .put("capabilities", capabilities.build())
                .put("supportedInterfaces", interfaces == null ? new Json.Arr(List.of()) : interfaces)
                .build();
    }

    private static Json.Obj summary(A2aReport report) {
        return Json.Obj.builder()
                .put("total", report.cases().size())
                .put("passed", report.count(CaseResult.Status.PASS))
                .put("failed", report.count(CaseResult.Status.FAIL))
                .put("skipped", report.count(CaseResult.Status.SKIP))
                .put("requiredFailed", report.requiredFailed())
                .put("durationMs", report.origin().durationMs())
                .build();
    }

    private static Json.Arr cases(A2aReport report) {
        List<Json> all = new ArrayList<>();
        for (CaseResult each : report.cases()) {
            all.add(Json.Obj.builder()
                    .put("id", each.fixed().id)
                    .put("name", each.fixed().title)
                    .put("required", each.fixed().required)
                    .put("status", each.status().name().toLowerCase(Locale.ROOT))
                    .put("durationMs", each.durationMs())
                    .put("message", each.message())
                    .put("metadata", each.metadata())
                    .build());
        }
        return new Json.Arr(all);
    }

    private static Json.Arr skipped(A2aReport report) {
        List<Json> all = new ArrayList<>();
        for (CaseResult each : report.cases()) {
            if (each.fixed().capability != null && each.status() == CaseResult.Status.SKIP) {
                all.add(Json.Obj.builder()
                        .put("capability", each.fixed().capability)
                        .put("reason", each.message())
                        .build());
            }
        }
        return new Json.Arr(all);
    }

    private static Json.Obj profile(A2aReport report) {
        Profile profile = report.profile();
        Json.Obj coverage = Json.Obj.builder()
                .put("total", report.rows().size())
                .put("supported", report.count(RowStatus.SUPPORTED))
                .put("partial", report.count(RowStatus.PARTIAL))
                .put("legacyAlias", report.count(RowStatus.LEGACY_ALIAS))
                .put("unsupported", report.count(RowStatus.UNSUPPORTED))
                .put("requiredUnsupported", report.requiredUnsupported())
                .build();
        return Json.Obj.builder()
                .put("id", profile.id())
                .put("title", profile.title())
                .put("strict", profile.strict())
                .put("protocolVersion", profile.protocolVersion())
                .put("sourceOfTruth", profile.sourceOfTruth())
                .put("coverage", coverage)
                .build();
    }

    private static Json.Arr coverage(A2aReport report) {
        List<Json> all = new ArrayList<>();
        for (RowResult each : report.rows()) {
            List<String> notes = each.allNotes();
            List<Json> checks = new ArrayList<>();
            each.checks().forEach((check, outcome) -> checks.add(check(check, outcome)));
            KnownGaps.Gap gap = each.gap();
            all.add(Json.Obj.builder()
                    .put("id", each.row().id())
                    .put("area", each.row().area())
                    .put("name", each.row().name())
                    .put("status", each.status().wire())
                    .put("required", each.row().required())
                    .put("evidence", each.evidence())
                    .put("notes", notes.isEmpty() ? null : String.join("; ", notes))
                    .put("trackedBy", each.trackedBy())
                    .put("declared", gap == null ? null : gap.status())
                    .put("checks", new Json.Arr(checks))
                    .build());
        }
        return new Json.Arr(all);
    }

    private static Json.Obj check(Check check, Outcome outcome) {
        return Json.Obj.builder()
                .put("id", check.id())
                .put("name", check.title())
                .put("status", outcome.status().wire())
                .put("message", outcome.message())
                .put("notes", outcome.notes().isEmpty() ? null : outcome.notes())
                .build();
    }

    private static Json.Obj gate(A2aReport report) {
        List<String> reasons = new ArrayList<>();
        report.cases().stream()
                .filter(one -> one.fixed().required && one.status() == CaseResult.Status.FAIL)
                .forEach(one -> reasons.add(one.fixed().id + " failed"));
        report.shortOf()
                .forEach(one ->
                        reasons.add(one.row().id() + " is " + one.status().wire()));
        return Json.Obj.builder()
                .put("passed", report.exitCode() == 0)
                .put("reasons", reasons)
                .build();
    }
}
