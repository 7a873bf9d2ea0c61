package dev.harmovela.testkit.sim;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges joint work by the log alone: a task has one owner, who changes only by a handover that is proved once; work
 * goes to nobody who had it before; nothing lives below what was cancelled; a request has one answer; a budget admits
 * no more than its limit (§9, §10, §11).
 */
final class TeamWatch {

    private static final Set<String> BY_OWNER = Set.of(
            "task.accepted",
            "task.started",
            "task.blocked",
            "task.resumed",
            "task.progress",
            "task.output",
            "task.completed",
            "task.failed");
    private static final Set<String> ENDS = Set.of("task.completed", "task.failed", "task.cancelled", "task.timed_out");
    private static final Set<String> ANSWERS =
            Set.of("command.completed", "command.failed", "query.response", "query.error", "query.rejected");
    private static final String HUB = "harness:harmovela";

    private static final class Task {
        @Nullable String parent;

        @Nullable String owner;

        final Set<String> had = new HashSet<>();
        boolean ended;

        /** Something was taken back or passed up, or only declined: who owns it now shows when somebody works on it. */
        boolean unsure;

        void release() {
            owner = null;
            unsure = true;
        }
    }

    private static final class Money {
        double limit;
        double spent;
        final Map<String, Double> promised = new HashMap<>();

        double taken() {
            return spent + promised.values().stream().mapToDouble(one -> one).sum();
        }
    }

    private final Map<String, Task> tasks = new HashMap<>();
    private final Map<String, Money> budgets = new HashMap<>();
    private final Set<String> tokens = new HashSet<>();
    private final Map<String, String> open = new HashMap<>();
    private final Set<String> passing;
    private int handovers;
    private int answers;
    private int cancelled;
    private int spent;

    /** @param passing requests that the log may not tell of, as {@code family requester correlation} */
    TeamWatch(Set<String> passing) {
        this.passing = passing;
    }

    int handovers() {
        return handovers;
    }

    int answers() {
        return answers;
    }

    int cancelled() {
        return cancelled;
    }

    int spendings() {
        return spent;
    }

    /** What a budget has admitted so far, 0 for one that is not known. */
    double admitted(String budget) {
        Money money = budgets.get(budget);
        return money == null ? 0 : money.taken();
    }

    /** Ids of the tasks that live, by the log. */
    List<String> live() {
        List<String> live = new ArrayList<>();
        tasks.forEach((id, task) -> {
            if (!task.ended) {
                live.add(id);
            }
        });
        return live;
    }

    /** The next event of the log. */
    void stored(long lsn, Event event) {
        String type = event.type().name();
        try {
            if (event.type().in("task")) {
                task(type, event);
            } else if (event.type().in("delegation")) {
                delegation(type, event);
            } else if (type.equals("command.requested") || type.equals("query.requested")) {
                requested(event);
            } else if (ANSWERS.contains(type)) {
                answered(type, event);
            }
            money(type, event);
        } catch (Violation broken) {
            throw new Violation(broken.getMessage() + " at " + lsn + ": " + type + " " + event.id());
        }
    }

    private Task of(Event event) {
        return tasks.computeIfAbsent(String.valueOf(event.taskId()), _ -> new Task());
    }

    // --- tasks

    private void task(String type, Event event) {
        Task task = of(event);
        if (type.equals("task.submitted")) {
            task.parent = event.parentTaskId();
            return;
        }
        if (BY_OWNER.contains(type) && !event.source().equals(HUB)) {
            if (task.ended) {
                throw new Violation(event.taskId() + " has ended, and " + event.source() + " works on it");
            }
            if (task.owner != null && !task.owner.equals(event.source())) {
                throw new Violation(event.taskId() + " is owned by " + task.owner + ", not by " + event.source());
            }
            owns(task, event.source());
        }
        if (type.equals("task.accepted") && event.source().equals(HUB)) {
            String owner = event.payload().string("owner");
            if (owner != null) {
                owns(task, owner);
            }
        }
        if (ENDS.contains(type)) {
            if (task.ended) {
                throw new Violation(event.taskId() + " ended twice");
            }
            task.ended = true;
            if (type.equals("task.cancelled")) {
                cancelled++;
                nothingBelow(event);
            }
        }
    }

    private static void owns(Task task, String who) {
        task.owner = who;
        task.unsure = false;
        task.had.add(who);
    }

    private void nothingBelow(Event event) {
        tasks.forEach((id, task) -> {
            Task above = task;
            for (int i = 0; i < 64 && above != null && above.parent != null; i++) {
                if (above.parent.equals(event.taskId()) && !task.ended) {
                    throw new Violation(id + " lives below " + event.taskId() + ", which was cancelled");
                }
                above = tasks.get(above.parent);
            }
        });
    }

    // --- delegations

    private void delegation(String type, Event event) {
        if (event.source().equals(HUB)) {
            // copies, and what the hub has to say; ownership follows the agents' own events
            if (type.equals("delegation.rejected")
                    && "revoked_above".equals(event.payload().string("reason"))) {
                of(event).release();
            }
            return;
        }
        Task task = of(event);
        switch (type) {
            case "delegation.handoff.completed" -> handedOver(task, event);
            case "delegation.rejected", "delegation.escalated" -> task.release();
            default -> {
                // nothing moves
            }
        }
    }

    private void handedOver(Task task, Event event) {
        handovers++;
        String to = event.member("delegated_to") instanceof Json.Str text ? text.value() : "";
        String token = event.member("handoff_token") instanceof Json.Str text ? text.value() : "";
        if (!tokens.add(token)) {
            throw new Violation("a token proved two handovers");
        }
        boolean claimed = to.equals(task.owner) || task.unsure;
        if (task.owner != null && !claimed && !task.owner.equals(event.source())) {
            throw new Violation(event.source() + " hands over what " + task.owner + " owns");
        }
        task.had.add(event.source());
        if (task.had.contains(to) && !claimed) {
            throw new Violation(event.taskId() + " goes back to " + to + ", who had it");
        }
        owns(task, to);
    }

    // --- commands and queries

    private static String name(String family, String requester, Event event) {
        return family + ' ' + requester + ' ' + event.correlationId();
    }

    private void requested(Event event) {
        String name = name(event.type().family(), event.source(), event);
        String before = open.put(name, event.id());
        if (before != null) {
            throw new Violation("two requests under one correlation: " + before);
        }
    }

    private void answered(String type, Event event) {
        boolean fromKept = type.equals("query.response") && event.source().equals(HUB);
        if (fromKept || (type.equals("query.rejected") && event.source().equals(HUB))) {
            return;
        }
        answers++;
        String name = name(event.type().family(), String.valueOf(event.target()), event);
        if (open.remove(name) == null && !passing.contains(name)) {
            throw new Violation("an answer to nothing, or a second one");
        }
    }

    // --- budgets

    private void money(String type, Event event) {
        if (type.equals("adaptation.budget.established") || type.equals("adaptation.budget.adjusted")) {
            String id = String.valueOf(event.payload().string("budget_id"));
            Double limit = event.payload().number(type.endsWith("established") ? "limit" : "new_limit");
            if (limit != null && !event.source().equals(HUB)) {
                budgets.computeIfAbsent(id, _ -> new Money()).limit = limit;
            }
            return;
        }
        String budget = event.member("budget_id") instanceof Json.Str text ? text.value() : null;
        Double cost = event.member("budget_cost") instanceof Json.Num number ? (Double) number.doubleValue() : null;
        Money money = budget == null ? null : budgets.get(budget);
        if (money == null || cost == null || event.source().equals(HUB)) {
            return;
        }
        spent++;
        String call = event.type().family() + ' ' + event.correlationId();
        if (type.endsWith(".requested")) {
            money.promised.put(call, cost);
        } else {
            money.promised.remove(call);
            money.spent += cost;
        }
        if (money.taken() > money.limit) {
            throw new Violation("budget " + budget + " of " + money.limit + " has admitted " + money.taken());
        }
    }
}
