package dev.harmovela.conformance.matrix;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a matrix for people: profiles down, columns across. */
public final class MatrixPages {

    private MatrixPages() {}

    private static List<String> profiles(Matrix matrix) {
        Set<String> all = new LinkedHashSet<>();
        matrix.cells().forEach(cell -> all.add(cell.profile()));
        return new ArrayList<>(all);
    }

    private static List<String> targets(Matrix matrix) {
        return matrix.columns().stream()
                .map(column -> String.valueOf(column.string("target")))
                .toList();
    }

    private static @Nullable Cell find(Matrix matrix, String profile, String target) {
        return matrix.cells().stream()
                .filter(cell -> cell.profile().equals(profile) && cell.target().equals(target))
                .findFirst()
                .orElse(null);
    }

    private static String verdict(@Nullable Cell cell) {
        if (cell == null || cell.status() == Cell.Status.NOT_RUN) {
            return "NOT RUN";
        }
        return cell.status().name() + " " + cell.count("pass") + "/"
                + cell.fixtures().size();
    }

    /** The matrix as Markdown, without times, so that equal evidence gives equal text. */
    public static String markdown(Matrix matrix) {
        StringBuilder out = new StringBuilder("# Compatibility evidence\n\n");
        out.append(
                "Written by `./harmovela conformance matrix`. A cell shows how many fixtures of a profile passed over");
        out.append(" a\ntransport; what was not run says so, and why.\n\n");
        out.append("Suite ").append(matrix.suite().string("version"));
        out.append(" of protocol ").append(matrix.suite().string("spec_version"));
        out.append(", SHA-256 `").append(matrix.suite().string("sha256")).append("`.\n\n| profile |");
        List<String> targets = targets(matrix);
        targets.forEach(target -> out.append(' ').append(target).append(" |"));
        out.append("\n|---|").append("---|".repeat(targets.size())).append('\n');
        for (String profile : profiles(matrix)) {
            out.append("| ").append(profile).append(" |");
            targets.forEach(target -> out.append(' ')
                    .append(verdict(find(matrix, profile, target)))
                    .append(" |"));
            out.append('\n');
        }
        return out.append(notes(matrix)).toString();
    }

    private static String notes(Matrix matrix) {
        Set<String> lines = new LinkedHashSet<>();
        for (Cell cell : matrix.cells()) {
            if (cell.status() == Cell.Status.NOT_RUN) {
                lines.add("* " + cell.target() + ": not run, " + cell.reason());
            }
            cell.fixtures().stream()
                    .filter(one -> one.status().equals("fail"))
                    .forEach(one -> lines.add("* " + cell.target() + ": " + one.path() + " failed: " + one.reason()));
        }
        return lines.isEmpty() ? "" : "\n" + String.join("\n", lines) + "\n";
    }

    /** The matrix as one page that needs nothing else. */
    public static String html(Matrix matrix) {
        StringBuilder out = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        out.append("<title>Compatibility evidence</title><style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem}");
        out.append("table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.3rem .7rem;text-align:left}");
        out.append(".pass{background:#dff3df}.fail{background:#f8d7d7}.not_run{background:#eee;color:#555}");
        out.append("details{margin:.5rem 0}code{font-size:13px}</style></head><body>");
        out.append("<h1>Compatibility evidence</h1><p>Suite ");
        out.append(escaped(matrix.suite().string("version"))).append(", <code>");
        out.append(escaped(matrix.suite().string("sha256"))).append("</code></p><table><tr><th>profile</th>");
        List<String> targets = targets(matrix);
        targets.forEach(target -> out.append("<th>").append(escaped(target)).append("</th>"));
        out.append("</tr>\n");
        for (String profile : profiles(matrix)) {
            out.append("<tr><th>").append(escaped(profile)).append("</th>");
            for (String target : targets) {
                Cell cell = find(matrix, profile, target);
                String status = cell == null
                        ? Cell.Status.NOT_RUN.wire()
                        : cell.status().wire();
                out.append("<td class=\"").append(status).append("\" title=\"");
                out.append(escaped(cell == null ? "" : cell.reason())).append("\">");
                out.append(escaped(verdict(cell))).append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</table>\n");
        matrix.cells().forEach(cell -> details(out, cell));
        return out.append("</body></html>\n").toString();
    }

    private static void details(StringBuilder out, Cell cell) {
        out.append("<details><summary>").append(escaped(cell.target())).append(" · ");
        out.append(escaped(cell.profile())).append(" · ").append(escaped(verdict(cell)));
        out.append("</summary>");
        if (cell.reason() != null) {
            out.append("<p>").append(escaped(cell.reason())).append("</p>");
        }
        out.append("<table><tr><th>fixture</th><th>verdict</th><th>ms</th><th>transcript</th></tr>");
        for (Cell.Fixture one : cell.fixtures()) {
            String shade = one.status().equals("skip") ? "not_run" : one.status();
            out.append("<tr class=\"").append(shade).append("\"><td>").append(escaped(one.path()));
            out.append("</td><td>").append(escaped(one.status().toUpperCase(Locale.ROOT)));
            out.append(one.reason() == null ? "" : ": " + escaped(one.reason())).append("</td><td>");
            out.append(one.millis())
                    .append("</td><td><code>")
                    .append(escaped(one.transcript()))
                    .append("</code></td></tr>");
        }
        out.append("</table></details>\n");
    }

    private static String escaped(@Nullable String text) {
        return text == null
                ? ""
                : text.replace("&", "&amp;")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")
                        .replace("\"", "&quot;");
    }
}
