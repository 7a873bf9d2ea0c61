package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What came back from an operation.
 *
 * @param answer as it was on the wire
 * @param result what was asked for; null when refused
 * @param problem the refusal; null when there is a result
 */
record Reply(Answer answer, @Nullable Json result, @Nullable Problem problem) {

    /** The result as an object; null when it is none. */
    Json.@Nullable Obj object() {
        return result instanceof Json.Obj object ? object : null;
    }

    /** Whether it is that refusal. */
    boolean is(A2aError error) {
        return problem != null && problem.is(error);
    }

    /** For messages. */
    String brief() {
        return problem == null ? answer.brief() : problem.toString();
    }
}
