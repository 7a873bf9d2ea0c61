package dev.harmovela.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows with the widest window as horizontal bars, in SVG. */
final class Plot {

    private static final List<Row> ROWS = List.of(Row.PUBLISH_W1024, Row.CONSUME1_W1024, Row.CONSUME4_W1024);
    private static final int WIDTH = 760;
    private static final int LEFT = 150;
    private static final int RIGHT = 90;
    private static final int BAR = 16;
    private static final int GAP = 4;
    private static final int TITLE = 30;

    private final Results results;

    Plot(Results results) {
        this.results = results;
    }

    String svg() {
        StringBuilder body = new StringBuilder();
        int y = 10;
        for (Row row : ROWS) {
            Map<Contender, Outcome> outcomes = results.contests().get(row);
            if (outcomes != null) {
                y = row(body, row, outcomes, y);
            }
        }
        return format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                        + "font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n%s</svg>%n",
                WIDTH, y + 10, body);
    }

    private int row(StringBuilder body, Row row, Map<Contender, Outcome> outcomes, int top) {
        double most = 1;
        for (Contender contender : outcomes.keySet()) {
            Run run = results.run(row, contender);
            most = run == null ? most : Math.max(most, run.perSecond());
        }
        int y = top + TITLE;
        body.append(format(
                "<text x=\"10\" y=\"%d\" font-weight=\"bold\">%s, events per second</text>%n", y - 10, row.title()));
        for (Contender contender : outcomes.keySet()) {
            Run run = results.run(row, contender);
            double width = run == null ? 0 : run.perSecond() / most * (WIDTH - LEFT - RIGHT);
            body.append(format(
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n", LEFT - 8, y + 12, contender.title()));
            body.append(format(
                    "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                    LEFT, y, width, BAR, colour(contender)));
            body.append(format(
                    "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
                    LEFT + width + 6, y + 12, run == null ? "not run" : format("%,.0f", run.perSecond())));
            y += BAR + GAP;
        }
        return y + GAP;
    }

    /** The hub stands out; among the peers those that force are darker. */
    private static String colour(Contender contender) {
        if (contender == Contender.HUB) {
            return "#1f6f8b";
        }
        return contender.forced() ? "#8a8f98" : "#c9ccd1";
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
