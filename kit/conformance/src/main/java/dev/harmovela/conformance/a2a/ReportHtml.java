package dev.harmovela.conformance.a2a;

import dev.harmovela.contract.json.Json;

/**
 * A page that shows a report and, beside it, earlier ones that are chosen in the browser. It needs nothing but itself
 * and knows no rule: what it shows is what reports say.
 */
public final class ReportHtml {

    private ReportHtml() {}

    /** The page of a report. */
    public static String page(Json.Obj report) {
        // The only way out of the script element that holds it is a tag.
        String inert = report.toString().replace("<", "\\u003c");
        return Profiles.resource("report.html").replace("{{report}}", inert);
    }
}
