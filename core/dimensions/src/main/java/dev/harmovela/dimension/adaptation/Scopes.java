package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which budgets an event falls under (D30, D42), and what it costs them. */
final class Scopes {

    private static final int MOST_ANCESTORS = 64;

    private Scopes() {}

    /** The budgets of an event: the one it names, else every one whose scope contains it. */
    static List<Budget> of(Ledger ledger, Event event, Context at) {
        String named = event.member("budget_id") instanceof Json.Str text ? text.value() : null;
        if (named != null) {
            Budget budget = ledger.budget(named);
            return budget == null ? List.of() : List.of(budget);
        }
        Set<Budget> all = new LinkedHashSet<>();
        String session = at.sessionId() == null ? event.sessionId() : at.sessionId();
        Budget own = ledger.of("session", session);
        add(all, own == null ? DeclaredBudget.ofSession(at) : own);
        Set<String> goals = new LinkedHashSet<>();
        String goal = event.payload().string("goal_id");
        if (goal != null) {
            goals.add(goal);
        }
        String task = event.taskId() == null ? event.payload().string("task_id") : event.taskId();
        for (int i = 0; task != null && i < MOST_ANCESTORS; i++) {
            Budget known = ledger.of("task", task);
            add(all, known == null && i == 0 ? DeclaredBudget.ofTask(task, at) : known);
            Consumed consumed = ledger.consumed(task);
            if (consumed != null && !consumed.goalId().isEmpty()) {
                goals.add(consumed.goalId());
            }
            ledger.goalsOf(task).forEach(one -> goals.add(one.id()));
            String above = at.around().taskParent(at.tenant(), task);
            task = above == null && i == 0 ? event.parentTaskId() : above;
        }
        goals.forEach(one -> add(all, ledger.of("goal", one)));
        return List.copyOf(all);
    }

    private static void add(Set<Budget> all, @Nullable Budget budget) {
        if (budget != null) {
            all.add(budget);
        }
    }

    /** Whether an event counts as an action (D30). */
    static boolean isAction(Event event) {
        return switch (event.type().name()) {
            case "tool.call.requested", "command.requested", "task.progress", "task.output" -> true;
            default -> event.type().in("agent");
        };
    }

    /** What the event says it costs; negative when it says nothing. */
    static double cost(Event event) {
        if (event.member("budget_cost") instanceof Json.Num number) {
            return number.doubleValue();
        }
        boolean done = event.type().name().equals("tool.call.completed");
        Double declared = done ? event.payload().number("cost_usd_millicents") : null;
        return declared == null ? -1 : declared;
    }

    /** Whether cost is only promised by the event, until the work it asks for is done (D42). */
    static boolean reserves(Event event) {
        return event.type().name().endsWith(".requested");
    }

    /** Whether the event ends work for which cost may be reserved. */
    static boolean settles(Event event) {
        return switch (event.type().name()) {
            case "tool.call.completed", "tool.call.failed", "tool.call.cancelled", "tool.call.timed_out" -> true;
            case "tool.call.rejected", "command.completed", "command.failed", "command.rejected" -> true;
            default -> false;
        };
    }

    /** What ties the end of a piece of work to the request for it. */
    static String call(Event event) {
        String id = event.payload().string("tool_call_id");
        String call = id == null ? event.payload().string("call_id") : id;
        String correlation = event.correlationId();
        return event.type().family() + '\n' + (call != null ? call : correlation != null ? correlation : event.id());
    }
}
