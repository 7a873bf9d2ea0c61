package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The budgets, goals and consumption of one tenant. */
final class Ledger {

    static final int MOST = 50_000;

    private final LinkedHashMap<String, Budget> budgets = new LinkedHashMap<>();
    private final Map<String, String> byScope = new HashMap<>();
    private final LinkedHashMap<String, Goal> goals = new LinkedHashMap<>();
    private final LinkedHashMap<String, Consumed> consumed = new LinkedHashMap<>();
    private final LinkedHashMap<String, Double> reserved = new LinkedHashMap<>();
    private final Map<String, Set<String>> goalsByTask = new HashMap<>();
    private final TreeSet<End> ends =
            new TreeSet<>(Comparator.comparingLong(End::at).thenComparing(End::budgetId));

    private record End(long at, String budgetId) {}

    boolean isEmpty() {
        return budgets.isEmpty() && goals.isEmpty() && consumed.isEmpty() && reserved.isEmpty();
    }

    boolean isFull() {
        return budgets.size() >= MOST || goals.size() >= MOST;
    }

    boolean hasBudgets() {
        return !budgets.isEmpty();
    }

    List<Budget> budgets() {
        return List.copyOf(budgets.values());
    }

    List<Goal> goals() {
        return List.copyOf(goals.values());
    }

    @Nullable Budget budget(@Nullable String id) {
        return id == null ? null : budgets.get(id);
    }

    @Nullable Budget of(String scopeType, @Nullable String scopeId) {
        String id = scopeId == null ? null : byScope.get(scopeType + '\n' + scopeId);
        return id == null ? null : budgets.get(id);
    }

    @Nullable Goal goal(@Nullable String id) {
        return id == null ? null : goals.get(id);
    }

    @Nullable Consumed consumed(@Nullable String taskId) {
        return taskId == null ? null : consumed.get(taskId);
    }

    /** What was promised to work under way; 0 when nothing was. */
    double reserved(String call) {
        return reserved.getOrDefault(call, 0.0);
    }

    /** The budget whose time is over first, null when none has an end. */
    @Nullable Budget firstToEnd() {
        return ends.isEmpty() ? null : budgets.get(ends.first().budgetId());
    }

    void apply(AdaptationFact fact) {
        switch (fact) {
            case AdaptationFact.BudgetSet set -> set(set.budget());
            case AdaptationFact.BudgetOver over -> unset(over.budgetId());
            case AdaptationFact.Reserved promise -> {
                if (promise.cost() == 0) {
                    reserved.remove(promise.call());
                } else {
                    reserved.put(promise.call(), promise.cost());
                    if (reserved.size() > MOST) {
                        reserved.pollFirstEntry();
                    }
                }
            }
            case AdaptationFact.TaskConsumed task ->
                consumed.put(task.consumed().taskId(), task.consumed());
            case AdaptationFact.TaskTold told -> consumed.remove(told.taskId());
            case AdaptationFact.GoalSet set -> set(set.goal());
        }
    }

    private void set(Budget budget) {
        unset(budget.id());
        budgets.put(budget.id(), budget);
        if (!budget.scopeType().isEmpty()) {
            byScope.put(budget.scopeType() + '\n' + budget.scopeId(), budget.id());
        }
        if (budget.endsAt() != Long.MAX_VALUE) {
            ends.add(new End(budget.endsAt(), budget.id()));
        }
    }

    private void set(Goal goal) {
        goals.put(goal.id(), goal);
        goal.tasks()
                .keySet()
                .forEach(task -> goalsByTask
                        .computeIfAbsent(task, _ -> new LinkedHashSet<>())
                        .add(goal.id()));
    }

    private void unset(String id) {
        Budget before = budgets.remove(id);
        if (before != null) {
            byScope.remove(before.scopeType() + '\n' + before.scopeId());
            ends.remove(new End(before.endsAt(), id));
        }
    }

    void snapshot(Out out) {
        out.varint(budgets.size());
        budgets.values().forEach(one -> one.write(out));
        out.varint(goals.size());
        goals.values().forEach(one -> one.write(out));
        out.varint(consumed.size());
        consumed.values().forEach(one -> one.write(out));
        out.varint(reserved.size());
        reserved.forEach((call, cost) -> out.string(call).f64(cost));
    }

    static Ledger restore(In in) {
        Ledger ledger = new Ledger();
        for (int n = in.count(); n > 0; n--) {
            ledger.set(Budget.read(in));
        }
        for (int n = in.count(); n > 0; n--) {
            ledger.set(Goal.read(in));
        }
        for (int n = in.count(); n > 0; n--) {
            Consumed task = Consumed.read(in);
            ledger.consumed.put(task.taskId(), task);
        }
        for (int n = in.count(); n > 0; n--) {
            ledger.reserved.put(in.string(), in.f64());
        }
        return ledger;
    }

    /** The goals that a task serves, in the order in which they came to know it. */
    List<Goal> goalsOf(String taskId) {
        return goalsByTask.getOrDefault(taskId, Set.of()).stream()
                .map(goals::get)
                .filter(Objects::nonNull)
                .toList();
    }
}
