package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.DimensionState;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The budgets and goals of a shard, and the outcomes of its tasks (§11, D30, D42). Where a tenant has none of them, an
 * event costs one look into an empty map. For one thread.
 */
public final class Adaptation implements DimensionState {

    private static final int KINDS_FROM = 900;
    private static final int KINDS_TO = 909;

    /** The capability without which a hub must not enforce budgets, among the features it offers. */
    public static final String ENFORCE = "budget.enforce";

    private final Map<String, Ledger> tenants = new TreeMap<>();
    private final BudgetRules budgetRules;
    private final GoalRules goalRules;
    private final Spending spending;
    private final EventRegistry types;
    private boolean enforces = true;

    public Adaptation(EventRegistry types) {
        this.types = types;
        budgetRules = new BudgetRules(types);
        goalRules = new GoalRules(types);
        spending = new Spending(types);
    }

    /** Whether budgets are enforced from now on; a hub that may not refuses to have them set. */
    public void enforce(boolean may) {
        enforces = may;
    }

    @Override
    public String name() {
        return "adaptation";
    }

    private Ledger of(String tenant) {
        Ledger ledger = tenants.get(tenant);
        return ledger == null ? new Ledger() : ledger;
    }

    // --- deciding

    @Override
    public boolean decides(EventType type) {
        return switch (type.name()) {
            case "adaptation.budget.established", "adaptation.budget.adjusted" -> true;
            default -> GoalEvent.of(type.name()) != null;
        };
    }

    @Override
    public boolean guards(EventType type) {
        return switch (type.family()) {
            case "task", "tool.call", "command", "agent", "query" -> true;
            case "adaptation" -> !decides(type);
            default -> false;
        };
    }

    @Override
    public boolean follows(EventType type) {
        return guards(type);
    }

    @Override
    public Decision check(Event event, Context at) {
        Ledger ledger = tenants.get(at.tenant());
        boolean concerns = enforces && (DeclaredBudget.isDeclared(at) || (ledger != null && ledger.hasBudgets()));
        return concerns ? spending.check(of(at.tenant()), event, at) : Decision.NOTHING;
    }

    @Override
    public Decision decide(Event event, Context at) {
        GoalEvent goal = GoalEvent.of(event.type().name());
        if (goal == null && !enforces) {
            return Decision.refused(
                    ProtocolError.of(ErrorCode.MISSING_CAPABILITY, "this hub does not enforce budgets")
                            .with("capability", ENFORCE),
                    event.taskId());
        }
        return goal != null
                ? goalRules.decide(of(at.tenant()), goal, event, at)
                : budgetRules.decide(of(at.tenant()), event, at);
    }

    @Override
    public Decision react(Signal signal, Context at) {
        return switch (signal) {
            case Signal.Happened happened
            when !Proposal.HUB.equals(happened.event().source()) -> happened(happened.event(), at);
            case Signal.TaskEnded ended -> ended(ended, at);
            case Signal.SessionEnded ended -> over(of(at.tenant()).of("session", ended.sessionId()), at);
            default -> Decision.NOTHING;
        };
    }

    private Decision happened(Event event, Context at) {
        if (event.type().name().equals("task.submitted")) {
            return submitted(event, at);
        }
        Ledger ledger = tenants.get(at.tenant());
        return enforces && (ledger != null || DeclaredBudget.isDeclared(at))
                ? spending.charge(of(at.tenant()), event, at)
                : Decision.NOTHING;
    }

    /** What a task consumes is counted where adaptation is agreed on, or where it serves a goal. */
    private Decision submitted(Event event, Context at) {
        String taskId = event.taskId();
        String goal = event.payload().string("goal_id");
        Ledger ledger = tenants.get(at.tenant());
        boolean counts = goal != null
                || at.speaker().negotiated().test(Profiles.ADAPTATION)
                || (ledger != null && taskId != null && ledger.of("task", taskId) != null);
        if (!counts || taskId == null || (ledger != null && ledger.consumed(taskId) != null)) {
            return Decision.NOTHING;
        }
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        proposal.add(
                new AdaptationFact.TaskConsumed(at.tenant(), new Consumed(taskId, goal == null ? "" : goal, 0, 0)));
        Goal known = ledger == null ? null : ledger.goal(goal);
        if (known != null) {
            proposal.add(new AdaptationFact.GoalSet(at.tenant(), known.withTasks(List.of(taskId))));
        }
        return proposal.decision(taskId);
    }

    /** The outcome of every task that counts is told, with what it cost and whom it served. */
    private Decision ended(Signal.TaskEnded ended, Context at) {
        Ledger ledger = tenants.get(at.tenant());
        if (ledger == null) {
            return Decision.NOTHING;
        }
        Consumed consumed = ledger.consumed(ended.taskId());
        List<Goal> goals = ledger.goalsOf(ended.taskId());
        Budget budget = ledger.of("task", ended.taskId());
        if (consumed == null && goals.isEmpty() && budget == null) {
            return Decision.NOTHING;
        }
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        Goal goal = goals.isEmpty() ? null : goals.getFirst();
        proposal.say(proposal.draft("adaptation.outcome.correlated")
                .taskId(ended.taskId())
                .payload(outcome(ended, consumed, goal, budget)));
        goals.forEach(one -> proposal.add(
                new AdaptationFact.GoalSet(at.tenant(), one.withOutcome(ended.taskId(), ended.outcome()))));
        if (consumed != null) {
            proposal.add(new AdaptationFact.TaskTold(at.tenant(), ended.taskId()));
        }
        if (budget != null) {
            proposal.add(new AdaptationFact.BudgetOver(at.tenant(), budget.id()));
        }
        return proposal.decision(ended.taskId());
    }

    private static Json.Obj outcome(
            Signal.TaskEnded ended, @Nullable Consumed consumed, @Nullable Goal goal, @Nullable Budget budget) {
        Json.Builder spent = Json.Obj.builder()
                .put("cost_usd_millicents", Meter.plain(consumed == null ? 0 : consumed.cost()))
                .put("actions", consumed == null ? 0 : consumed.actions());
        Json.Builder cost = Json.Obj.builder();
        if (budget != null && budget.cost().limited()) {
            cost.put(
                    "declared",
                    Json.Obj.builder()
                            .put(
                                    "cost_usd_millicents",
                                    Meter.plain(budget.cost().limit()))
                            .build());
        }
        Json.Builder payload = Json.Obj.builder()
                .put("task_id", ended.taskId())
                .put("task_outcome", ended.outcome())
                .put("owner", ended.owner())
                .put("reason", ended.reason())
                .put("goal_id", goal == null ? null : goal.id())
                .put("goal_description", goal == null || goal.description().isEmpty() ? null : goal.description())
                .put("cost", cost.put("consumed", spent.build()).build());
        if (budget != null) {
            payload.put(
                    "authority",
                    Json.Obj.builder()
                            .put("issuer", budget.issuer())
                            .put("capability", "budget.establish")
                            .put("established_by", budget.eventId())
                            .build());
        }
        return payload.build();
    }

    private Decision over(@Nullable Budget budget, Context at) {
        if (budget == null) {
            return Decision.NOTHING;
        }
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        proposal.add(new AdaptationFact.BudgetOver(at.tenant(), budget.id()));
        return proposal.decision(null);
    }

    // --- time

    @Override
    public Decision fire(Context at) {
        for (Map.Entry<String, Ledger> one : tenants.entrySet()) {
            Budget budget = one.getValue().firstToEnd();
            if (budget != null && budget.endsAt() <= at.now()) {
                Context ours =
                        new Context(at.now(), Context.Speaker.hub(one.getKey()), at.nextLsn(), at.ids(), at.around());
                Proposal proposal = new Proposal(ours, types);
                proposal.noInput();
                String task = budget.scopeType().equals("task") ? budget.scopeId() : null;
                Spending.Charge charge = new Spending.Charge(
                        budget.eventId(), task, budget.duration().limit());
                Spending.exceeded(proposal, one.getValue(), budget, Measure.DURATION, charge, ours);
                proposal.moreToCome();
                return proposal.decision(task);
            }
        }
        return Decision.NOTHING;
    }

    @Override
    public long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (Ledger ledger : tenants.values()) {
            Budget first = ledger.firstToEnd();
            next = first == null ? next : Math.min(next, first.endsAt());
        }
        return next;
    }

    // --- folding

    @Override
    public boolean holds(int kind) {
        return kind >= KINDS_FROM && kind <= KINDS_TO;
    }

    /** Reads a fact back; null for a kind that is none of its own. */
    public static @Nullable Fact read(int kind, int version, In in) {
        return version == 1 ? AdaptationFact.read(kind, in) : null;
    }

    @Override
    public void apply(Fact fact) {
        if (!(fact instanceof AdaptationFact own)) {
            throw new IllegalStateException("not a fact about budgets or goals: kind " + fact.kind());
        }
        Ledger ledger = tenants.computeIfAbsent(own.tenant(), _ -> new Ledger());
        ledger.apply(own);
        if (ledger.isEmpty()) {
            tenants.remove(own.tenant());
        }
    }

    @Override
    public void snapshot(Out out) {
        out.varint(tenants.size());
        tenants.forEach((tenant, ledger) -> {
            out.string(tenant);
            ledger.snapshot(out);
        });
    }

    @Override
    public void restore(In in) {
        for (int n = in.count(); n > 0; n--) {
            tenants.put(in.string(), Ledger.restore(in));
        }
    }

    // --- asking

    /** The budgets of a tenant with what of them is gone. */
    public List<Json.Obj> budgets(String tenant) {
        return of(tenant).budgets().stream().map(Budget::toJson).toList();
    }

    /** The goals of a tenant with the outcomes of their tasks. */
    public List<Json.Obj> goals(String tenant) {
        return of(tenant).goals().stream().map(Goal::toJson).toList();
    }
}
