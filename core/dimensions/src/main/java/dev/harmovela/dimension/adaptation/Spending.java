package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets events through as long as their budgets admit them, and charges those that passed. Both happen in the frame of
 * the event, so that no two can spend the same rest.
 */
final class Spending {

    private final EventRegistry types;

    Spending(EventRegistry types) {
        this.types = types;
    }

    // --- before

    /** Whether the budgets of an event admit it; if not, everybody hears of it once, and the work ends as it should. */
    Decision check(Ledger ledger, Event event, Context at) {
        double cost = Scopes.cost(event);
        boolean action = Scopes.isAction(event);
        if (cost < 0 && !action) {
            return Decision.NOTHING;
        }
        double more = Scopes.settles(event) ? 0 : Math.max(0, cost);
        Budget tightest = null;
        Measure broken = Measure.COST;
        for (Budget budget : Scopes.of(ledger, event, at)) {
            Measure measure = broken(budget, more, action, at.now());
            boolean tighter = measure != null
                    && (tightest == null
                            || budget.of(measure).remaining()
                                    < tightest.of(broken).remaining());
            if (measure != null && tighter) {
                tightest = budget;
                broken = measure;
            }
        }
        return tightest == null ? Decision.NOTHING : blocked(ledger, tightest, broken, event, at);
    }

    private static @Nullable Measure broken(Budget budget, double cost, boolean action, long now) {
        if (budget.duration().limited()
                && now >= budget.at() + (long) budget.duration().limit()) {
            return Measure.DURATION;
        }
        if (cost > 0 && !budget.cost().admits(cost)) {
            return Measure.COST;
        }
        return action && !budget.actions().admits(1) ? Measure.ACTIONS : null;
    }

    private Decision blocked(Ledger ledger, Budget budget, Measure measure, Event event, Context at) {
        Proposal proposal = new Proposal(at, types);
        Json remaining = Meter.plain(budget.of(measure).remaining());
        proposal.refuse(ProtocolError.of(ErrorCode.BUDGET_EXCEEDED, "the budget does not admit it")
                .with("reason", "budget_exceeded")
                .with("scope_type", budget.scopeType())
                .with("scope_id", budget.scopeId())
                .with("budget_id", budget.id())
                .with("dimension", measure.wire())
                .with("remaining", remaining));
        if (!budget.of(measure).exceeded()) {
            double declared = measure == Measure.COST ? Math.max(0, Scopes.cost(event)) : 1;
            exceeded(proposal, ledger, budget, measure, new Charge(event.id(), event.taskId(), declared), at);
        }
        return proposal.decision(event.taskId());
    }

    /** What met the end of a budget: the event and the task it was about, null for none, and what it asked for. */
    record Charge(String cause, @Nullable String taskId, double declared) {}

    /** Says once that a budget is used up, and ends what it was for as it was set. */
    static void exceeded(Proposal proposal, Ledger ledger, Budget budget, Measure measure, Charge charge, Context at) {
        proposal.add(new AdaptationFact.BudgetSet(
                proposal.tenant(), budget.with(measure, budget.of(measure).told(false, true))));
        Json.Obj said = told(budget, measure)
                .with("declared", Meter.plain(charge.declared()))
                .with("action", Json.of(budget.onExhausted()));
        proposal.say(proposal.draft("adaptation.budget.limit_exceeded")
                .taskId(charge.taskId())
                .causationId(charge.cause())
                .member("budget_id", Json.of(budget.id()))
                .payload(said));
        proposal.say(proposal.draft("adaptation.cost.exceeded")
                .taskId(charge.taskId())
                .causationId(charge.cause())
                .member("budget_id", Json.of(budget.id()))
                .payload(said));
        tasks(ledger, budget, charge, at).forEach(task -> end(proposal, budget, task, charge));
        if (budget.scopeType().equals("session")) {
            proposal.signal(new Signal.EndSession(proposal.tenant(), budget.scopeId(), "budget_exceeded"));
        }
    }

    /** The live tasks that a budget was for. */
    private static Set<String> tasks(Ledger ledger, Budget budget, Charge charge, Context at) {
        Set<String> tasks = new LinkedHashSet<>();
        switch (budget.scopeType()) {
            case "task" -> tasks.add(budget.scopeId());
            case "goal" -> {
                Goal goal = ledger.goal(budget.scopeId());
                tasks.addAll(goal == null ? List.of() : goal.tasks().keySet());
            }
            default -> {
                // below
            }
        }
        if (charge.taskId() != null && !budget.scopeType().equals("task")) {
            tasks.add(charge.taskId());
        }
        tasks.removeIf(task -> !at.around().taskLives(at.tenant(), task));
        return tasks;
    }

    private static void end(Proposal proposal, Budget budget, String task, Charge charge) {
        ProtocolError error = ProtocolError.of(ErrorCode.BUDGET_EXCEEDED)
                .with("reason", "budget_exceeded")
                .with("budget_id", budget.id());
        if (budget.onExhausted().equals("escalate")) {
            proposal.signal(new Signal.EscalateTask(proposal.tenant(), task, "budget_exceeded", charge.cause()));
            return;
        }
        Signal.EndTask.How how =
                budget.onExhausted().equals("cancel") ? Signal.EndTask.How.CANCEL : Signal.EndTask.How.FAIL;
        proposal.signal(new Signal.EndTask(proposal.tenant(), task, how, error, charge.cause()));
    }

    private static Json.Obj told(Budget budget, Measure measure) {
        Meter meter = budget.of(measure);
        return Json.Obj.builder()
                .put("budget_id", budget.id())
                .put("scope_type", budget.scopeType().isEmpty() ? null : budget.scopeType())
                .put("scope_id", budget.scopeId().isEmpty() ? null : budget.scopeId())
                .put("dimension", measure.wire())
                .put("limit", Meter.plain(meter.limit()))
                .put("consumed", Meter.plain(measure == Measure.DURATION ? meter.limit() : meter.taken()))
                .put("issuer", budget.issuer())
                .put("established_by", budget.eventId())
                .build();
    }

    // --- afterwards

    /** Charges an event that has passed; returns nothing when it is free. */
    Decision charge(Ledger ledger, Event event, Context at) {
        double cost = Scopes.cost(event);
        boolean action = Scopes.isAction(event);
        String call = Scopes.call(event);
        double promised = Scopes.settles(event) ? ledger.reserved(call) : 0;
        if (cost < 0 && !action && promised == 0) {
            return Decision.NOTHING;
        }
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        boolean reserves = cost > 0 && Scopes.reserves(event);
        if (reserves) {
            proposal.add(new AdaptationFact.Reserved(at.tenant(), call, cost));
        } else if (promised > 0) {
            proposal.add(new AdaptationFact.Reserved(at.tenant(), call, 0));
        }
        for (Budget budget : Scopes.of(ledger, event, at)) {
            Meter costs = budget.cost();
            if (reserves) {
                costs = costs.promised(cost);
            } else if (cost >= 0 || promised > 0) {
                costs = costs.promised(-promised).spent(Math.max(0, cost));
            }
            Meter actions = action ? budget.actions().spent(1) : budget.actions();
            Budget charged = budget.with(Measure.COST, costs).with(Measure.ACTIONS, actions);
            charged = warned(proposal, charged, Measure.COST, event);
            charged = warned(proposal, charged, Measure.ACTIONS, event);
            proposal.add(new AdaptationFact.BudgetSet(at.tenant(), charged));
        }
        String task = event.taskId();
        Consumed known = ledger.consumed(task);
        if (known != null) {
            double spent = reserves ? 0 : Math.max(0, cost);
            proposal.add(new AdaptationFact.TaskConsumed(at.tenant(), known.plus(spent, action ? 1 : 0)));
        }
        return proposal.facts() == 0 ? Decision.NOTHING : proposal.decision(task);
    }

    private static Budget warned(Proposal proposal, Budget budget, Measure measure, Event event) {
        Meter meter = budget.of(measure);
        if (meter.warned() || !meter.near(budget.warningRatio())) {
            return budget;
        }
        proposal.say(proposal.draft("adaptation.budget.limit_approaching")
                .taskId(event.taskId())
                .causationId(event.id())
                .member("budget_id", Json.of(budget.id()))
                .payload(told(budget, measure).with("warning_ratio", Meter.plain(budget.warningRatio()))));
        return budget.with(measure, meter.told(true, false));
    }
}
