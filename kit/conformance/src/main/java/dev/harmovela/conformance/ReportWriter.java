package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes a {@link Report} for people and for machines. */
public final class ReportWriter {

    private ReportWriter() {}

    /** The envelope of {@code --json}: {@code ok} and {@code data}. */
    public static String json(Report report) {
        return Json.Obj.builder()
                .put("ok", report.exitCode() == 0)
                .put("data", data(report))
                .build()
                .toString();
    }

    /**
     * The evidence file of {@code --report}: the same data without an envelope, and without times, so that runs
     * compare.
     */
    public static String evidence(Report report) {
        return data(report).toString();
    }

    private static Json.Obj data(Report report) {
        List<Json> fixtures = new ArrayList<>();
        report.fixtures().forEach(one -> fixtures.add(result(one)));
        return Json.Obj.builder()
                .put("implementation", report.implementation().name())
                .put("version", report.implementation().version())
                .put("profile", orNull(report.scope().profile()))
                .put("level", report.scope().level())
                .put("target", report.target().name())
                .put("transport_profile", report.target().transportProfile())
                .put("topology", Report.TOPOLOGY)
                .put("spec_version", report.versions().protocol())
                .put("suite_version", report.versions().suite())
                .put("summary", summary(report))
                .put("transcript_sha256", report.evidence().transcript())
                .put("fixtures", new Json.Arr(fixtures))
                .build();
    }

    private static Json.Obj summary(Report report) {
        return Json.Obj.builder()
                .put("total", report.fixtures().size())
                .put("passed", report.count(Report.Status.PASS))
                .put("failed", report.count(Report.Status.FAIL))
                .put("skipped", report.count(Report.Status.SKIP))
                .build();
    }

    private static Json.Obj result(Report.Result one) {
        return Json.Obj.builder()
                .put("path", one.path())
                .put("level", one.level())
                .put("profile", orNull(one.profile()))
                .put("status", one.status().name().toLowerCase(Locale.ROOT))
                .put("reason", one.reason())
                .put("stats", one.run().stats())
                .build();
    }

    private static Json orNull(@Nullable String value) {
        return value == null ? Json.Null.NULL : Json.of(value);
    }

    /** A table with one line per fixture and the sums below it. */
    public static String table(Report report) {
        StringBuilder out = new StringBuilder();
        for (Report.Result one : report.fixtures()) {
            String level = one.level().startsWith("HARMOVELA-") ? one.level().substring(10) : one.level();
            String profile = one.profile() == null ? "-" : one.profile();
            String head = String.format(Locale.ROOT, "%-4s  %-2s  %-17s  ", one.status(), level, profile);
            out.append(head).append(one.path()).append('\n');
            if (one.reason() != null) {
                out.append("      ").append(one.reason()).append('\n');
            }
        }
        out.append('\n')
                .append(report.implementation().name())
                .append(' ')
                .append(report.implementation().version())
                .append(" over ")
                .append(report.target().name())
                .append(", suite ")
                .append(report.versions().suite())
                .append(", up to ")
                .append(report.scope().level())
                .append(": ")
                .append(report.count(Report.Status.PASS))
                .append(" passed, ")
                .append(report.count(Report.Status.FAIL))
                .append(" failed, ")
                .append(report.count(Report.Status.SKIP))
                .append(" skipped\n");
        return out.toString();
    }

    /** A JUnit report with one test case per fixture. */
    public static String junit(Report report) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"");
        long millis = 0;
        for (Report.Result one : report.fixtures()) {
            millis += one.run().millis();
        }
        escape(out, "harmovela conformance " + report.target().name());
        out.append("\" tests=\"")
                .append(report.fixtures().size())
                .append("\" failures=\"")
                .append(report.count(Report.Status.FAIL))
                .append("\" errors=\"0\" skipped=\"")
                .append(report.count(Report.Status.SKIP))
                .append("\" time=\"")
                .append(seconds(millis))
                .append("\">\n");
        report.fixtures().forEach(one -> testcase(out, one));
        return out.append("</testsuite>\n").toString();
    }

    private static void testcase(StringBuilder out, Report.Result one) {
        out.append("  <testcase classname=\"");
        escape(out, "conformance." + (one.profile() == null ? Selection.CORE : one.profile()));
        out.append("\" name=\"");
        escape(out, one.path());
        out.append("\" time=\"").append(seconds(one.run().millis())).append('"');
        if (one.status() == Report.Status.PASS) {
            out.append("/>\n");
            return;
        }
        out.append(one.status() == Report.Status.FAIL ? ">\n    <failure message=\"" : ">\n    <skipped message=\"");
        escape(out, one.reason() == null ? "" : one.reason());
        out.append("\"/>\n  </testcase>\n");
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
    }

    private static void escape(StringBuilder out, String text) {
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                default -> {
                    boolean forbidden = c < ' ' || (c >= 0xD800 && c <= 0xDFFF) || c == 0xFFFE || c == 0xFFFF;
                    out.appendCodePoint(forbidden ? ' ' : c);
                }
            }
        });
    }
}
