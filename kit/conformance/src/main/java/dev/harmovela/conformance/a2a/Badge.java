package dev.harmovela.conformance.a2a;

import dev.harmovela.contract.json.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A report in a few words.
 *
 * @param label profile and version
 * @param value rows that hold, of all
 * @param fine whether everything that is required holds
 */
public record Badge(String label, String value, boolean fine) {

    private static final int CHARACTER = 7;
    private static final int MARGIN = 12;

    /** The badge of a report; null when it is none. A skip counts as missing, in cases and in rows. */
    public static @Nullable Badge of(Json.Obj report) {
        Json.Obj profile = report.object("profile");
        Json.Obj coverage = profile == null ? null : profile.object("coverage");
        Json.Obj summary = report.object("summary");
        Json.Arr rows = report.array("coverage");
        if (profile == null || coverage == null || summary == null || rows == null) {
            return null;
        }
        Long failed = summary.integer("requiredFailed");
        int holding = 0;
        boolean required = true;
        for (Json each : rows.items()) {
            if (each instanceof Json.Obj row) {
                boolean holds = "supported".equals(row.string("status")) || "legacy-alias".equals(row.string("status"));
                holding += holds ? 1 : 0;
                required &= holds || !Boolean.TRUE.equals(row.bool("required"));
            }
        }
        boolean fine = failed != null && failed == 0 && required && !report.has("fittingProfile");
        return new Badge(
                profile.string("id") + " " + profile.string("protocolVersion"),
                holding + " of " + rows.items().size() + " rows",
                fine);
    }

    /** One line. */
    public String markdown() {
        return "**" + label + "**: " + value + (fine ? ", all that is required" : ", not all that is required");
    }

    /** A picture. */
    public String svg() {
        int left = label.length() * CHARACTER + MARGIN;
        int right = value.length() * CHARACTER + MARGIN;
        return String.format(
                Locale.ROOT,
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s: %s">\
                <rect width="%d" height="20" fill="#444"/><rect x="%d" width="%d" height="20" fill="%s"/>\
                <g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">\
                <text x="%d" y="14">%s</text><text x="%d" y="14">%s</text></g></svg>""",
                left + right,
                Markup.escape(label),
                Markup.escape(value),
                left,
                left,
                right,
                fine ? "#2a7d2e" : "#a33",
                left / 2,
                Markup.escape(label),
                left + right / 2,
                Markup.escape(value));
    }
}
