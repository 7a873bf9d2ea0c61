package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.a2a.check.CaseResult;
import java.util.Locale;

/** Writes a report for people, and for build servers that read JUnit; nothing secret is in either. */
public final class ReportText {

    private ReportText() {}

    /** Cases, rows and the sum below them. */
    public static String table(A2aReport report) {
        StringBuilder out = new StringBuilder();
        for (CaseResult each : report.cases()) {
            line(out, each.status().name(), each.fixed().required, each.fixed().id, each.fixed().title);
            reason(out, each.message());
        }
        out.append('\n');
        for (RowResult each : report.rows()) {
            line(out, each.status().wire(), each.row().required(), each.row().id(), each.evidence());
            for (String note : each.allNotes()) {
                reason(out, note);
            }
            each.checks()
                    .forEach((check, outcome) ->
                            outcome.notes().forEach(note -> reason(out, "note: " + check.id() + ": " + note)));
        }
        out.append('\n').append(sum(report)).append('\n');
        return report.secrets().hide(out.toString());
    }

    private static void line(StringBuilder out, String status, boolean required, String id, String text) {
        out.append(String.format(Locale.ROOT, "%-12s %s %-36s %s%n", status, required ? "*" : " ", id, text));
    }

    private static void reason(StringBuilder out, @org.jspecify.annotations.Nullable String text) {
        if (text != null) {
            out.append("               ").append(text).append('\n');
        }
    }

    private static String sum(A2aReport report) {
        StringBuilder out = new StringBuilder();
        out.append(report.profile().id())
                .append(report.profile().strict() ? " (strict)" : "")
                .append(" at ")
                .append(report.origin().endpoint())
                .append(": ")
                .append(report.count(CaseResult.Status.PASS))
                .append(" cases passed, ")
                .append(report.count(CaseResult.Status.FAIL))
                .append(" failed, ")
                .append(report.count(CaseResult.Status.SKIP))
                .append(" skipped; ")
                .append(report.rows().stream().filter(RowResult::fine).count())
                .append(" of ")
                .append(report.rows().size())
                .append(" rows hold (* required)");
        if (report.fits() != null) {
            out.append("\nThe endpoint answers in another dialect only: the profile ")
                    .append(report.fits())
                    .append(" fits it.");
        } else {
            out.append(report.hasRequiredFailures() ? "\nNot conformant." : "\nConformant.");
        }
        return out.toString();
    }

    /** One suite, a test case for each of the fixed cases. */
    public static String junit(A2aReport report) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"a2amesh-conformance\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\""
                        + " time=\"%.3f\">%n",
                report.cases().size(),
                report.count(CaseResult.Status.FAIL),
                report.count(CaseResult.Status.SKIP),
                report.origin().durationMs() / 1000.0));
        for (CaseResult each : report.cases()) {
            out.append(String.format(
                    Locale.ROOT,
                    "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\"",
                    Markup.escape(report.profile().id()),
                    Markup.escape(each.fixed().id),
                    each.durationMs() / 1000.0));
            if (each.status() == CaseResult.Status.PASS) {
                out.append("/>\n");
                continue;
            }
            out.append(">\n    <")
                    .append(each.status() == CaseResult.Status.FAIL ? "failure" : "skipped")
                    .append(" message=\"")
                    .append(Markup.escape(each.message() == null ? "" : each.message()))
                    .append("\"/>\n  </testcase>\n");
        }
        return report.secrets().hide(out.append("</testsuite>\n").toString());
    }
}
