package dev.harmovela.bench;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts results into words: a table for the terminal, a page, a document for programs. */
final class Report {

    private final Results results;

    Report(Results results) {
        this.results = results;
    }

    // --- terminal

    String text() {
        StringBuilder out = new StringBuilder();
        results.contests().forEach((row, outcomes) -> {
            out.append('\n').append(row.title()).append('\n');
            outcomes.forEach((contender, outcome) -> out.append(line(row, contender, outcome)));
        });
        results.figures().forEach((row, figures) -> {
            out.append('\n').append(row.title()).append('\n');
            figures.forEach(figure -> out.append(
                    format("  %-70s %8.2f %-4s %s%n", figure.what(), figure.value(), figure.unit(), goal(figure))));
        });
        List<Goal> goals = Goal.of(results);
        if (!goals.isEmpty()) {
            out.append("\ngoals\n");
            goals.forEach(goal -> out.append(format(
                    "  %-70s %8s %s %-5s %s%n",
                    goal.what(), number(goal.value()), goal.bound().sign(), plain(goal.limit()), goal.verdict())));
        }
        return out.toString();
    }

    private String line(Row row, Contender contender, Outcome outcome) {
        return switch (outcome) {
            case Outcome.NotRun not -> format("  %-18s NOT RUN: %s%n", contender.title(), not.reason());
            case Outcome.Measured measured -> {
                Run run = measured.run();
                yield format(
                        "  %-18s %9.0f/s  ratio %6s  cpu %7.2f µs  memory %5.0f MB  p50 %7d µs  p99 %7d µs%n",
                        contender.title(),
                        run.perSecond(),
                        contender == Contender.HUB ? "" : number(results.ratio(row, contender)),
                        run.cpuMicros(),
                        run.peakMegabytes(),
                        run.p50Micros(),
                        run.p99Micros());
            }
        };
    }

    private static String goal(Figure figure) {
        return figure.bound().isEmpty()
                ? ""
                : figure.bound() + " " + plain(figure.goal()) + " " + (figure.met() ? "met" : "missed");
    }

    // --- page

    String markdown(String plotFile) {
        StringBuilder out = new StringBuilder();
        out.append("# Performance\n\n");
        out.append("Written by `./dev bench`; run it to measure on another machine. Ratios are the "
                + "result, absolute figures "
                + "belong to the machine.\n\n");
        method(out);
        out.append("![Events per second with 1024 in flight](").append(plotFile).append(")\n\n");
        contests(out);
        if (!results.figures().isEmpty()) {
            out.append("## The hub alone\n\n| what | measured | goal | |\n|---|---|---|---|\n");
            results.figures()
                    .values()
                    .forEach(figures -> figures.forEach(figure -> out.append(format(
                            "| %s | %.2f %s | %s | %s |%n",
                            figure.what(),
                            figure.value(),
                            figure.unit(),
                            figure.bound().isEmpty() ? "" : figure.bound() + " " + plain(figure.goal()),
                            figure.bound().isEmpty() ? "" : figure.met() ? "met" : "**missed**"))));
            out.append('\n');
        }
        goals(out);
        return out.toString();
    }

    private void method(StringBuilder out) {
        Machine machine = results.machine();
        out.append(format(
                "%s, %d cores, %s, %s, %s, Java %s, %s, %s; load of others before the first run: %.1f%s.%n%n",
                machine.day(),
                machine.cores(),
                machine.memory(),
                machine.system(),
                machine.disk(),
                machine.java(),
                machine.redis(),
                machine.nats(),
                machine.load(),
                machine.busy() ? ", **so the machine was not free and the figures are rough**" : ""));
        out.append(format(
                "One load generator process, %d-byte events, medians of %d runs of %.1f s in turn, "
                        + "after the hub has worked for "
                        + "%d s. *n in flight* counts events that are published and not done; done "
                        + "is what the publisher knows "
                        + "to be stored and every consumer has received and acknowledged, one by "
                        + "one. Every consumer receives "
                        + "everything. The hub runs as `harmovela serve --dev --data DIR`: "
                        + "validation, duplicate check, "
                        + "sessions, journal, all on.%n%n",
                Sample.BYTES,
                results.effort().rounds(),
                results.effort().run().toMillis() / 1000.0,
                results.effort().warmUp().toSeconds()));
        out.append("| contender | an acknowledgement means |\n|---|---|\n");
        for (Contender contender : Contender.ALL) {
            out.append(format("| %s | %s |%n", contender.title(), contender.durability()));
        }
        out.append("\nIn favour of the peers: no duplicate check in JetStream (no message id is sent), "
                + "no rewriting of Redis' "
                + "log and no snapshots, push consumers in JetStream, reads of up to 1024 "
                + "entries in Redis.\n\n");
    }

    private void contests(StringBuilder out) {
        out.append("## Side by side\n\n");
        out.append("| | contender | events/s | hub's ratio | CPU µs/event | peak MB | p50 µs | p99 µs |\n");
        out.append("|---|---|---:|---:|---:|---:|---:|---:|\n");
        results.contests()
                .forEach((row, outcomes) -> outcomes.forEach((contender, outcome) -> {
                    String title = contender == Contender.HUB ? row.title() : "";
                    out.append(
                            switch (outcome) {
                                case Outcome.NotRun not ->
                                    format(
                                            "| %s | %s | NOT RUN: %s | | | | | |%n",
                                            title, contender.title(), not.reason());
                                case Outcome.Measured measured -> cells(title, row, contender, measured.run());
                            });
                }));
        out.append('\n');
    }

    private String cells(String title, Row row, Contender contender, Run run) {
        return format(
                "| %s | %s | %,.0f | %s | %.1f | %.0f | %,d | %,d |%n",
                title,
                contender.title(),
                run.perSecond(),
                contender == Contender.HUB ? "" : number(results.ratio(row, contender)),
                run.cpuMicros(),
                run.peakMegabytes(),
                run.p50Micros(),
                run.p99Micros());
    }

    private void goals(StringBuilder out) {
        List<Goal> goals = Goal.of(results);
        if (!goals.isEmpty()) {
            out.append("## Goals\n\n| the hub against | measured | goal | |\n|---|---:|---:|---|\n");
            goals.forEach(goal -> out.append(format(
                    "| %s | %s | %s %s | %s |%n",
                    goal.what(),
                    number(goal.value()),
                    goal.bound().sign(),
                    plain(goal.limit()),
                    goal.known() && !goal.met() ? "**missed**" : goal.verdict())));
        }
    }

    // --- document

    Json.Obj json() {
        Json.Builder rows = Json.Obj.builder();
        results.contests().forEach((row, outcomes) -> rows.put(row.wire(), outcomes(row, outcomes)));
        Json.Builder figures = Json.Obj.builder();
        results.figures().forEach((row, list) -> figures.put(row.wire(), new Json.Arr(figures(list))));
        List<Json> goals = new ArrayList<>();
        for (Goal goal : Goal.of(results)) {
            goals.add(Json.Obj.builder()
                    .put("what", goal.what())
                    .put("value", rounded(goal.value()))
                    .put("bound", goal.bound().sign())
                    .put("limit", goal.limit())
                    .put("verdict", goal.verdict())
                    .build());
        }
        Machine machine = results.machine();
        return Json.Obj.builder()
                .put("day", machine.day())
                .put("cores", (long) machine.cores())
                .put("memory", machine.memory())
                .put("system", machine.system())
                .put("disk", machine.disk())
                .put("java", machine.java())
                .put("redis", machine.redis())
                .put("nats", machine.nats())
                .put("load_before", machine.load())
                .put("rows", rows.build())
                .put("hub_alone", figures.build())
                .put("goals", new Json.Arr(goals))
                .build();
    }

    private Json.Obj outcomes(Row row, Map<Contender, Outcome> outcomes) {
        Json.Builder all = Json.Obj.builder();
        outcomes.forEach((contender, outcome) -> all.put(
                contender.name().toLowerCase(Locale.ROOT),
                switch (outcome) {
                    case Outcome.NotRun not ->
                        Json.Obj.builder().put("not_run", not.reason()).build();
                    case Outcome.Measured measured -> figures(row, contender, measured.run());
                }));
        return all.build();
    }

    private Json.Obj figures(Row row, Contender contender, Run run) {
        Json.Builder one = Json.Obj.builder()
                .put("events", run.events())
                .put("events_per_second", (long) run.perSecond())
                .put("cpu_us_per_event", rounded(run.cpuMicros()))
                .put("peak_mb", rounded(run.peakMegabytes()))
                .put("p50_us", run.p50Micros())
                .put("p99_us", run.p99Micros());
        if (contender != Contender.HUB) {
            one.put("hub_ratio", rounded(results.ratio(row, contender)));
        }
        return one.build();
    }

    private static List<Json> figures(List<Figure> figures) {
        List<Json> all = new ArrayList<>();
        for (Figure figure : figures) {
            Json.Builder one = Json.Obj.builder()
                    .put("what", figure.what())
                    .put("value", rounded(figure.value()))
                    .put("unit", figure.unit());
            if (!figure.bound().isEmpty()) {
                one.put("bound", figure.bound()).put("goal", figure.goal()).put("met", Json.of(figure.met()));
            }
            all.add(one.build());
        }
        return all;
    }

    // --- numbers

    private static Json rounded(double value) {
        return Double.isNaN(value) ? Json.Null.NULL : new Json.Num(format("%.2f", value));
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "–" : format("%.2f", value);
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
