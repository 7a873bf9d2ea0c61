package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of delegations, kinds 600 to 609. */
sealed interface DelegationFact extends Fact {

    /** The delegation of its task is like that from now on. */
    record Set(String tenant, Delegation delegation) implements DelegationFact {

        static final int KIND = 600;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            delegation.write(out);
        }
    }

    /**
     * A task changed hands; the chain grows, and by its first link also by the one it began with.
     *
     * @param scopes what the new owner may pass on at the most, empty for everything
     */
    record Hop(String tenant, String taskId, String from, String to, List<String> scopes) implements DelegationFact {

        static final int KIND = 601;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).string(from).string(to);
            Delegation.writeTexts(out, scopes);
        }
    }

    /** A task is over; who had it is of no matter any more. */
    record Over(String tenant, String taskId) implements DelegationFact {

        static final int KIND = 602;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId);
        }
    }

    /** A token was used, and must not be again while it lives. */
    record TokenUsed(String jti, long expiresAt) implements DelegationFact {

        static final int KIND = 603;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(jti).varint(expiresAt);
        }
    }

    /** The key that the hub's tokens are made and checked with, as text; made once. */
    record KeyMade(String key) implements DelegationFact {

        static final int KIND = 604;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(key);
        }

        @Override
        public String toString() {
            return "KeyMade[…]";
        }
    }

    /** The hub told somebody above that the work goes round in a circle; it is told once. */
    record LoopTold(String tenant, String taskId) implements DelegationFact {

        static final int KIND = 605;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId);
        }
    }

    /** A member of a pool does not want what the pool was offered; the others may. */
    record Declined(String tenant, String taskId, String who) implements DelegationFact {

        static final int KIND = 606;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).string(who);
        }
    }

    /** Somebody passed a task up: what is said to him about it is for somebody else from now on. */
    record PassedUp(String tenant, String taskId, String from, String to) implements DelegationFact {

        static final int KIND = 607;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(taskId).string(from).string(to);
        }
    }

    /** Reads a fact back; null for a kind that is none of these. */
    static @Nullable DelegationFact read(int kind, In in) {
        return switch (kind) {
            case Set.KIND -> new Set(in.string(), Delegation.read(in));
            case Hop.KIND -> new Hop(in.string(), in.string(), in.string(), in.string(), Delegation.readTexts(in));
            case Over.KIND -> new Over(in.string(), in.string());
            case TokenUsed.KIND -> new TokenUsed(in.string(), in.varint());
            case KeyMade.KIND -> new KeyMade(in.string());
            case LoopTold.KIND -> new LoopTold(in.string(), in.string());
            case Declined.KIND -> new Declined(in.string(), in.string(), in.string());
            case PassedUp.KIND -> new PassedUp(in.string(), in.string(), in.string(), in.string());
            default -> null;
        };
    }
}
