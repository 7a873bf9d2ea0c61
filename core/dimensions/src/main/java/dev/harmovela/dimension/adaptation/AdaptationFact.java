package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** Changes of budgets and goals, kinds 900 to 909. */
sealed interface AdaptationFact extends Fact {

    String tenant();

    /** A budget is like that from now on. */
    record BudgetSet(String tenant, Budget budget) implements AdaptationFact {

        static final int KIND = 900;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            budget.write(out);
        }
    }

    /** What a budget was for is over. */
    record BudgetOver(String tenant, String budgetId) implements AdaptationFact {

        static final int KIND = 901;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(budgetId);
        }
    }

    /** Cost is promised to work under way, and charged to its budgets when it is done; 0 when it is. */
    record Reserved(String tenant, String call, double cost) implements AdaptationFact {

        static final int KIND = 902;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(call).f64(cost);
        }
    }

    /** A live task has consumed that much. */
    record TaskConsumed(String tenant, Consumed consumed) implements AdaptationFact {

        static final int KIND = 903;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            consumed.write(out);
        }
    }

    /** The outcome of a task was told. */
    record TaskTold(String tenant, String taskId) implements AdaptationFact {

        static final int KIND = 904;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId);
        }
    }

    /** A goal is like that from now on. */
    record GoalSet(String tenant, Goal goal) implements AdaptationFact {

        static final int KIND = 905;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            goal.write(out);
        }
    }

    /** Reads a fact back; null for a kind that is none of these. */
    static @Nullable AdaptationFact read(int kind, In in) {
        return switch (kind) {
            case BudgetSet.KIND -> new BudgetSet(in.string(), Budget.read(in));
            case BudgetOver.KIND -> new BudgetOver(in.string(), in.string());
            case Reserved.KIND -> new Reserved(in.string(), in.string(), in.f64());
            case TaskConsumed.KIND -> new TaskConsumed(in.string(), Consumed.read(in));
            case TaskTold.KIND -> new TaskTold(in.string(), in.string());
            case GoalSet.KIND -> new GoalSet(in.string(), Goal.read(in));
            default -> null;
        };
    }
}
