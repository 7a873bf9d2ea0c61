package dev.harmovela.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One row for all contenders: each with a fresh server, warmed up, then in turn, so that a busy moment hits all of
 * them.
 */
final class Contest {

    private static final int WARM_WINDOW = 1024;

    private final Tools tools;
    private final Effort effort;
    private final List<Contender> contenders;
    private final Consumer<String> progress;

    Contest(Tools tools, Effort effort, List<Contender> contenders, Consumer<String> progress) {
        this.tools = tools;
        this.effort = effort;
        this.contenders = contenders;
        this.progress = progress;
    }

    /** Runs a row; a contender that cannot take part, or fails, has its reason in the answer. */
    Map<Contender, Outcome> run(Row row) {
        Map<Contender, Outcome> outcomes = new LinkedHashMap<>();
        Map<Contender, Rig> rigs = new LinkedHashMap<>();
        Map<Contender, List<Run>> runs = new LinkedHashMap<>();
        try {
            for (Contender contender : contenders) {
                outcomes.put(contender, attempt(() -> {
                    Rig rig = new Rig(contender, row.consumers(), tools);
                    rigs.put(contender, rig);
                    warmUp(contender, rig, row);
                    return new Outcome.NotRun("no run");
                }));
                if (outcomes.get(contender) instanceof Outcome.NotRun not
                        && !not.reason().equals("no run")) {
                    drop(contender, rigs);
                }
            }
            for (int round = 1; round <= effort.rounds(); round++) {
                for (Contender contender : List.copyOf(rigs.keySet())) {
                    Outcome outcome = attempt(() -> again(contender, rigs, runs, row));
                    outcomes.put(contender, outcome);
                    if (outcome instanceof Outcome.NotRun) {
                        drop(contender, rigs);
                    }
                }
            }
        } finally {
            rigs.values().forEach(Rig::close);
        }
        return outcomes;
    }

    private void warmUp(Contender contender, Rig rig, Row row) {
        progress.accept(row.wire() + ": " + contender.title() + " warms up");
        boolean hub = contender == Contender.HUB;
        rig.run(WARM_WINDOW, hub ? effort.warmUp() : effort.peerWarmUp());
        if (row.window() != WARM_WINDOW) {
            rig.run(row.window(), effort.peerWarmUp());
        }
    }

    private Outcome again(Contender contender, Map<Contender, Rig> rigs, Map<Contender, List<Run>> runs, Row row) {
        Rig rig = rigs.get(contender);
        List<Run> mine = runs.computeIfAbsent(contender, _ -> new ArrayList<>());
        progress.accept(row.wire() + ": " + contender.title() + ", run " + (mine.size() + 1));
        if (rig != null) {
            mine.add(rig.run(row.window(), effort.run()));
        }
        return new Outcome.Measured(Run.median(mine));
    }

    private static void drop(Contender contender, Map<Contender, Rig> rigs) {
        Rig rig = rigs.remove(contender);
        if (rig != null) {
            rig.close();
        }
    }

    private Outcome attempt(java.util.function.Supplier<Outcome> work) {
        try {
            return work.get();
        } catch (BenchFailed failed) {
            progress.accept("not run: " + failed.getMessage());
            return new Outcome.NotRun(String.valueOf(failed.getMessage()));
        }
    }
}
