package dev.harmovela.dimension.interruption;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** Changes of interruptions, kinds 830 to 839. */
sealed interface InterruptionFact extends Fact {

    String tenant();

    /** The interruption of its task is like that from now on. */
    record Set(String tenant, Interruption interruption) implements InterruptionFact {

        static final int KIND = 830;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            interruption.write(out);
        }
    }

    /** The task is over, and with it what there was to go on from. */
    record Over(String tenant, String taskId) implements InterruptionFact {

        static final int KIND = 831;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId);
        }
    }

    /** A task was submitted with a priority, which an interruption has to exceed (D44). */
    record Ranked(String tenant, String taskId, double priority) implements InterruptionFact {

        static final int KIND = 832;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).f64(priority);
        }
    }

    /** Reads a fact back; null for a kind that is none of these. */
    static @Nullable InterruptionFact read(int kind, In in) {
        return switch (kind) {
            case Set.KIND -> new Set(in.string(), Interruption.read(in));
            case Over.KIND -> new Over(in.string(), in.string());
            case Ranked.KIND -> new Ranked(in.string(), in.string(), in.f64());
            default -> null;
        };
    }
}
