package dev.harmovela.conformance.a2a.check;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What is asked of everything that was seen in the run. */
final class LastChecks {

    private static final Set<String> OFFICIAL = Set.of(
            "TASK_STATE_SUBMITTED",
            "TASK_STATE_WORKING",
            "TASK_STATE_COMPLETED",
            "TASK_STATE_FAILED",
            "TASK_STATE_CANCELED",
            "TASK_STATE_INPUT_REQUIRED",
            "TASK_STATE_REJECTED",
            "TASK_STATE_AUTH_REQUIRED");

    static final List<Check> TABLE = List.of(
            check(
                    "states.official-values",
                    StateChecks.ROW,
                    "only official states are on the wire",
                    LastChecks::states),
            check("security.secrets", SecurityChecks.ROW, "no answer repeats a credential", LastChecks::secrets),
            check("security.traces", SecurityChecks.ROW, "no answer shows a stack trace", LastChecks::traces));

    private LastChecks() {}

    private static Check check(String id, String row, String title, Check.Body body) {
        return new Check(id, row, Check.Scope.RUN, title, body);
    }

    private static void states(Probe probe) throws Verdict {
        Set<String> foreign = new TreeSet<>(probe.run.watch.states);
        foreign.removeAll(OFFICIAL);
        probe.require(foreign.isEmpty(), "states that A2A does not have: " + String.join(", ", foreign));
        if (probe.run.watch.states.isEmpty()) {
            throw probe.notApplicable("no task was seen");
        }
    }

    /** An endpoint that says nothing keeps every secret; that proves nothing. */
    private static void answered(Probe probe) throws Verdict {
        if (probe.run.callers("1.0").isEmpty()) {
            throw probe.notApplicable("the card offers no interface that was called");
        }
    }

    private static void secrets(Probe probe) throws Verdict {
        answered(probe);
        Set<String> places = new TreeSet<>(probe.run.watch.leaks);
        probe.require(places.isEmpty(), "credentials come back in the answer to " + String.join(", ", places));
    }

    private static void traces(Probe probe) throws Verdict {
        answered(probe);
        Set<String> places = new TreeSet<>(probe.run.watch.traces);
        probe.require(places.isEmpty(), "stack traces come back in the answer to " + String.join(", ", places));
    }
}
