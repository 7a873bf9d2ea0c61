package dev.harmovela.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was measured.
 *
 * @param contests rows that every contender ran
 * @param figures of the hub alone
 */
record Results(
        Machine machine, Effort effort, Map<Row, Map<Contender, Outcome>> contests, Map<Row, List<Figure>> figures) {

    Results(Machine machine, Effort effort) {
        this(machine, effort, new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** A contender's figures in a row, or null when it has none. */
    @Nullable Run run(Row row, Contender contender) {
        Map<Contender, Outcome> outcomes = contests.get(row);
        Outcome outcome = outcomes == null ? null : outcomes.get(contender);
        return outcome instanceof Outcome.Measured measured ? measured.run() : null;
    }

    /** Events of the hub for one of the contender, or NaN. */
    double ratio(Row row, Contender contender) {
        Run ours = run(row, Contender.HUB);
        Run theirs = run(row, contender);
        return ours == null || theirs == null ? Double.NaN : ours.perSecond() / theirs.perSecond();
    }
}
