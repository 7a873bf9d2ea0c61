package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Proposal;
import org.jspecify.annotations.Nullable;

/**
 * The budget that a session agreed on when it opened (§11, L1): the stricter of what it and the hub declared.
 * It comes to exist with the first thing it is charged with, and the hub is its issuer, so that who declared it cannot
 * raise it.
 */
final class DeclaredBudget {

    private static final String PER_TASK = "per_task";

    private DeclaredBudget() {}

    /** Whether the speaker's session declared one. */
    static boolean isDeclared(Context at) {
        return at.speaker().bounds().object("budget") != null;
    }

    /** The budget of the speaker's session, null when it declared none or one for each task. */
    static @Nullable Budget ofSession(Context at) {
        Json.Obj declared = at.speaker().bounds().object("budget");
        String session = at.sessionId();
        return declared == null || session == null || PER_TASK.equals(declared.string("scope"))
                ? null
                : budget("session", session, declared, at);
    }

    /** The budget of a task that the speaker works on, null when it declared none or one for the session. */
    static @Nullable Budget ofTask(@Nullable String taskId, Context at) {
        Json.Obj declared = at.speaker().bounds().object("budget");
        return declared == null || taskId == null || !PER_TASK.equals(declared.string("scope"))
                ? null
                : budget("task", taskId, declared, at);
    }

    private static Budget budget(String scope, String id, Json.Obj declared, Context at) {
        Double ratio = declared.number("warning_ratio");
        Json.Obj termination = at.speaker().bounds().object("termination");
        String end = termination == null ? null : termination.string("on_budget_exhausted");
        return new Budget(
                scope + ":" + id,
                scope,
                id,
                Proposal.HUB,
                String.valueOf(at.sessionId()),
                at.now(),
                ratio == null ? Budget.WARNING_RATIO : ratio,
                end == null ? "fail" : end,
                meter(declared, "max_cost_usd_millicents"),
                meter(declared, "max_actions"),
                meter(declared, "max_duration_ms"));
    }

    private static Meter meter(Json.Obj declared, String name) {
        Double limit = declared.number(name);
        return limit == null ? Meter.NONE : Meter.of(limit);
    }
}
